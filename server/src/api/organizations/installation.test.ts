import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem as problemOf } from '@everscan/contract/problems/problem.ts'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import {
  claimCopy,
  recordCopyFailed,
  recordCopyMade,
  recordCopyVerified,
} from '../../catalogue/installation/copies.ts'
import { reportMachine } from '../../catalogue/installation/machines.ts'
import type { Database } from '../../db/database.ts'
import { keepEvents, readEventPages, firstPosition } from '../../db/feeds/event-pages.ts'
import { addInstallationNote } from '../../db/installation.ts'
import { changeScanLosses } from '../../db/scans/scan-losses.ts'
import { reserveShortCodes } from '../../db/scans/reserved-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { positionAfterAll } from '../../db/testing/positions.ts'
import { eventRecord } from '../../product/records/event-records.ts'
import { openTestApi, publicUrl, testConfig } from '../testing/api.ts'

const counts = { organizations: 1, codes: 2, scans: 3, frames: 0 }
const hourMs = 3_600_000
const noRoom = problemOf('copyNotMade', { last: 'copyCommandFailed', reason: 'no room' })

async function claimed(db: Database, nowMs: number, doing: 'make' | 'verify' = 'make') {
  const claim = await claimCopy(db, {
    machine: 'one',
    dir: '/backup',
    nowMs,
    leaseMs: 60_000,
    dueTask: ([copy]) =>
      doing === 'make' || copy === undefined ? { doing: 'make', keep: 7 } : { doing, copy },
  })
  assert.ok(claim)
  return claim
}

