import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCodeHistory } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import sharp from 'sharp'
import { insertBatch } from '../../analytics/insert/insert.ts'
import { blockOf, randomScans } from '../../analytics/testing/scan-rows.ts'
import { closedOwnerOf } from '../../analytics/store/closed-owner.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { updateUser } from '../../catalogue/accounts/users.ts'
import { bootstrap } from '../../catalogue/installation/bootstrap.ts'
import { markOperator, operatorOrganization } from '../../catalogue/installation/operator.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import type { Database } from '../../db/database.ts'
import { addOwedAnswers } from '../../db/scans/scan-limits.ts'
import { onPostgres, onSqlite } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { recountAll } from '../../ingest/clickhouse/recount.ts'
import { openTestApi, somePerson, testAccountTools, testConfig, type TestApi } from '../testing/api.ts'
import {
  archivedIds,
  comparableFiles,
  exportArchive,
  importDirectly,
  importEnded,
  ofNobody,
  proveDomains,
  sendArchive,
  startArchiveWorker,
  withIds,
} from '../testing/archives.ts'
import { filesOfZip, zipOf } from '../testing/zip.ts'
import { keepIds } from '../../product/imports/archives/keep-ids.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'

const [there, here] = await Promise.all([startTestStore(), startTestStore()])
after(there.remove)
after(here.remove)
const random = randomFrom(testSeed())
const { signal } = new AbortController()

