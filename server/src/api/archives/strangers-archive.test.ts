// An archive is a stranger's file: whoever wrote it gets no more by it than by the API.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { archivedScanColumns } from '../../analytics/store/archived-scan-columns.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { operatorOrganization } from '../../catalogue/installation/operator.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { openTestApi, somePerson, type TestApi } from '../testing/api.ts'
import {
  archivedIds,
  exportArchive,
  importDirectly,
  importEnded,
  sendArchive,
  startArchiveWorker,
} from '../testing/archives.ts'
import { filesOfZip, zipOf } from '../testing/zip.ts'
import { archiveOf, codeLine, hitOf, jsonl, makeCode } from '../testing/strangers-archives.ts'
import { keepIds } from '../../product/imports/archives/keep-ids.ts'
import { newImportKey } from '../../product/imports/archives/start-archive-import.ts'

const { scanStore, store, remove } = await startTestStore()
after(remove)

onEitherDatabase("a stranger's archive", (open) => {
  test('with an early time of creation does not make its owner the operator', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const { session } = await somePerson(db, 'Eve')
    const archive = await archiveOf({ createdAt: '2000-01-01T00:00:00.000Z', id: createId('org') })
    const started = await sendArchive(api, archive, { session })
    assert.equal(started.statusCode, 202, started.body)
    const theirs = started.json<ArchiveImport>().organizationId ?? ''
    assert.equal(await operatorOrganization(db), api.orgId)
    const refused = await api.call('GET', `/organizations/${theirs}/installation`, { session })
    assert.equal(refused.statusCode, 404)
    const mine = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    assert.equal(mine.statusCode, 200)
    assert.ok(Number((await readOrganization(db, theirs))?.createdAtMs) > Date.UTC(2020))
    // Nor does the command with --keep-ids, which keeps the time.
    const { userId } = await somePerson(db, 'Mallory')
    const early = await archiveOf({ createdAt: '1999-01-01T00:00:00.000Z', id: createId('org') })
    const owner = { id: userId, name: 'Mallory' }
    const kept = await importDirectly(db, early, { owner }, { keep: keepIds(db, scanStore) })
    const time = (await readOrganization(db, kept.organizationId ?? ''))?.createdAtMs
    assert.equal(time, Date.UTC(1999))
    assert.equal(await operatorOrganization(db), api.orgId)
  })

  test("with another organization's ids gets new ones and shares nothing, also with --keep-ids", async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const victim = await makeCode(api)
    const line = await codeLine(api)
    const forged = { ...line, id: victim.id, shortCode: 'FORGED1' }
    const archive = await archiveOf({
      id: api.orgId,
      files: {
        'qr-codes.jsonl': jsonl(forged),
        'scans/2026-02.jsonl': jsonl([...archivedScanColumns], hitOf(victim.id, 'human', false)),
      },
    })
    const before = await stateOf(api, victim)
    const { session, userId } = await somePerson(db, 'Eve')
    const jobs = startArchiveWorker(db, store)
    for (const [at, start] of [
      async () => (await sendArchive(api, archive, { session })).json<ArchiveImport>(),
      async () => {
        const other = await changed(archive, 'qr-codes.jsonl', (text) => text.replace('FORGED1', 'FORGED2'))
        return importDirectly(
          db,
          other,
          { owner: { id: userId, name: 'Eve' } },
          { keep: keepIds(db, scanStore) },
        )
      },
    ].entries()) {
      const job = await start()
      await importEnded(api, job, { session })
      assert.equal(job.ids, at === 0 ? 'new' : 'kept')
      const ids = await archivedIds(api, job, { session })
      const idHere = ids.get(victim.id) ?? ''
      assert.match(idHere, /^qr_[0-9a-z]{26}$/)
      assert.notEqual(idHere, victim.id)
      assert.notEqual(ids.get(api.orgId), api.orgId)
      const mine = await api.call('GET', `/organizations/${job.organizationId}/qr-codes/${idHere}`, {
        session,
      })
      assert.equal(mine.json<QrCode>().totalScans, 1)
      const rows = await store.select<{ owner: string }>(
        'select distinct organization_id as owner from scans where qr_code_id = {id:String}',
        { id: victim.id },
      )
      assert.deepEqual(rows, [])
    }
    await jobs.stop()
    assert.deepEqual(await stateOf(api, victim), before)
  })

  test('with --keep-ids has none of a deleted code, and none that only the scan store knows', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = await codeLine(api)
    const deleted = await makeCode(api)
    const path = `/organizations/${api.orgId}/qr-codes/${deleted.id}`
    assert.equal((await api.call('DELETE', path, { key: api.keys.ADMIN })).statusCode, 200)
    const scanned = createId('qr')
    await store.command(
      `insert into scans (organization_id, qr_code_id, time, writer, sequence, visitor, class, batch_id)
       values ('org_gone', {scanned:String}, now(), {scanned:String}, 1, toUUID('00000000-0000-0000-0000-000000000001'), 'human', {scanned:String})`,
      { scanned },
    )
    const unused = createId('qr')
    const codes = [deleted.id, scanned, unused].map((id, at) => ({ ...line, id, shortCode: `KEPT${at}` }))
    const archive = await archiveOf({ files: { 'qr-codes.jsonl': jsonl(...codes) } })
    const { session, userId } = await somePerson(db, 'Ada')
    const owner = { id: userId, name: 'Ada' }
    const job = await importDirectly(db, archive, { owner }, { keep: keepIds(db, scanStore) })
    const ids = await archivedIds(api, job, { session })
    assert.deepEqual(
      [deleted.id, scanned, unused].map((id) => ids.get(id) === id),
      [false, false, true],
    )
  })

  test('is refused the hits of codes that are not in it, one reason for each file', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = await codeLine(api)
    const hits = [
      hitOf(line.id, 'human', false),
      ...Array.from({ length: 3 }, () => hitOf(createId('qr'), 'human', false)),
    ]
    const archive = await archiveOf({
      files: {
        'qr-codes.jsonl': jsonl({ ...line, shortCode: 'STRAYS' }),
        'scans/2026-02.jsonl': jsonl([...archivedScanColumns], ...hits),
      },
    })
    const { userId } = await somePerson(db, 'Ada')
    const target = { owner: { id: userId, name: 'Ada' } }
    const { leftOut, leftOutCount, total } = await importDirectly(db, archive, target, { dryRun: true })
    assert.deepEqual([leftOut.length, leftOutCount, total.hits], [1, 3, 1])
    assert.match(leftOut[0]?.reason ?? '', /no code of the archive \(3 hits/)
    assert.deepEqual([leftOut[0]?.file, leftOut[0]?.line], ['scans/2026-02.jsonl', 3])
    await assert.rejects(importDirectly(db, archive, target), { status: 409 })
    const job = await importDirectly(db, archive, target, { leaveOut: true })
    assert.equal(job.total.hits, 1)
  })

  test('has times that are none, and each is refused with its field', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = await codeLine(api)
    const { userId } = await somePerson(db, 'Ada')
    const excess = { answers: 1, beyondLimit: 1, reason: 'catalogueAway' }
    for (const none of [
      '2026-13-01T00:00:00Z',
      '2026-00-01T00:00:00Z',
      '2026-01-32T00:00:00Z',
      '2026-01-01T00:00:60Z',
    ])
      for (const [path, wrong] of [
        ['createdAt', { createdAt: none }],
        ['updatedAt', { updatedAt: none }],
        ['history.changedAt', { history: { ...(line['history'] as object), changedAt: none } }],
        ['limitExcesses[0].at', { limitExcesses: [{ ...excess, at: none }] }],
      ] as const) {
        const files = { 'qr-codes.jsonl': jsonl({ ...line, shortCode: 'TIMES', ...wrong }) }
        const target = { owner: { id: userId, name: 'Ada' } }
        const { leftOut } = await importDirectly(db, await archiveOf({ files }), target, { dryRun: true })
        assert.ok(leftOut[0]?.reason.startsWith(`${path}: `), `${path} ${none}: ${leftOut[0]?.reason}`)
      }
  })

  test('has hits on closed codes as its README says, and no other class for them', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = await codeLine(api)
    const { userId, session } = await somePerson(db, 'Ada')
    const target = { owner: { id: userId, name: 'Ada' } }
    const hits = [hitOf(line.id, 'bot', true), hitOf(line.id, 'human', false), hitOf(line.id, 'bot', false)]
    const files = (some: unknown[]) => ({
      'qr-codes.jsonl': jsonl({ ...line, shortCode: 'CLOSED' }),
      'scans/2026-02.jsonl': jsonl([...archivedScanColumns], ...some),
    })
    for (const wrong of ['human', 'preview', 'prefetch']) {
      const archive = await archiveOf({ files: files([hitOf(line.id, wrong, true)]) })
      const { leftOut } = await importDirectly(db, archive, target, { dryRun: true })
      assert.match(leftOut[0]?.reason ?? '', /class must be bot/)
    }
    const job = await importDirectly(db, await archiveOf({ files: files(hits) }), target)
    const jobs = startArchiveWorker(db, store)
    await importEnded(api, job, { session })
    await jobs.stop()
    const org = job.organizationId ?? ''
    const figures = `/organizations/${org}/qr-codes/analytics?startDate=2026-02-01&endDate=2026-02-28`
    const { summary } = (await api.call('GET', figures, { session })).json<{
      summary: Record<string, number>
    }>()
    assert.deepEqual([summary['totalScans'], summary['closedHits'], summary['botScans']], [1, 1, 1])
    const again = await filesOfZip(await exportArchive(api, { session, orgId: org }))
    const closed = (again.get('scans/2026-02.jsonl')?.toString() ?? '')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((text) => JSON.parse(text) as unknown[])
      .filter((hit) => hit.at(-1) === true)
    assert.deepEqual(
      closed.map((hit) => hit[archivedScanColumns.indexOf('class')]),
      ['bot'],
    )
    assert.match(again.get('README.txt')?.toString() ?? '', /"isClosed".*\n?.*its class is bot/)
  })

  test('is judged in a dry run that the audit log shows, or the log of the account', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const key = api.keys.ADMIN
    const query = `?organizationId=${api.orgId}&dryRun=true`
    const dry = await sendArchive(api, await archiveOf({}), { key, query })
    assert.equal(dry.statusCode, 200, dry.body)
    const log = await api.call('GET', `/organizations/${api.orgId}/audit-log`, { key })
    const [entry] = log.json<{ data: { action: string; fields: string[]; target: { name: string } }[] }>()
      .data
    assert.deepEqual(
      [entry?.action, entry?.fields, entry?.target.name],
      ['import.start', ['dryRun'], 'mine.zip'],
    )
    const { session, userId } = await somePerson(db, 'Eve')
    const program = { session, headers: { 'user-agent': 'a program' } }
    const forNew = await sendArchive(api, await archiveOf({}), { ...program, query: '?dryRun=true' })
    assert.equal(forNew.statusCode, 200, forNew.body)
    await importDirectly(db, await archiveOf({}), { owner: { id: userId, name: 'Eve' } }, { dryRun: true })
    const mine = await api.call('GET', '/users/me/account-log', { session })
    const entries = mine.json<AccountLogPage>().data.filter(({ action }) => action === 'import.dry-run')
    assert.deepEqual(
      entries.map(({ actor, network, userAgent }) => [actor?.kind, network, userAgent]),
      [
        ['system', null, null],
        [undefined, '127.0.0.0/24', 'a program'],
      ],
    )
  })
})

test('the key of a new import names the organization that it fills, or a new one', () => {
  assert.equal(newImportKey({ organizationId: 'org_1' }).organizationId, 'org_1')
  assert.match(newImportKey({ owner: { id: 'usr_1', name: 'Ada' } }).organizationId, /^org_/)
})

async function changed(archive: Buffer, file: string, change: (text: string) => string): Promise<Buffer> {
  const files = [...(await filesOfZip(archive))].map(([name, bytes]) => [
    name,
    name === file ? change(bytes.toString()) : bytes.toString(),
  ])
  return zipOf(Object.fromEntries(files) as Record<string, string>)
}

async function stateOf({ call, orgId, keys }: TestApi, { id }: QrCode): Promise<string[]> {
  const paths = [`/qr-codes/${id}`, `/qr-codes/${id}/analytics`, `/qr-codes/${id}/history`]
  const answers = paths.map((path) => call('GET', `/organizations/${orgId}${path}`, { key: keys.ADMIN }))
  return (await Promise.all(answers)).map(({ body }) => body)
}
