import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Move, MovePage } from '@everscan/contract/moves/moves.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { LightMyRequestResponse } from 'fastify'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Jobs } from '../../jobs/start-jobs.ts'
import { endedMove, formOf, startImportWorker } from '../testing/imports.ts'
import { eventRecord } from '../../product/records/event-records.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'

const shlinkCsv = [
  'createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits',
  '2024-03-05T10:20:30+01:00,s.example.com,Spring-1,https://s.example.com/Spring-1,https://example.com/1,"Spring, the ""first""",print|spring,1200',
  '2024-03-06T00:00:00+00:00,s.example.com,plain,https://s.example.com/plain,https://example.com/2,,,0',
  '2024-03-06T00:00:00+00:00,s.example.com,abc,https://s.example.com/abc,https://example.com/3,Short,,5',
  '2024-03-06T00:00:00+00:00,s.example.com,spring-I,https://s.example.com/spring-I,https://example.com/4,Twin,,5',
  '2024-03-06T00:00:00+00:00,s.example.com,files,https://s.example.com/files,ftp://example.com/5,Old,,5',
].join('\n')

onEitherDatabase('moves', (open) => {
  let api: TestApi

  /** Runs a test with an API and a running worker. */
  const withWorker = (work: (db: Database) => Promise<void>) => async () => {
    const db = await open()
    api = await openTestApi(db)
    const jobs: Jobs = startImportWorker(db)
    try {
      await work(db)
    } finally {
      await jobs.stop()
    }
  }

  async function send(
    file: string | Buffer,
    fields: Readonly<Record<string, string>>,
    { key = api.keys.EDITOR, idempotencyKey }: { key?: string; idempotencyKey?: string } = {},
  ): Promise<LightMyRequestResponse> {
    const { payload, headers } = await formOf({ file, fields, fileName: 'links.csv', mediaType: 'text/csv' })
    return api.call('POST', `/organizations/${api.orgId}/moves`, {
      key,
      payload,
      headers: { ...headers, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
    })
  }
  const get = async <T>(path: string) => {
    const answer = await api.call('GET', `/organizations/${api.orgId}${path}`, { key: api.keys.VIEWER })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json<T>()
  }
  const codes = async () =>
    (await get<{ data: QrCode[] }>('/qr-codes?limit=100')).data.sort((a, b) => (a.name < b.name ? -1 : 1))

  test(
    'keep short code, title, tags, creation date and clicks, and say why a link cannot come',
    withWorker(async () => {
      const answer = await send(shlinkCsv, { source: 'shlink' })
      const started = answer.json<Move>()
      assert.match(String(answer.headers['location']), new RegExp(`/moves/${started.id}$`))
      assert.equal(started.preview.length, 5)
      assert.deepEqual(started.preview[0], {
        line: 2,
        shortCode: 'Spring-1',
        destination: 'https://example.com/1',
        title: 'Spring, the "first"',
        tags: ['print', 'spring'],
        createdAt: '2024-03-05T09:20:30.000Z',
        scansBefore: 1200,
        problem: null,
        details: [],
      })
      const short = started.preview[2]
      assert.equal(short?.shortCode, 'abc', 'the code that the link had')
      assert.match(short.problem ?? '', /^shortCode: "abc" cannot be a short code here/)
      assert.deepEqual(short.details, [
        { path: 'shortCode', ...problem('codeFormHere', { code: 'abc', min: 4, max: 32 }) },
      ])
      assert.deepEqual(started.mapping.shortCode, ['shortCode', 'shortUrl'])

      const move = await endedMove(api, answer)
      assert.equal(move.status, 'COMPLETED')
      assert.deepEqual([move.totalRows, move.processedRows, move.successCount, move.errorCount], [5, 5, 2, 3])
      assert.deepEqual(
        move.errors.map(({ line, column, error }) => [line, column, error]),
        [
          [
            4,
            'shortCode',
            'shortCode: "abc" cannot be a short code here: it must have 4 to 32 letters, digits or "-"',
          ],
          [5, 'shortCode', 'shortCode: "spring-I" is the same code as in line 2'],
          [6, 'longUrl', 'destination: must begin with http:// or https://'],
        ],
      )
      const [spring, plain] = await codes()
      assert.equal(plain?.name, 'plain', 'a link without a title has the name of its code')
      assert.equal(spring?.shortCode, 'Spring-1')
      assert.deepEqual(spring.tags.toSorted(), ['print', 'spring'])
      assert.deepEqual(spring.data, { url: 'https://example.com/1' })
      assert.equal(spring.createdAt, '2024-03-05T09:20:30.000Z')
      assert.deepEqual([spring.scansBefore, spring.totalScans, spring.uniqueScans], [1200, 0, 0])

      const again = await endedMove(api, await send(shlinkCsv, { source: 'shlink' }))
      assert.equal(again.successCount, 0)
      assert.match(again.errors[0]?.error ?? '', /"Spring-1" is assigned here already/)

      const { data } = await get<MovePage>('/moves')
      assert.deepEqual(
        data.map(({ id, source }) => [id, source]),
        [
          [again.id, 'shlink'],
          [move.id, 'shlink'],
        ],
      )
      const errors = await api.call('GET', `/organizations/${api.orgId}/moves/${move.id}/errors.csv`, {
        key: api.keys.VIEWER,
      })
      const lines = errors.body.trim().split(/\r?\n/)
      assert.match(lines[0] ?? '', /^\ufeff?createdAt,domain,shortCode,.*,row,error$/)
      assert.equal(lines.length, 4)
      const unknown = await api.call('GET', `/organizations/${api.orgId}/moves/job_x`, {
        key: api.keys.VIEWER,
      })
      assert.equal(unknown.statusCode, 404)
    }),
  )

  test(
    'on an exact domain every short code comes as it was, each to its own destination',
    withWorker(async (db) => {
      const body = { hostname: 'old.example.com', codes: 'exact' }
      const domains = `/organizations/${api.orgId}/domains`
      const made = await api.call('POST', domains, { key: api.keys.ADMIN, payload: body })
      const domain = made.json<{ id: string }>()
      // As if its proof had been found.
      await db.kysely.updateTable('domains').set({ status: 'ACTIVE' }).execute()
      const written = ['aBc', 'abC', 'x', 'a/b.c', 'SPRING-I', 'Spring-1', 'robots.txt']
      const links = written.map((code, index) => `${code},https://example.com/${index}`)
      const file = ['slug,url', ...links].join('\n')
      const move = await endedMove(api, await send(file, { source: 'csv', domainId: domain.id }))
      assert.deepEqual([move.successCount, move.errorCount], [6, 1])
      assert.match(move.errors[0]?.error ?? '', /robots\.txt.*path that every host answers/)
      const found = await codes()
      for (const [index, code] of written.slice(0, 6).entries()) {
        const { shortUrl, data } = found.find((one) => one.shortCode === code) ?? assert.fail(code)
        assert.equal(shortUrl.replace(/^https?:/, ''), `//old.example.com/${code}`)
        assert.deepEqual(data, { url: `https://example.com/${index}` })
      }
      const again = await endedMove(api, await send(file, { source: 'csv', domainId: domain.id }))
      assert.deepEqual([again.successCount, again.errorCount], [0, 7])
    }),
  )

  test(
    'a dry run has the same outcomes and writes nothing',
    withWorker(async () => {
      const move = await endedMove(api, await send(shlinkCsv, { source: 'shlink', dryRun: 'true' }))
      assert.deepEqual([move.dryRun, move.successCount, move.errorCount], [true, 2, 3])
      assert.deepEqual(await codes(), [])
    }),
  )

  test('a move can be cancelled: nothing comes after that, and who cancelled is recorded', async () => {
    const db = await open()
    api = await openTestApi(db)
    const { id } = (await send(shlinkCsv, { source: 'shlink' })).json<Move>()
    const path = `/organizations/${api.orgId}/moves/${id}/cancel`
    const cancel = async (key: string) => api.call('POST', path, { key })
    assert.equal((await cancel(api.keys.VIEWER)).statusCode, 403)
    for (let time = 0; time < 2; time++) {
      const answer = await cancel(api.keys.EDITOR)
      assert.deepEqual([answer.statusCode, answer.json<Move>().status], [200, 'CANCELLED'], answer.body)
    }
    const jobs = startImportWorker(db)
    try {
      const { id: done } = await endedMove(
        api,
        await send('slug,url\nother-1,https://example.com/', { source: 'csv' }),
      )
      assert.equal((await codes()).length, 1)
      const late = await api.call('POST', `/organizations/${api.orgId}/moves/${done}/cancel`, {
        key: api.keys.EDITOR,
      })
      assert.equal(late.statusCode, 409, late.body)
      const log = await api.call('GET', `/organizations/${api.orgId}/audit-log?limit=100`, {
        key: api.keys.ADMIN,
      })
      const entries = log.json<{ data: { action: string }[] }>().data
      assert.equal(entries.filter(({ action }) => action === 'import.cancel').length, 1)
    } finally {
      await jobs.stop()
    }
  })

  test(
    'the end of a move is an event for webhooks and streams, as the list has it',
    withWorker(async (db) => {
      const payload = { url: 'https://example.com/hook', events: ['move.completed', 'move.failed'] }
      const hook = await api.call('POST', `/organizations/${api.orgId}/webhooks`, {
        key: api.keys.ADMIN,
        payload,
      })
      assert.equal(hook.statusCode, 201, hook.body)
      const { id } = await endedMove(api, await send(shlinkCsv, { source: 'shlink' }))
      const [summary] = (await get<MovePage>('/moves')).data
      const pages = await db.kysely.selectFrom('event_pages').selectAll().execute()
      const [page] = pages
      assert.equal(pages.length, 1)
      const [event] = JSON.parse(String(page?.events)) as { event: string; data: { id: string } }[]
      assert.deepEqual([event?.event, event?.data.id], ['move.completed', id])
      const stored = { event: 'move.completed', atMs: 0, qrCodeId: null, data: event?.data }
      const place = { id: 'evt_1', organizationId: api.orgId }
      assert.deepEqual(eventRecord(stored as never, place, 'https://qr.example.com').data, summary)
      assert.ok(!JSON.stringify(event).includes('Spring'), 'no rows of the file')
    }),
  )

  test('with resolve, destinations without a page are warnings, and their links come', async () => {
    const db = await open()
    api = await openTestApi(db)
    const looked: string[] = []
    const page404 = problem('pageAnswers', { status: 404 })
    // As if there were time for three at a time.
    const lookAt = async (urls: readonly string[]) => {
      const now = urls.slice(0, 3)
      looked.push(...now)
      return new Map(now.map((url) => [url, url.endsWith('/2') ? page404 : null] as const))
    }
    const jobs = startImportWorker(db, { lookAt })
    try {
      const rows = Array.from({ length: 7 }, (_, at) => `code-${at}x,https://example.com/${at}`)
      const file = [
        'slug,url',
        ...rows,
        'abc,https://example.com/short',
        'code-8x,ftp://x',
        'code-9x,https://example.com/1',
      ].join('\n')
      for (const dryRun of ['true', 'false']) {
        looked.length = 0
        const move = await endedMove(api, await send(file, { source: 'csv', resolve: 'true', dryRun }))
        assert.deepEqual([move.successCount, move.errorCount, move.warningCount], [8, 2, 1])
        assert.deepEqual([move.resolve, move.lookedRows], [true, 10])
        assert.deepEqual(
          move.warnings.map(({ line, column, error, details }) => [line, column, error, details]),
          [[4, 'url', page404.message, [{ path: 'destination', ...page404 }]]],
        )
        assert.deepEqual(
          move.errors.map(({ line }) => line),
          [9, 10],
        )
        assert.equal(looked.length, 7, 'each address once, and none of a link that cannot come')
      }
      assert.equal((await codes()).length, 8)
    } finally {
      await jobs.stop()
    }
  })

  test('resolve takes at most 10,000 links, and says so', async () => {
    api = await openTestApi(await open())
    const rows = Array.from({ length: 10_001 }, (_, at) => `code-${at}x,https://example.com/`)
    const answer = await send(['slug,url', ...rows].join('\n'), { source: 'csv', resolve: 'true' })
    assert.equal(answer.statusCode, 400, answer.body)
    assert.match(
      answer.json<ErrorBody>().message,
      /resolve: looks at the destinations of at most 10000 links, and the file has 10001/,
    )
    assert.equal((await send('slug,url\nmenu,x', { source: 'csv', resolve: 'maybe' })).statusCode, 400)
  })

  test(
    'files of JSON are read as APIs answer, and columns can be named',
    withWorker(async () => {
      const shlink = {
        shortUrls: {
          data: [
            {
              shortCode: 'json-1',
              longUrl: 'https://example.com/a',
              dateCreated: '2024-01-01T00:00:00+00:00',
              tags: ['a, b', 'c'],
              visitsSummary: { total: 7, nonBots: 5 },
              title: null,
            },
          ],
          pagination: { totalItems: 1 },
        },
      }
      const yourls = {
        links: {
          link_1: { shorturl: 'http://y.example.com/json-2', url: 'https://example.com/b', clicks: '3' },
        },
      }
      const other = [{ Code: 'json-3', Where: 'https://example.com/c', tags: [{ id: 1, name: 'x' }] }]
      const mapping = JSON.stringify({ shortCode: ['Code'], destination: ['Where'] })
      const files: [object, Record<string, string>][] = [
        [shlink, { source: 'shlink' }],
        [yourls, { source: 'yourls' }],
        [other, { source: 'csv', mapping }],
      ]
      for (const [file, fields] of files) {
        const move = await endedMove(api, await send(JSON.stringify(file), fields))
        assert.deepEqual(move.errors, [])
      }
      assert.deepEqual(
        (await codes()).map(({ name, tags, scansBefore }) => [name, tags.toSorted(), scansBefore]),
        [
          ['json-1', ['a, b', 'c'], 7],
          ['json-2', [], 3],
          ['json-3', ['x'], 0],
        ],
      )
    }),
  )

  test(
    'an upload that cannot be read is a 400 that names the field, and leaves nothing',
    withWorker(async () => {
      const wrong: [string | Buffer, Record<string, string>, string, RegExp][] = [
        ['', { source: 'csv' }, 'file', /is empty/],
        ['\ufeff', { source: 'csv' }, 'file', /is empty/],
        [';;;', { source: 'csv' }, 'file', /is empty/],
        ['slug,url\n', { source: 'csv' }, 'file', /has no links/],
        ['\ufeffslug;url\n;;;\n\n', { source: 'csv', dryRun: 'true' }, 'file', /has no links/],
        ['[]', { source: 'csv' }, 'file', /has no links/],
        ['{"a":1}', { source: 'csv' }, 'file', /no list of links/],
        ['[{"a":', { source: 'csv' }, 'file', /cannot be read as JSON/],
        ['slug,url\nmenu,"https', { source: 'csv' }, 'file', /never closed/],
        ['a,b\n1,2', { source: 'csv' }, 'mapping.shortCode', /Columns of the file: a, b/],
        ['slug,url\n1,2', { source: 'tinyurl' }, 'source', /source/],
        ['slug,url\n1,2', {}, 'source', /source/],
        ['slug,url\n1,2', { source: 'csv', mapping: '{' }, 'mapping', /must be JSON/],
        ['slug,url\n1,2', { source: 'csv', mapping: '{"colour":["a"]}' }, 'mapping.colour', /colour/],
        ['slug,url\n1,2', { source: 'csv', mapping: '{"title":["x"]}' }, 'mapping.title', /"x"/],
        ['slug,url\n1,2', { source: 'csv', dryRun: 'maybe' }, 'dryRun', /dryRun/],
        ['slug,url\n1,2', { source: 'csv', domainId: 'dom_x' }, 'domainId', /domain/],
        [`slug,url\n${'x'.repeat(2_000_000)},2`, { source: 'csv' }, 'file', /row of more than/],
      ]
      for (const [file, fields, path, message] of wrong) {
        const answer = await send(file, fields)
        assert.equal(answer.statusCode, 400, answer.body)
        const error = answer.json<ErrorBody>()
        assert.match(error.message, message)
        assert.equal(error.details?.[0]?.path, path, answer.body)
      }
      assert.equal(
        (await send('slug,url\nmenu,x', { source: 'csv' }, { key: api.keys.VIEWER })).statusCode,
        403,
      )
      assert.equal((await get<MovePage>('/moves')).pagination.total, 0)
      const huge = `[{"slug":"menu","url":"${'x'.repeat(11 * 1024 * 1024)}"}]`
      assert.equal((await send(huge, { source: 'csv' })).statusCode, 413)
    }),
  )

  test(
    'the same upload with the same Idempotency-Key is one move',
    withWorker(async () => {
      const idempotencyKey = 'move-1'
      const first = await send(shlinkCsv, { source: 'shlink' }, { idempotencyKey })
      const second = await send(shlinkCsv, { source: 'shlink' }, { idempotencyKey })
      assert.equal(second.json<Move>().id, first.json<Move>().id)
      assert.equal((await endedMove(api, first)).successCount, 2)
      const other = await send(shlinkCsv, { source: 'csv' }, { idempotencyKey })
      assert.equal(other.statusCode, 409, other.body)
    }),
  )

  test(
    'a thousand links in Windows-1252 come in several steps, with repeats found across them',
    withWorker(async () => {
      const rows = Array.from(
        { length: 1_200 },
        (_, row) => `c-${String(row)}x;https://example.com/;Käse ${row}`,
      )
      const file = Buffer.from(
        ['slug;url;title', ...rows, 'C-0X;https://example.com/;Twin'].join('\r\n'),
        'latin1',
      )
      const move = await endedMove(api, await send(file, { source: 'csv' }))
      assert.deepEqual([move.totalRows, move.successCount], [1_201, 1_200])
      assert.deepEqual(
        move.errors.map(({ line, error }) => [line, error]),
        [[1_202, 'shortCode: "C-0X" is the same code as in line 2']],
      )
      const found = await get<{ data: QrCode[] }>('/qr-codes?search=K%C3%A4se%201199')
      assert.equal(found.data[0]?.name, 'Käse 1199')
    }),
  )
})