onSqlite('an archive', (openSqlite) => {
  onPostgres('and another catalogue', (openPostgres) => {
    const ways = [
      ['SQLite', 'PostgreSQL', openSqlite, openPostgres],
      ['PostgreSQL', 'SQLite', openPostgres, openSqlite],
    ] as const
    for (const [from, to, openFrom, openTo] of hasVariants ? ways : ways.slice(0, 1)) {
      test(`of ${from} is the same archive after its import with new ids on ${to}`, async () => {
        const source = await openSource(await openFrom())
        const archive = await exportArchive(source)
        const db = await openTo()
        const target = await openTestApi(db, { store: here.scanStore })
        const { session, userId } = await somePerson(db, 'Ada')
        await updateUser(db, userId, { language: 'fr' })
        await db.kysely
          .updateTable('organizations')
          .set({ slug: 'other' })
          .where('slug', '=', 'mine')
          .execute()

        const dry = await sendArchive(target, archive, { session, query: '?dryRun=true' })
        assert.equal(dry.statusCode, 200, dry.body)
        const { total, leftOut, ...checked } = dry.json<ArchiveImport>()
        assert.deepEqual(leftOut, [])
        assert.deepEqual([checked.id, checked.organizationId, checked.status], [null, null, 'CHECKED'])
        assert.deepEqual({ ...total, hits: 0 }, sourceCounts)

        const startedMs = Date.now()
        const started = await sendArchive(target, archive, { session })
        assert.equal(started.statusCode, 202, started.body)
        const job = started.json<ArchiveImport>()
        const orgId = job.organizationId ?? ''
        assert.deepEqual([orgId === source.orgId, job.ids], [false, 'new'])
        assert.equal(started.headers['location'], `/api/v1/organizations/${orgId}/imports/${job.id}`)
        const jobs = startArchiveWorker(db, here.store)
        const ended = await importEnded(target, job, { session })
        await jobs.stop()
        assert.deepEqual([ended.done, ended.problem, jobs.stats.failures], [total, null, 0])

        const mailed = await db.kysely.selectFrom('views').select('mail_language').execute()
        assert.deepEqual(mailed, [{ mail_language: 'fr' }], 'that of who imports')
        const here2there = new Map(
          [...(await archivedIds(target, job, { session }))].map(([archived, mine]) => [mine, archived]),
        )
        const again = await exportArchive(target, { session, orgId })
        const [original, copy] = [await comparableFiles(archive), await comparableFiles(again)]
        assert.deepEqual(Object.keys(copy), Object.keys(original))
        for (const [name, text] of Object.entries(copy)) {
          assert.equal(ofNobody(withIds(text, here2there)), ofNobody(original[name] ?? ''), name)
          // Every id that stands in the archive has another one here.
          for (const [id] of text.matchAll(/\b(?:org|qr|fld|sty|utm|viw|whk|dom|rul)_[0-9a-z]{26}\b/g))
            assert.ok(here2there.has(id) && here2there.get(id) !== id, `${id} in ${name}`)
        }
        await proveDomains(db, here.store, orgId)
        const mine = await readOrganization(db, orgId)
        assert.ok(mine && mine.createdAtMs >= startedMs, 'the organization begins with the import')
        const lists = await Promise.all(
          [source, { ...target, orgId, keys: {} as TestApi['keys'] }].map(async (one) => {
            const by = one.orgId === orgId ? { session } : { key: source.keys.ADMIN }
            const read = async (path: string) =>
              (await one.call('GET', `/organizations/${one.orgId}${path}`, by)).json<{ data: object[] }>()
                .data
            return { codes: await read('/qr-codes'), folders: await read('/folders') } as {
              codes: QrCode[]
              folders: { name: string; createdAt: string }[]
            }
          }),
        )
        const [theirs, ours] = lists.map(({ codes, folders }) => [
          codes.map(({ name, createdAt, totalScans, uniqueScans, scansBefore }) => [
            name,
            createdAt,
            totalScans,
            uniqueScans,
            scansBefore,
          ]),
          folders.map(({ name, createdAt }) => [name, createdAt]),
        ])
        assert.deepEqual(ours, theirs, 'in the same order')
        const there2here = new Map([...here2there].map(([ownId, archived]) => [archived, ownId]))
        let beyond = 0
        for (const { id } of source.codes) {
          const idHere = there2here.get(id) ?? ''
          const period = '?startDate=2026-02-20&endDate=2026-03-10&interval=day'
          const figures = (org: string, code: string) =>
            `/organizations/${org}/qr-codes/${code}/analytics${period}`
          const before = await source.call('GET', figures(source.orgId, id), { key: source.keys.ADMIN })
          const copied = await target.call('GET', figures(orgId, idHere), { session })
          assert.deepEqual(figuresOf(withIds(copied.body, here2there)), figuresOf(before.body))
          if (id === source.scanned) {
            const { summary } = before.json<{ summary: Record<string, number> }>()
            assert.ok(Number(summary['uniqueScans']) > 20 && Number(summary['closedHits']) > 0, before.body)
          }
          const excesses = await excessesOf(source, source.orgId, id, { key: source.keys.ADMIN })
          assert.deepEqual(await excessesOf(target, orgId, idHere, { session }), excesses)
          beyond += excesses.length
          const drawn = await source.call('GET', picture(source.orgId, id), { key: source.keys.ADMIN })
          const redrawn = await target.call('GET', picture(orgId, idHere), { session })
          assert.deepEqual(redrawn.rawPayload, drawn.rawPayload)
        }
        assert.equal(beyond, 4)
        const hooks = await target.call('GET', `/organizations/${orgId}/webhooks`, { session })
        assert.equal(hooks.json<{ data: { status: string }[] }>().data[0]?.status, 'DISABLED')

        const conflict = await sendArchive(target, archive, { session })
        assert.equal(conflict.statusCode, 409)
        const error = conflict.json<ErrorBody>()
        assert.equal(error.details?.length, 4)
        assert.match(JSON.stringify(error.details?.[0]), /qr-codes\.jsonl:1.*is assigned here already/)
        assert.equal(await organizationsOf(target, session), 1, 'nothing was written')
      })

      test(`of ${from}, imported with its ids into an empty ${to}, is the same but for its date`, async () => {
        const source = await openSource(await openFrom())
        const archive = await exportArchive(source)
        const db = await openTo()
        const made = await bootstrap(db, { organizationName: 'Mine', email: 'first@example.com' })
        assert.ok(made)
        const job = await importDirectly(
          db,
          archive,
          { organizationId: made.organizationId },
          { keep: keepIds(db, here.scanStore) },
        )
        assert.deepEqual([job.organizationId, job.ids], [source.orgId, 'kept'])
        assert.equal(await operatorOrganization(db), source.orgId, 'the mark goes over')
        assert.equal(await readOrganization(db, made.organizationId), undefined)
        const target = await openTestApi(db, { store: here.scanStore })
        // The helper marks an organization of its own.
        await markOperator(db, source.orgId)
        const by = { key: made.apiKey }
        const jobs = startArchiveWorker(db, here.store)
        const { done } = await importEnded(target, job, by)
        await jobs.stop()
        assert.deepEqual(done, job.total)
        const again = await exportArchive(target, { ...by, orgId: source.orgId })
        assert.deepEqual(await comparableFiles(again), await comparableFiles(archive))
        assert.deepEqual(
          [...(await archivedIds(target, job, by))].filter(([archived, mine]) => archived !== mine),
          [],
        )
        const members = await target.call('GET', `/organizations/${source.orgId}/members`, by)
        assert.match(members.body, /first@example\.com/)
      })
    }
  })
})

