import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from './database.ts'
import { saveCheckpoint } from './scans/ingest-checkpoints.ts'
import {
  addInstallationNote,
  claimFingerprint,
  ensureInstallation,
  hasHadScans,
  readInstallation,
  readInstallationNotes,
  readVisitorMarks,
  replaceVisitorKey,
  type InstallationNote,
} from './installation.ts'
import { setScanDays } from './scans/scan-days.ts'
import { forEachDatabase } from './testing/databases.ts'

const nowMs = Date.parse('2026-11-23T12:00:00.000Z')
const note: InstallationNote = { kind: 'visitors-by-64', detail: {} }
const kindsOf = async (db: Database) => (await readInstallationNotes(db)).map(({ kind }) => kind)

forEachDatabase('the installation', (open) => {
  test('the first claim of a fingerprint wins, with its notes, and later claims return the winner', async () => {
    const db = await open()
    await ensureInstallation(db)
    const machines = [db, await open({ same: db }), await open({ same: db })]
    const claims = await Promise.all(
      machines.map((machine, at) =>
        claimFingerprint(machine, ['visitorKeyFingerprint', `of ${at}`], { notes: [note], nowMs }),
      ),
    )
    assert.equal(new Set(claims).size, 1, claims.join())
    assert.deepEqual(await kindsOf(db), ['visitors-by-64'])
    const { visitorKeyFingerprint, secretFingerprint } = (await readInstallation(db)) ?? assert.fail()
    assert.deepEqual([visitorKeyFingerprint, secretFingerprint], [claims[0], null])
    await claimFingerprint(db, ['secretFingerprint', 'of SECRET'], { notes: [], nowMs })
    assert.equal((await readInstallation(db))?.secretFingerprint, 'of SECRET')
  })

  test('a new visitor key replaces the previous one and marks the day; other notes are no marks', async () => {
    const db = await open()
    await ensureInstallation(db)
    await replaceVisitorKey(db, 'another', { reason: 'new', nowMs })
    assert.equal((await readInstallation(db))?.visitorKeyFingerprint, 'another')
    for (const [kind, atMs] of [
      ['visitors-by-64', nowMs - 1000],
      ['scans-lost', nowMs - 500],
      ['visitor-key', nowMs + 1000],
    ] as const)
      await addInstallationNote(db, { kind, detail: {} }, atMs)
    const marks = async (startMs: number, endMs: number) =>
      (await readVisitorMarks(db, { startMs, endMs })).map(({ kind, createdAtMs }) => [
        kind,
        createdAtMs - nowMs,
      ])
    assert.deepEqual(await marks(0, nowMs * 2), [
      ['visitors-by-64', -1000],
      ['visitor-key', 0],
      ['visitor-key', 1000],
    ])
    // The end is exclusive.
    assert.deepEqual(await marks(nowMs, nowMs + 1000), [['visitor-key', 0]])
  })

  test('there were scans if a checkpoint or a day has hits', async () => {
    const db = await open()
    assert.equal(await hasHadScans(db), false)
    await setScanDays(db, [{ writer: 'w', day: 20_000, hits: 1 }])
    assert.equal(await hasHadScans(db), true)
    await setScanDays(db, [{ writer: 'w', day: 20_000, hits: 0 }])
    assert.equal(await hasHadScans(db), false)
    await saveCheckpoint(db, 'w', { segment: 1, offset: 2, sequence: 3 })
    assert.equal(await hasHadScans(db), true)
  })
})
