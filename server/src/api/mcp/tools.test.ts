import assert from 'node:assert/strict'
import { after as afterAll, test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { ImportJob } from '@everscan/contract/resources/bulk-imports.ts'
import type { FolderPage } from '@everscan/contract/resources/folders.ts'
import type { QrCode, QrCodePage } from '@everscan/contract/resources/qr-codes.ts'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { createApiKey } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { startTestStore, type TestStore } from '../../analytics/testing/store.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase, onPostgres } from '../../db/testing/databases.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { ended, startImportWorker } from '../testing/imports.ts'
import { callTool, connectMcp, everyRow, failure, listen, use } from '../testing/mcp.ts'

type Change = { id?: string; before: Record<string, unknown> | null; after: Record<string, unknown> }
type Changes = { dryRun: boolean; changes: Change[] }

const reads = [
  'find_qr_codes',
  'get_qr_code',
  'list_folders',
  'list_tags',
  'list_styles',
  'download_qr_code',
  'get_qr_code_analytics',
  'get_organization_analytics',
  'get_import',
]
const writes = ['create_qr_codes', 'change_qr_code', 'change_qr_codes', 'save_style', 'import_qr_codes']

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
/** Readers cannot tell such modules from their background. */
const pale = { foregroundColor: '#F0F0F0' }
const unknownId = `qr_${'0'.repeat(26)}`
const csv = 'name,url\nOne,https://example.com/1\nTwo,ftp://example.com/2\n'

let store: TestStore | undefined
async function sharedStore(): Promise<TestStore> {
  store ??= await startTestStore()
  return store
}
afterAll(async () => store?.remove())

/** The names of the tools that a key sees. */
async function namesFor(baseUrl: string, key: string): Promise<string[]> {
  const { tools } = await (await connectMcp(baseUrl, key)).listTools()
  return tools.map(({ name }) => name)
}

async function createOne(client: Client, more: object = {}): Promise<QrCode> {
  const made = await use<Changes>(client, 'create_qr_codes', {
    qrCodes: [{ ...poster, ...more }],
    dryRun: false,
  })
  return made.changes[0]?.after as QrCode
}

async function auditLog({ call, orgId, keys }: TestApi) {
  const answer = await call('GET', `/organizations/${orgId}/audit-log?limit=100`, { key: keys.ADMIN })
  return answer.json<AuditLogPage>().data
}

/** The names of the entries of calls, newest first. */
async function callsOf(api: TestApi): Promise<(string | null)[]> {
  const entries = await auditLog(api)
  return entries.filter(({ action }) => action === 'mcp.call').map(({ target }) => target.name)
}

onEitherDatabase('tools over MCP', (open) => {
  let db: Database
  let api: TestApi
  let editor: Client
  let baseUrl: string

  const withApi =
    (work: () => Promise<void>, options: Parameters<typeof openTestApi>[1] = {}) =>
    async () => {
      db = await open()
      api = await openTestApi(db, options)
      baseUrl = await listen(api)
      editor = await connectMcp(baseUrl, api.keys.EDITOR)
      await work()
    }

  test(
    'each key sees the tools that its role and scopes allow',
    withApi(async () => {
      assert.deepEqual(await namesFor(baseUrl, api.keys.EDITOR), [...reads, ...writes])
      assert.deepEqual(await namesFor(baseUrl, api.keys.VIEWER), reads)
      const { value } = await createApiKey(db, api.orgId, {
        name: 'Figures',
        role: 'ADMIN',
        scopes: ['analytics:read'],
        origin: someOrigin,
      })
      assert.deepEqual(await namesFor(baseUrl, value), [
        'get_qr_code_analytics',
        'get_organization_analytics',
      ])
      const { tools } = await editor.listTools()
      for (const { name, annotations, inputSchema } of tools) {
        assert.equal(annotations?.readOnlyHint, reads.includes(name), name)
        assert.equal('dryRun' in (inputSchema.properties ?? {}), writes.includes(name), name)
        assert.equal(annotations?.destructiveHint, ['change_qr_code', 'change_qr_codes'].includes(name), name)
      }
    }),
  )

  test(
    'codes are created, found, read, changed and drawn',
    withApi(async () => {
      const { json } = await api.call('POST', `/organizations/${api.orgId}/folders`, {
        key: api.keys.EDITOR,
        payload: { name: 'Spring' },
      })
      const folderId = json<{ id: string }>().id
      const one = await createOne(editor, { tags: ['a'], folderId })
      const many = await use<Changes>(editor, 'create_qr_codes', {
        qrCodes: [poster, { ...poster, name: 'Flyer', tags: ['b'] }],
        dryRun: false,
      })
      assert.deepEqual(
        many.changes.map(({ id, before, after }) => [id === after['id'], before, after['name']]),
        [
          [true, null, 'Poster'],
          [true, null, 'Flyer'],
        ],
      )
      const found = await use<QrCodePage>(editor, 'find_qr_codes', { search: 'poster', tag: ['a'], limit: 5 })
      assert.deepEqual(
        [found.data.map(({ id }) => id), found.pagination.limit, found.pagination.total],
        [[one.id], 5, 1],
      )
      assert.deepEqual(await use(editor, 'get_qr_code', { id: one.id }), one)
      const changed = await use<Changes>(editor, 'change_qr_code', {
        id: one.id,
        data: { url: 'https://example.com/new' },
        dryRun: false,
      })
      assert.deepEqual(changed, {
        dryRun: false,
        changes: [
          {
            id: one.id,
            before: { data: { url: 'https://example.com/' } },
            after: { data: { url: 'https://example.com/new' } },
          },
        ],
      })
      const ids = [one.id, ...many.changes.map(({ after }) => after['id'])]
      const moved = await use<Changes>(editor, 'change_qr_codes', {
        ids: [...ids, one.id],
        updates: { addTags: ['c'], status: 'ARCHIVED' },
        dryRun: false,
      })
      assert.deepEqual(
        moved.changes.map(({ id, before, after }) => [id, before?.['tags'], after['tags'], after['status']]),
        [
          [ids[0], ['a'], ['a', 'c'], 'ARCHIVED'],
          [ids[1], [], ['c'], 'ARCHIVED'],
          [ids[2], ['b'], ['b', 'c'], 'ARCHIVED'],
        ],
      )
      const folders = await use<FolderPage>(editor, 'list_folders')
      assert.deepEqual(
        folders.data.map(({ name, qrCodeCount }) => [name, qrCodeCount]),
        [['Spring', 1]],
      )
      const { data: tags } = await use<{ data: { tag: string }[] }>(editor, 'list_tags', { search: 'c' })
      assert.deepEqual(tags, [{ tag: 'c', qrCodeCount: 3 }])
      const png = await callTool(editor, 'download_qr_code', { id: one.id })
      const [image] = png.content
      assert.ok(image?.type === 'image' && image.mimeType === 'image/png')
      // The width in the header of a PNG.
      assert.equal(Buffer.from(image.data, 'base64').readUInt32BE(16), 512)
      const svg = await callTool(editor, 'download_qr_code', { id: one.id, format: 'svg' })
      assert.match(svg.content[0]?.type === 'text' ? svg.content[0].text : '', /^<svg /)
    }),
  )

  test(
    'a dry run returns what the change then does, and writes nothing',
    withApi(async () => {
      const one = await createOne(editor, { tags: ['a'] })
      const two = await createOne(editor)
      const saved = await use<Changes>(editor, 'save_style', {
        name: 'Blue',
        style: { foregroundColor: '#0B3D91' },
        dryRun: false,
      })
      const styleId = saved.changes[0]?.id
      const inputs: [tool: string, input: object][] = [
        [
          'create_qr_codes',
          { qrCodes: [{ ...poster, shortCode: 'MINE-2026', style: { dotStyle: 'dots' } }] },
        ],
        ['create_qr_codes', { qrCodes: [poster, { ...poster, name: 'Flyer' }], idempotencyKey: 'twice' }],
        ['change_qr_code', { id: one.id, name: 'New', style: { foregroundColor: '#101010' }, tags: ['b'] }],
        ['change_qr_codes', { ids: [one.id, two.id], updates: { styleId, addTags: ['x'] } }],
        ['save_style', { name: 'Red', style: { foregroundColor: '#800000' }, isDefault: true }],
      ]
      for (const [tool, input] of inputs) {
        const before = await everyRow(db)
        const rehearsed = await use<Changes>(editor, tool, input)
        assert.equal(rehearsed.dryRun, true)
        assert.deepEqual(await everyRow(db), before, tool)
        const done = await use<Changes>(editor, tool, { ...input, dryRun: false })
        assert.notDeepEqual(await everyRow(db), before, tool)
        assert.equal(done.dryRun, false)
        // A dry run cannot know ids, times, and random short codes.
        for (const [at, { before: was, after }] of rehearsed.changes.entries()) {
          const real = done.changes[at]
          assert.ok(real !== undefined)
          assert.deepEqual(was, real.before, tool)
          const unknown = Object.keys(real.after).filter((name) => !(name in after))
          assert.deepEqual(
            unknown.filter(
              (name) => !['id', 'createdAt', 'updatedAt', 'shortCode', 'shortUrl', 'imageUrl'].includes(name),
            ),
            [],
          )
          for (const [name, value] of Object.entries(after))
            assert.deepEqual(value, real.after[name], `${tool} ${name}`)
        }
        assert.equal(rehearsed.changes.length, done.changes.length)
      }
    }),
  )

  test(
    'a dry run fails as the change does, and neither writes anything',
    withApi(async () => {
      const one = await createOne(editor, { shortCode: 'TAKEN-1' })
      const foreign = await connectMcp(baseUrl, api.keys.foreign)
      const theirs = await createOne(foreign)
      const failing: [tool: string, input: object, status: number, code: string, path?: string][] = [
        ['create_qr_codes', { qrCodes: [{ ...poster, shortCode: 'taken-1' }] }, 409, 'CONFLICT'],
        [
          'create_qr_codes',
          { qrCodes: [poster, { ...poster, shortCode: 'taken-1' }] },
          422,
          'BATCH_REJECTED',
          'qrCodes[1]',
        ],
        [
          'create_qr_codes',
          { qrCodes: [{ ...poster, folderId: 'fld_none' }] },
          400,
          'VALIDATION_ERROR',
          'folderId',
        ],
        [
          'create_qr_codes',
          { qrCodes: [{ ...poster, data: { url: 'ftp://x' } }] },
          400,
          'VALIDATION_ERROR',
          'data.url',
        ],
        [
          'create_qr_codes',
          { qrCodes: [{ ...poster, nmae: 1 }] },
          400,
          'VALIDATION_ERROR',
          'qrCodes[0].nmae',
        ],
        [
          'create_qr_codes',
          { qrCodes: [{ ...poster, style: pale }] },
          422,
          'STYLE_NOT_SCANNABLE',
          'style.foregroundColor',
        ],
        [
          'create_qr_codes',
          { qrCodes: Array.from({ length: limits.mcpBatchMax + 1 }, () => poster) },
          400,
          'VALIDATION_ERROR',
          'qrCodes',
        ],
        ['change_qr_code', { id: one.id, name: '' }, 400, 'VALIDATION_ERROR', 'name'],
        ['change_qr_code', { id: one.id, style: pale }, 422, 'STYLE_NOT_SCANNABLE', 'style.foregroundColor'],
        ['change_qr_code', { id: unknownId, name: 'New' }, 404, 'NOT_FOUND'],
        ['change_qr_code', { id: theirs.id, name: 'New' }, 404, 'NOT_FOUND'],
        ['change_qr_codes', { ids: [one.id, theirs.id], updates: { name: 'New' } }, 404, 'NOT_FOUND'],
        ['change_qr_codes', { ids: [one.id], updates: {} }, 400, 'VALIDATION_ERROR', 'updates'],
        ['save_style', { name: 'Pale', style: pale }, 422, 'STYLE_NOT_SCANNABLE', 'style.foregroundColor'],
        ['import_qr_codes', { type: 'URL', csv: 'name\nOne\n' }, 400, 'VALIDATION_ERROR', 'file'],
        ['import_qr_codes', { type: 'URL', csv, folderId: 'fld_none' }, 400, 'VALIDATION_ERROR', 'folderId'],
      ]
      for (const [tool, input, status, code, path] of failing) {
        const before = await everyRow(db)
        const rehearsed = await failure(editor, tool, input)
        const done = await failure(editor, tool, { ...input, dryRun: false })
        assert.deepEqual(
          [rehearsed.statusCode, rehearsed.code],
          [status, code],
          `${tool} ${rehearsed.message}`,
        )
        assert.deepEqual({ ...rehearsed, requestId: '' }, { ...done, requestId: '' })
        if (path !== undefined) assert.equal(done.details?.[0]?.path, path)
        assert.deepEqual(await everyRow(db), before, tool)
        assert.deepEqual((await callsOf(api)).slice(0, 2), [`${tool}: ${code}`, `${tool}: dry run, ${code}`])
      }
    }),
  )

  test(
    'reading tools name the wrong field, and find nothing of another organization',
    withApi(async () => {
      const theirs = await createOne(await connectMcp(baseUrl, api.keys.foreign))
      assert.deepEqual((await use<QrCodePage>(editor, 'find_qr_codes')).data, [])
      for (const [tool, input, path] of [
        ['find_qr_codes', { limit: 101 }, 'limit'],
        ['find_qr_codes', { limit: '5' }, 'limit'],
        ['find_qr_codes', { name: 'x' }, 'name'],
        ['list_folders', { parentId: '' }, 'parentId'],
        ['list_tags', { search: 5 }, 'search'],
        ['list_styles', { page: 0 }, 'page'],
        ['download_qr_code', { id: theirs.id, format: 'pdf' }, 'format'],
        ['get_qr_code_analytics', { id: theirs.id, interval: 'year' }, 'interval'],
        ['get_organization_analytics', { timezone: 7 }, 'timezone'],
        ['get_import', {}, 'id'],
      ] as const) {
        const { code, details } = await failure(editor, tool, input)
        assert.deepEqual([code, details?.[0]?.path], ['VALIDATION_ERROR', path], tool)
      }
      for (const tool of ['get_qr_code', 'download_qr_code', 'get_qr_code_analytics', 'get_import'])
        assert.equal((await failure(editor, tool, { id: theirs.id })).code, 'NOT_FOUND', tool)
    }),
  )

  test(
    'a key that may only read cannot change anything, not even in a dry run',
    withApi(async () => {
      const one = await createOne(editor)
      const viewer = await connectMcp(baseUrl, api.keys.VIEWER)
      const narrow = await createApiKey(db, api.orgId, {
        name: 'Reader',
        role: 'ADMIN',
        scopes: ['codes:read'],
        origin: someOrigin,
      })
      const reader = await connectMcp(baseUrl, narrow.value)
      const before = await everyRow(db)
      for (const client of [viewer, reader])
        for (const dryRun of [true, false])
          for (const [tool, input] of [
            ['create_qr_codes', { qrCodes: [poster] }],
            ['change_qr_code', { id: one.id, name: 'New' }],
            ['change_qr_codes', { ids: [one.id], updates: { name: 'New' } }],
            ['save_style', { name: 'Blue', style: {} }],
            ['import_qr_codes', { type: 'URL', csv }],
          ] as const) {
            const { code, message } = await failure(client, tool, { ...input, dryRun })
            assert.equal(code, 'FORBIDDEN', tool)
            assert.match(message, client === viewer ? /requires the role EDITOR/ : /requires the scope/)
          }
      assert.deepEqual(await everyRow(db), before)
      assert.match((await failure(reader, 'get_organization_analytics')).message, /the scope analytics:read/)
    }),
  )

  test(
    'an import runs in the background; a dry run of it creates no codes',
    withApi(async () => {
      const jobs = startImportWorker(db)
      try {
        for (const dryRun of [true, false]) {
          const job = await use<ImportJob>(editor, 'import_qr_codes', { type: 'URL', csv, dryRun })
          assert.deepEqual([job.dryRun, job.totalRows, job.fileName], [dryRun, 2, 'import.csv'])
          await ended(api, { json: () => job } as never)
          const { status, successCount, errors } = await use<ImportJob>(editor, 'get_import', { id: job.id })
          assert.deepEqual([status, successCount, errors[0]?.column], ['COMPLETED', 1, 'url'])
          const { data } = await use<QrCodePage>(editor, 'find_qr_codes')
          assert.equal(data.length, dryRun ? 0 : 1)
        }
      } finally {
        await jobs.stop()
      }
      // Each takes a place for uploads, of which a key has fewer.
      for (let count = 0; count <= limits.uploads.keyMax; count++)
        await use(editor, 'import_qr_codes', { type: 'URL', csv })
    }),
  )

  test(
    'a repeat with the same idempotency key creates nothing more',
    withApi(async () => {
      const input = { qrCodes: [poster], idempotencyKey: 'order-7', dryRun: false }
      const first = await use<Changes>(editor, 'create_qr_codes', input)
      assert.deepEqual(await use<Changes>(editor, 'create_qr_codes', input), first)
      assert.equal((await use<QrCodePage>(editor, 'find_qr_codes')).pagination.total, 1)
      const other = await failure(editor, 'create_qr_codes', {
        ...input,
        qrCodes: [{ ...poster, name: 'B' }],
      })
      assert.equal(other.code, 'CONFLICT')
    }),
  )

  test(
    'every call is in the audit log once, with the key and the request; changes have entries of their own',
    withApi(async () => {
      const one = await createOne(editor)
      await use(editor, 'get_qr_code', { id: one.id })
      await use(editor, 'change_qr_code', { id: one.id, name: 'New' })
      await use(editor, 'change_qr_code', { id: one.id, name: 'Poster', dryRun: false })
      await use(editor, 'change_qr_codes', { ids: [one.id], updates: { name: 'Last' }, dryRun: false })
      await use(editor, 'save_style', { name: 'Blue', style: {}, dryRun: false })
      await use(editor, 'import_qr_codes', { type: 'URL', csv, dryRun: false })
      const { message: _, ...named } = problem('noSuchTool')
      await assert.rejects(callTool(editor, 'delete everything'), { code: -32602, data: named })
      const entries = (await auditLog(api)).toReversed()
      const mine = entries.filter(({ origin }) => origin.via === 'mcp')
      const byRequest = Map.groupBy(mine, ({ origin }) => origin.requestId)
      assert.deepEqual(
        [...byRequest.values()].map((group) =>
          group.map(({ action, target }) => `${action} ${target.name}`).toSorted((a, b) => (a < b ? -1 : 1)),
        ),
        [
          ['mcp.call create_qr_codes', 'qr-code.create Poster'],
          ['mcp.call get_qr_code'],
          ['mcp.call change_qr_code: dry run'],
          ['mcp.call change_qr_code'],
          ['mcp.call change_qr_codes', 'qr-code.update Last'],
          ['mcp.call save_style', 'style.create Blue'],
          ['import.start import.csv', 'mcp.call import_qr_codes'],
          ['mcp.call unknown: NOT_FOUND'],
        ],
      )
      for (const { actor, origin, target, action } of mine) {
        assert.deepEqual(
          [actor.kind, actor.name, origin.userAgent],
          ['api-key', 'EDITOR', 'everscan-tests/1.0'],
        )
        if (action === 'mcp.call') assert.equal(target.kind, 'mcp')
      }
      const filtered = await api.call(
        'GET',
        `/organizations/${api.orgId}/audit-log?action=mcp.call&targetId=change_qr_code`,
        { key: api.keys.ADMIN },
      )
      assert.equal(filtered.json<AuditLogPage>().pagination.total, 2)
    }),
  )

  test(
    'logos are left out of results',
    withApi(async () => {
      const dot =
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
      await use(editor, 'save_style', {
        name: 'Logo',
        style: { logo: { dataUri: `data:image/png;base64,${dot}` } },
        dryRun: false,
      })
      const { data } = await use<{ data: { style: { logo: { dataUri: string } } }[] }>(editor, 'list_styles')
      assert.match(data[0]?.style.logo.dataUri ?? '', /^\(\d+ characters, left out\)$/)
    }),
  )

  test('analytics of a code and of the organization are those of the API', async () => {
    const { scanStore } = await sharedStore()
    await withApi(
      async () => {
        const { id } = await createOne(editor)
        const ofCode = await use<QrCodeAnalytics>(editor, 'get_qr_code_analytics', {
          id,
          startDate: '2026-01-01',
          endDate: '2026-01-07',
          country: ['DE', 'FR'],
        })
        assert.deepEqual([ofCode.qrCodeId, ofCode.timeline.length], [id, 7])
        const all = await use<OrganizationAnalytics>(editor, 'get_organization_analytics', {
          interval: 'month',
        })
        assert.deepEqual([all.organizationId, all.summary.totalQrCodes], [api.orgId, 1])
      },
      { store: scanStore },
    )()
  })

  test(
    '503: without the scan store, analytics say so, and the call is recorded',
    withApi(async () => {
      assert.equal((await failure(editor, 'get_organization_analytics')).statusCode, 503)
      assert.deepEqual(await callsOf(api), ['get_organization_analytics: UNAVAILABLE'])
    }),
  )
})

onPostgres('the audit log over MCP', (open) => {
  test('a change and the entry of its call are in one transaction', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const client = await connectMcp(await listen(api), api.keys.EDITOR)
    const one = await createOne(client)
    await use(client, 'change_qr_code', { id: one.id, name: 'New', dryRun: false })
    await use(client, 'save_style', { name: 'Blue', style: {}, dryRun: false })
    await use(client, 'import_qr_codes', { type: 'URL', csv, dryRun: false })
    // `xmin` is the transaction that wrote a row.
    const rows = await db.kysely
      .selectFrom('audit_log')
      .select((select) => ['request_id as requestId', select.ref('xmin' as 'via').as('transaction')])
      .where('via', '=', 'mcp')
      .execute()
    const groups = [...Map.groupBy(rows, ({ requestId }) => requestId).values()]
    assert.equal(groups.length, 4)
    for (const [first, second] of groups) assert.equal(first?.transaction, second?.transaction)
  })
})