onSqlite('the import of an archive', (open) => {
  test('fills an empty organization; 409 once it is not empty, 403 for any other', async () => {
    const source = await openSource(await open())
    const archive = await exportArchive(source)
    const db = await open()
    const target = await openTestApi(db, { store: here.scanStore })
    const key = target.keys.ADMIN
    const query = `?organizationId=${target.orgId}`
    const started = await sendArchive(target, archive, { key, query })
    assert.equal(started.statusCode, 202, started.body)
    const twice = await sendArchive(target, archive, { key, query })
    assert.equal(twice.statusCode, 409, 'while the first one runs')
    const jobs = startArchiveWorker(db, here.store)
    const { organizationId, done } = await importEnded(target, started.json<ArchiveImport>(), { key })
    await jobs.stop()
    assert.deepEqual([organizationId, done.qrCodes], [target.orgId, 7])
    const ids = new Map(
      [...(await archivedIds(target, started.json<ArchiveImport>(), { key }))].map(([old, mine]) => [
        mine,
        old,
      ]),
    )
    assert.equal(ids.get(target.orgId), source.orgId)
    const {
      'organization.json': _,
      'README.txt': __,
      ...files
    } = await comparableFiles(await exportArchive(target))
    const original = await comparableFiles(archive)
    for (const [name, text] of Object.entries(files))
      assert.equal(ofNobody(withIds(text, ids)), ofNobody(original[name] ?? ''), name)
    const again = await sendArchive(target, archive, { key, query })
    assert.match(again.body, /only an empty organization, and this one has qr codes/)
    assert.equal(again.statusCode, 409)

    const stranger = await somePerson(db, 'Eve')
    const editor = await somePerson(db, 'Ed', { organizationId: target.orgId, role: 'EDITOR' })
    for (const by of [
      { key: target.keys.foreign },
      { key: target.keys.EDITOR },
      { session: stranger.session },
      { session: editor.session },
    ]) {
      const refused = await sendArchive(target, archive, { ...by, query })
      assert.equal(refused.statusCode, 403, refused.body)
    }
    const unnamed = await sendArchive(target, archive, { key })
    assert.match(unnamed.body, /organizationId/)
    assert.equal(unnamed.statusCode, 400)
  })

  test('leaves out what is taken here, with its versions and scans; pictures fit the address', async () => {
    const source = await openSource(await open())
    const archive = await exportArchive(source)
    const db = await open()
    const longer = 'https://codes.a-much-longer-name.example.com/somewhere/below'
    const config = { ...testConfig, publicUrl: longer }
    const target = await openTestApi(db, { store: here.scanStore, config })
    const [taken, ...others] = source.codes
    assert.ok(taken)
    const made = await target.call('POST', `/organizations/${target.foreignOrgId}/qr-codes`, {
      key: target.keys.foreign,
      payload: { ...poster, shortCode: taken.shortCode.toLowerCase() },
    })
    assert.equal(made.statusCode, 201, made.body)
    const key = target.keys.ADMIN
    const query = `?organizationId=${target.orgId}&leaveOut=true`
    const started = await sendArchive(target, archive, { key, query })
    assert.equal(started.statusCode, 202, started.body)
    const job = started.json<ArchiveImport>()
    assert.deepEqual(
      [job.leftOutCount, job.leftOut[0]?.shortCode, job.samePictures],
      [1, taken.shortCode, false],
    )
    const jobs = startArchiveWorker(db, here.store, { url: longer })
    const ended = await importEnded(target, job, { key })
    await jobs.stop()
    assert.deepEqual(ended.done, job.total)
    assert.equal(ended.done.qrCodes, others.length)
    await proveDomains(db, here.store, target.orgId)
    const ids = await archivedIds(target, job, { key })
    assert.equal(ids.get(taken.id), undefined)
    const rows = await here.store.select<{ id: string }>(
      'select distinct qr_code_id as id from scans where organization_id = {organizationId:String}',
      { organizationId: target.orgId },
    )
    assert.deepEqual(
      rows.filter(({ id }) => id === ids.get(source.scanned)).length,
      taken.id === source.scanned ? 0 : 1,
    )
    for (const { id } of others) {
      const path = picture(target.orgId, ids.get(id) ?? '')
      assert.equal((await target.call('GET', path, { key })).statusCode, 200)
    }
  })

  test('400 for what is no archive, is damaged, or has lines that nobody could have stored', async () => {
    const source = await openSource(await open())
    const archive = await exportArchive(source)
    const db = await open()
    const target = { ...(await openTestApi(db, { store: here.scanStore })), db }
    const key = target.keys.ADMIN
    const query = `?organizationId=${target.orgId}&dryRun=true`
    const damaged = Buffer.from(archive)
    // In the packed bytes of the codes.
    const at = archive.indexOf('qr-codes.jsonl') + 100
    damaged.fill(0, at, at + 20)
    for (const [file, problem] of [
      [undefined, /file: is required/],
      [Buffer.from('no zip'), /whole zip archive/],
      [archive.subarray(0, -100), /whole zip archive/],
      [damaged, /file: /],
      [await zipOf({ 'a.txt': 'a' }), /organization\.json/],
      [await changed(archive, 'organization.json', (text) => text.replace('": 2,', '": 3,')), /upgrade/],
    ] as const) {
      const refused = await sendArchive(target, file, { key, query })
      assert.equal(refused.statusCode, 400, refused.body)
      assert.match(refused.body, problem)
    }
    const field = await sendArchive(target, archive, { key, query, fields: { type: 'URL' } })
    assert.match(field.body, /type.*not a known field/)
    for (const [file, from, to, reason] of [
      ['qr-codes.jsonl', 'https://example.com/one', 'javascript:alert(1)', /data\.url/],
      ['qr-codes.jsonl', 'm=19456,t=2', 'm=1945600,t=2', /passwordHash/],
      ['qr-codes.jsonl', '"mask":', '"mask":1', /mask/],
      ['styles.jsonl', 'data:image/png;base64,', 'data:image/png;base64,AAAA', /logo/],
      ['history.jsonl', 'https://example.com/one', 'javascript:alert(1)', /data\.url/],
      ['webhooks.jsonl', 'https://hooks.example.com', 'https://127.0.0.1', /url/],
      ['folders.jsonl', 'Inner', 'To\\u0000p', /U\+0000/],
      ['scans/2026-02.jsonl', '"human"', '"alien"', /class/],
    ] as const) {
      const bad = await changed(archive, file, (text) => text.replace(from, to))
      const { leftOut } = await importDirectly(
        target.db,
        bad,
        { organizationId: target.orgId },
        { dryRun: true },
      )
      assert.equal(leftOut[0]?.file, file)
      assert.match(leftOut[0]?.reason ?? '', reason)
    }
    const left = await sendArchive(target, archive, { key, query })
    assert.equal(left.json<ArchiveImport>().leftOutCount, 0)
  })
})

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/one' } }

