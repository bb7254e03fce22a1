import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Database } from '../db/database.ts'
import { readInstallationNotes } from '../db/installation.ts'
import {
  addFindings,
  expectFindings,
  readFindings,
  takeOutReturned,
  type Findings,
} from '../db/scans/scan-findings.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { tellFound } from './found-report.ts'
import type { Found, IngestBase } from './ingest-context.ts'
import { emptyStats } from './ingest-stats.ts'
import { silentLog, testGeography } from './testing/ingest.ts'

function workerOn(db: Database, onFound: IngestBase['onFound'] = async () => {}): IngestBase {
  return {
    journalRoot: '',
    db,
    places: testGeography,
    log: silentLog,
    stats: emptyStats(),
    clock: Date.now,
    startedMs: 1,
    isChecked: false,
    mustCheck: false,
    onFound,
    rowsMax: 1,
  }
}

const day = Date.UTC(2026, 2, 1) / 86_400_000
const scansOf = (scans: number, organizationId = 'org_1') => [{ organizationId, scans }]
const nothing: Findings = {
  unknownHits: 0,
  reserved: [],
  putBackHits: 0,
  doubledHits: 0,
  lost: [],
  recounted: [],
  putBack: [],
}

forEachDatabase('findings', (open) => {
  test('are told by one of two workers that tell at once', async () => {
    const db = await open()
    const other = await open({ same: db })
    for (let round = 1; round <= 5; round++) {
      await addFindings(db, { unknownHits: 3, reserved: ['QR'], lost: [{ day, hits: 2 }] })
      const told: Found[] = []
      const workers = [db, other].map((one) => workerOn(one, async (_, found) => void told.push(found)))
      await Promise.all(workers.map(tellFound))
      assert.deepEqual(
        told.map(({ unknownHits, reserved }) => [unknownHits, reserved]),
        [[3, ['QR']]],
      )
      assert.equal((await readInstallationNotes(db)).length, 2 * round)
      assert.equal(
        workers.reduce((sum, { stats }) => sum + stats.unknownHits + stats.lostHits, 0),
        5,
      )
    }
  })

  test('stay until everything that belongs to them is recorded', async () => {
    const db = await open()
    await addFindings(db, { putBackHits: 3 })
    const failing = workerOn(db, async () => Promise.reject(new Error('not recorded')))
    await assert.rejects(tellFound(failing), /not recorded/)
    assert.deepEqual([await readInstallationNotes(db), failing.stats.putBackHits], [[], 0])
    assert.deepEqual(await readFindings(db), { ...nothing, putBackHits: 3 })
    await tellFound(workerOn(db))
    assert.equal(await readFindings(db), undefined)
    assert.deepEqual(
      (await readInstallationNotes(db)).map(({ kind, detail }) => [kind, detail]),
      [['scans-put-back', { hits: 3 }]],
    )
  })

  test('add up, but for a part of the store that is looked at again', async () => {
    const db = await open()
    for (const hits of [4, 2])
      await inTransaction(db, async (tx) => {
        await addFindings(tx, { unknownHits: hits, recounted: scansOf(-hits), reserved: [`QR_${hits}`] })
        await expectFindings(tx, 'batch_1', { putBackHits: hits, putBack: scansOf(hits) })
      })
    await expectFindings(db, 'batch_2', { putBackHits: 5, putBack: scansOf(5) })
    assert.deepEqual(await readFindings(db), {
      ...nothing,
      unknownHits: 6,
      reserved: ['QR_2', 'QR_4'],
      putBackHits: 9,
      recounted: scansOf(-6),
      putBack: scansOf(9),
    })
  })

  test('lose what came back, and no more than that', async () => {
    const db = await open()
    const recounted = [...scansOf(-6), ...scansOf(3, 'org_2')]
    await addFindings(db, { lost: [{ day, hits: 7 }], recounted })
    const returned = { days: [{ writer: 'w', day, hits: 5 }], scans: scansOf(4) }
    await takeOutReturned(db, { ...returned, scans: [...returned.scans, ...scansOf(2, 'org_2')] })
    const left = { ...nothing, lost: [{ day, hits: 2 }], recounted: [...scansOf(-2), ...scansOf(3, 'org_2')] }
    assert.deepEqual(await readFindings(db), left)
    await takeOutReturned(db, returned)
    assert.deepEqual(await readFindings(db), { ...nothing, recounted: scansOf(3, 'org_2') })
  })
})
