import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createLagReader } from './ingest-lag.ts'
import { saveCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { openJournal, type Journal } from '../journal/journal.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { journalStart, readFrames } from '../journal/reader.ts'

const scan = {
  ids: prepareIds({
    organizationId: 'org_1',
    qrCodeId: 'qr_1',
    shortCode: 'QR1',
    domain: '',
    rule: '',
    arm: '',
  }),
  visitor: 'v'.repeat(16),
  network: '203.0.113.0',
  userAgent: 'test',
  referrerHost: '',
  language: 'en',
  app: '',
  hints: 0,
}

async function record(journal: Journal, timesMs: readonly number[]): Promise<void> {
  await Promise.all(
    timesMs.map(
      (timeMs) =>
        new Promise<void>((resolve) => journal.append({ ...scan, timeMs }, { acknowledge: () => resolve() })),
    ),
  )
}

forEachDatabase('ingest lag', (open) => {
  test('is the age of the oldest scan after the checkpoint and the bytes after it, across segments and writers', async (t) => {
    const db = await open()
    const rootDir = mkdtempSync(join(tmpdir(), 'everscan-lag-'))
    const journals = [0, 1].map((front) =>
      openJournal({
        dir: join(rootDir, `front-${front}`),
        rootDir,
        sync: 'always',
        bytesMax: 1 << 30,
        segmentBytesMax: 2_000,
      }),
    )
    t.after(async () => {
      for (const journal of journals) await journal.close()
      rmSync(rootDir, { recursive: true })
    })
    const [first, second] = journals as [Journal, Journal]
    const readLag = createLagReader(db, rootDir)
    assert.deepEqual(await readLag(), { bytes: 0, oldestMs: undefined })

    for (let turn = 0; turn < 60; turn++) await record(first, [5_000 + turn])
    await record(second, [9_000])
    const dir = join(rootDir, 'front-0')
    assert.ok(readdirSync(dir).filter((name) => name.endsWith('.seg')).length > 1)
    const { oldestMs, bytes } = await readLag()
    assert.equal(oldestMs, 5_000)

    const { frames } = await readFrames(dir, journalStart)
    const [, , , fourth] = frames
    assert.ok(fourth !== undefined)
    const { segment, endOffset: offset, sequence } = fourth
    await saveCheckpoint(db, first.writerId ?? '', { segment, offset, sequence })
    const later = await readLag()
    assert.equal(later.oldestMs, 5_004)
    assert.equal(bytes - later.bytes, offset - 64, 'four frames less')

    const end = await readFrames(dir, { segment, offset, sequence })
    await saveCheckpoint(db, first.writerId ?? '', end.position)
    assert.equal((await readLag()).oldestMs, 9_000)
    const rest = await readFrames(join(rootDir, 'front-1'), journalStart)
    await saveCheckpoint(db, second.writerId ?? '', rest.position)
    assert.deepEqual(await readLag(), { bytes: 0, oldestMs: undefined })
  })

  test('without the catalogue, the last known checkpoints apply, because none can move', async (t) => {
    const db = await open()
    const rootDir = mkdtempSync(join(tmpdir(), 'everscan-lag-'))
    const journal = openJournal({
      dir: join(rootDir, 'front-0'),
      rootDir,
      sync: 'interval',
      bytesMax: 1 << 30,
    })
    t.after(async () => {
      await journal.close()
      rmSync(rootDir, { recursive: true })
    })
    await record(journal, [1_000])
    const { position } = await readFrames(join(rootDir, 'front-0'), journalStart)
    await saveCheckpoint(db, journal.writerId ?? '', position)
    const readLag = createLagReader(db, rootDir)
    assert.equal((await readLag()).oldestMs, undefined)
    await db.close()
    await record(journal, [2_000])
    assert.equal((await readLag()).oldestMs, 2_000)
    await assert.rejects(createLagReader(db, rootDir)())
  })
})