const picture = (org: string, code: string) => `/organizations/${org}/qr-codes/${code}/download?format=png`

/** An organization with everything that an archive has, and with scans. */
async function openSource(db: Database): Promise<TestApi & { codes: QrCode[]; scanned: string }> {
  const api = await openTestApi(db, {
    store: there.scanStore,
    accounts: testAccountTools({ mailer: async () => true }),
  })
  const { orgId, keys, call } = api
  const send = async <Made = { id: string }>(
    path: string,
    payload: object,
    method: 'POST' | 'PUT' = 'POST',
  ) => {
    const answer = await call(method, `/organizations/${orgId}${path}`, { key: keys.ADMIN, payload })
    assert.ok(answer.statusCode < 300, answer.body)
    return answer.json<Made>()
  }
  const pixels = { width: 40, height: 30, channels: 3 as const, background: '#336699' }
  const png = await sharp({ create: pixels }).png().toBuffer()
  const logo = { dataUri: `data:image/png;base64,${png.toString('base64')}` }
  await send('', { publicName: 'Trattoria', logo: logo.dataUri }, 'PUT')
  const top = await send('/folders', { name: 'Top' })
  const inner = await send('/folders', { name: 'Inner', parentId: top.id })
  await send('/styles', { name: 'Blue', style: { errorCorrection: 'H', logo }, isDefault: true })
  await send('/utm-templates', { name: 'Flyer', source: 'flyer' })
  await send('/webhooks', { url: 'https://hooks.example.com/a', events: ['*'], description: 'Mine' })
  const rules = [
    { name: 'Germans', when: { countries: ['DE'] }, data: { url: 'https://example.com/de' } },
    {
      name: 'Test',
      split: [
        { name: 'A', weight: 1, data: { url: 'https://example.com/a' } },
        { name: 'B', weight: 2, data: { url: 'https://example.com/b' } },
      ],
    },
  ]
  const first = await send<QrCode>('/qr-codes', { ...poster, rules, tags: ['b', 'a'] })
  // As if it had moved here.
  await db.kysely.updateTable('qr_codes').set({ scans_before: 40 }).where('id', '=', first.id).execute()
  await send(`/qr-codes/${first.id}`, { data: { url: 'https://example.com/two' }, passQuery: true }, 'PUT')
  await send(`/qr-codes/${first.id}`, { ...poster, name: 'Poster 3', rules: [], type: undefined }, 'PUT')
  const access = { password: 'open sesame', scanLimit: 5, endsAt: '2099-01-01T00:00:00Z' }
  const plain = { styleId: null, style: { foregroundColor: '#101080' } }
  const limited = { ...poster, ...plain, access, metadata: { a: 'b' }, folderId: inner.id }
  const answered = [await send('/qr-codes', limited)]
  await send('/qr-codes', { type: 'WIFI', name: 'Wi-Fi', data: { ssid: 'x' }, shortCode: 'Own-Code' })
  const archived = await send('/qr-codes', { ...poster, ...plain, name: 'Old', folderId: top.id })
  await send(`/qr-codes/${archived.id}`, { status: 'ARCHIVED' }, 'PUT')
  const domain = await send('/domains', { hostname: 'go.example.com', rootUrl: 'https://example.com/' })
  // As if its proof had been found.
  await db.kysely.updateTable('domains').set({ status: 'ACTIVE', proved_at_ms: 1 }).execute()
  const menu = { ...poster, ...plain, name: 'Menu', shortCode: 'MENU', domainId: domain.id }
  answered.push(await send('/qr-codes', { ...menu, access: { scanLimit: 5 } }))
  // Without the count of the limit, as while the catalogue is away.
  for (const { id: qrCodeId } of answered)
    for (const nowMs of [1_000, 100_000])
      await addOwedAnswers(db, { organizationId: orgId, qrCodeId }, { answers: 4, nowMs })
  const exact = await send('/domains', { hostname: 'old.example.com', codes: 'exact' })
  await db.kysely.updateTable('domains').set({ status: 'ACTIVE', proved_at_ms: 1 }).execute()
  for (const shortCode of ['aB/c.d', 'Ab/c.d'])
    await send('/qr-codes', { ...poster, ...plain, name: shortCode, shortCode, domainId: exact.id })
  const query = { period: 'last-month', timezone: 'Europe/Berlin', qrCodeId: first.id }
  await send('/views', { name: 'Posters', query, mail: { to: ['a@example.com'], every: 'week' } })
  await addScans(db, api, first)
  const { data } = (await call('GET', `/organizations/${orgId}/qr-codes`, { key: keys.ADMIN })).json<{
    data: QrCode[]
  }>()
  return { ...api, codes: data.toSorted((a, b) => (a.id < b.id ? -1 : 1)), scanned: first.id }
}