onEitherDatabase('the installation', (open) => {
  test('without BACKUP_DIR it states that nothing is scheduled', async () => {
    const api = await openTestApi(await open())
    const answer = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    const { release, geography, ...rest } = answer.json<Installation>()
    assert.match(geography.ipv4BuiltAt ?? '', /^20\d\d-\d\d-\d\dT/)
    assert.match(geography.ipv6BuiltAt ?? '', /^20\d\d-\d\d-\d\dT/)
    assert.match(release, /^\d+\.\d+\.\d+/)
    assert.deepEqual(rest, {
      problems: [],
      copies: {
        isScheduled: false,
        dir: null,
        everyHours: 24,
        keep: 7,
        isEncrypted: false,
        problem: null,
        problemDetails: [],
        notice: null,
        noticeDetails: [],
        last: null,
        lastVerified: null,
        recent: [],
      },
      lostScans: null,
      upgrade: null,
      machines: [],
      differences: [],
      differenceDetails: [],
      notes: [],
      reservedCodes: 0,
    })
  })

  test('shows machines, and settings that differ between them, but no fingerprint of an equal secret', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const report = { release: '1.0.0', problem: null, waitingBytes: 5 }
    const settings = { SECRET: 'ab12', RETENTION_DAYS: '30' }
    await reportMachine(db, { ...report, name: 'a', settings }, { isStart: true })
    await reportMachine(
      db,
      { ...report, name: 'b', settings: { ...settings, RETENTION_DAYS: '31' } },
      { isStart: true },
    )
    const answer = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    const { machines, differences } = answer.json<Installation>()
    assert.deepEqual(
      machines.map(({ name, state, release, problem, waitingBytes }) => ({
        name,
        state,
        release,
        problem,
        waitingBytes,
      })),
      ['a', 'b'].map((name) => ({ name, state: 'LIVE', ...report })),
    )
    assert.deepEqual(differences, [
      'RETENTION_DAYS differs between machines: 30 on a, 31 on b. Give all of them one value.',
    ])
    assert.doesNotMatch(answer.body, /ab12/)
  })

  test('shows a copy that lacks scans, which is not the last complete one, and scans that are lost', async () => {
    const db = await open()
    const api = await openTestApi(db, { config: { ...testConfig, backupDir: '/backup' } })
    const nowMs = Date.now()
    const file = { path: '/backup/everscan-1.copy', bytes: 9, nowMs: nowMs - hourMs }
    await recordCopyMade(db, await claimed(db, nowMs - hourMs), { ...file, counts })
    const lacks = problemOf('copyLacksScans', {
      hits: 7,
      firstDay: '2026-03-01',
      lastDay: '2026-03-01',
      writer: 'w',
      scans: 0,
      machines: '',
      damagedBytes: 0,
    })
    const incomplete = lacks.message
    assert.match(incomplete, /^the last copy lacks 7 hits of 2026-03-01 of the writer w: /)
    await recordCopyMade(db, await claimed(db, nowMs), { ...file, nowMs, counts, lacks })
    await changeScanLosses(db, [
      { writer: 'w', day: 20_513, hits: 4 },
      { writer: 'v', day: 20_514, hits: 3 },
    ])
    const answer = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    const { copies, lostScans } = answer.json<Installation>()
    assert.equal(copies.problem, incomplete)
    assert.deepEqual(copies.problemDetails, [{ path: '', ...lacks }])
    assert.equal(copies.last?.state, 'CHECKED')
    assert.deepEqual(
      copies.recent.map(({ state, problem }) => [state, problem]),
      [
        ['PARTIAL', incomplete],
        ['CHECKED', null],
      ],
    )
    assert.deepEqual(lostScans, { hits: 7, firstDay: '2026-03-01', lastDay: '2026-03-02' })
  })

  test('shows the copies, their problem, the events and reserved codes', async () => {
    const db = await open()
    const config = {
      ...testConfig,
      backupDir: '/backup',
      backupEveryHours: 6,
      backupPassphraseFile: '/etc/p',
    }
    const api = await openTestApi(db, { config })
    const nowMs = Date.now()
    const path = '/backup/everscan-1.copy'
    await recordCopyMade(db, await claimed(db, nowMs - hourMs), {
      path,
      bytes: 9,
      counts,
      nowMs: nowMs - hourMs,
    })
    await recordCopyVerified(db, await claimed(db, nowMs, 'verify'), nowMs)
    await recordCopyFailed(db, await claimed(db, nowMs), { problem: noRoom, nowMs })
    await addInstallationNote(db, { kind: 'scans-lost', detail: { days: ['2026-01-02'] } }, nowMs)
    await reserveShortCodes(db, [{ organizationId: api.orgId, qrCodeId: 'qr_1', shortCode: 'ABC234' }])

    const answer = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    const { copies, notes, reservedCodes } = answer.json<Installation>()
    const { last, lastVerified, recent, ...settings } = copies
    assert.deepEqual(settings, {
      isScheduled: true,
      dir: '/backup',
      everyHours: 6,
      keep: 7,
      isEncrypted: true,
      problem: 'no copy could be made: no room',
      problemDetails: [{ path: '', ...noRoom }],
      notice: null,
      noticeDetails: [],
    })
    const at = new Date(nowMs).toISOString()
    assert.deepEqual(last, {
      id: last?.id,
      state: 'VERIFIED',
      madeAt: new Date(nowMs - hourMs).toISOString(),
      machine: 'one',
      path,
      bytes: 9,
      checkedAt: new Date(nowMs - hourMs).toISOString(),
      verifiedAt: at,
      problem: null,
      problemDetails: [],
      organizations: 1,
      codes: 2,
      scans: 3,
    })
    assert.deepEqual(lastVerified, last)
    assert.deepEqual(
      recent.map(({ state, problem }) => [state, problem]),
      [
        ['FAILED', 'no copy could be made: no room'],
        ['VERIFIED', null],
      ],
    )
    assert.deepEqual(notes, [{ at, kind: 'scans-lost', detail: { days: ['2026-01-02'] } }])
    assert.equal(reservedCodes, 1)
  })

  test("404 for an organization that is not the operator's, with the same response as for an unknown id; 403 for an EDITOR", async () => {
    const api = await openTestApi(await open())
    const other = await api.call('GET', `/organizations/${api.foreignOrgId}/installation`, {
      key: api.keys.foreign,
    })
    assert.equal(other.statusCode, 404)
    const unknown = await api.call('GET', `/organizations/${api.foreignOrgId}/folders/fld_unknown`, {
      key: api.keys.foreign,
    })
    const message = (answer: typeof other) => answer.json<{ message: string }>().message
    assert.equal(message(other), message(unknown))
    const editor = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.EDITOR })
    assert.equal(editor.statusCode, 403)
  })

  test('the event of a failure has the same record', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const nowMs = Date.now()
    await keepEvents(db, [api.orgId, api.foreignOrgId], nowMs + hourMs)
    await recordCopyFailed(db, await claimed(db, nowMs), { problem: noRoom, nowMs })
    const pages = await readEventPages(db, [api.orgId, api.foreignOrgId], {
      after: firstPosition,
      before: await positionAfterAll(db),
      sinceMs: 0,
      limit: 10,
    })
    const [page, ...more] = pages
    assert.deepEqual(more, [])
    assert.ok(page?.events[0])
    const record = eventRecord(
      page.events[0],
      { id: 'evt_1', organizationId: page.organizationId },
      publicUrl,
    )
    const shown = await api.call('GET', `/organizations/${api.orgId}/installation`, { key: api.keys.ADMIN })
    assert.deepEqual(
      [record.event, record.organizationId, record.data],
      ['copy.failed', api.orgId, shown.json<Installation>().copies.recent[0]],
    )
  })
})