async function excessesOf(
  { call }: TestApi,
  organizationId: string,
  code: string,
  by: object,
): Promise<QrCodeHistory['limitExcesses']> {
  const answer = await call('GET', `/organizations/${organizationId}/qr-codes/${code}/history`, by)
  return answer.json<QrCodeHistory>().limitExcesses
}

/** Destinations with as many scans are in the order of ids, which are others after an import. */
function figuresOf(text: string) {
  const { destinations, ...figures } = JSON.parse(text) as { destinations: object[] }
  return { ...figures, destinations: new Set(destinations.map((one) => JSON.stringify(one))) }
}

/** Scans of a code, some by its rules, and of one that was deleted, in two months. */
async function addScans(db: Database, { orgId: organizationId }: TestApi, code: QrCode): Promise<void> {
  const period = { fromMs: Date.UTC(2026, 1, 27), toMs: Date.UTC(2026, 2, 3) }
  const deleted = createId('qr')
  const rules = new Map([
    ['rul_lunch', code.rules[0]?.id],
    ['rul_test', code.rules[1]?.id],
    // Of which the code knows no more.
    ['rul_second', createId('rul')],
  ])
  const rows = randomScans(random, { organizationId, rows: 400, ...period }).map((row) => ({
    ...row,
    city: row.city.replace('\t', ' '),
    // As ingest stores what people found closed.
    ...(random() < 0.1 && {
      organizationId: closedOwnerOf(organizationId),
      class: 'bot' as const,
      botReason: 'Closed',
    }),
    domain: '',
    // As in London.
    longitude: random() < 0.1 ? -0 : row.longitude,
    visitor: `${row.visitor.slice(0, -1)}0`,
    writer: `${organizationId} ${row.writer}`,
    qrCodeId: row.qrCodeId === 'qr_busy' ? code.id : deleted,
    rule: rules.get(row.rule) ?? row.rule,
  }))
  for (const [month, some] of Map.groupBy(rows, ({ timeMs }) => new Date(timeMs).getUTCMonth()))
    await insertBatch(there.store, blockOf(`bat_${organizationId}${month}`, some))
  await recountAll(db, there.store, { signal, codes: 'all' })
}

const sourceCounts = {
  folders: 2,
  styles: 1,
  domains: 2,
  utmTemplates: 1,
  qrCodes: 7,
  versions: 3,
  hits: 0,
  views: 1,
  webhooks: 1,
}

async function organizationsOf({ call }: TestApi, session: string): Promise<number> {
  const answer = await call('GET', '/users/me/organizations', { session })
  return answer.json<{ organizations: unknown[] }>().organizations.length
}

/** An archive with one of its files changed. */
async function changed(archive: Buffer, file: string, change: (text: string) => string): Promise<Buffer> {
  const files = Object.fromEntries(
    [...(await filesOfZip(archive))].map(([name, bytes]) => [name, bytes.toString()]),
  )
  return zipOf({ ...files, [file]: change(files[file] ?? '') })
}
