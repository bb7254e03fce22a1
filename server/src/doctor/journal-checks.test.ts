import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { saveIntents } from '../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { openTestJournal, record, someScan } from '../ingest/testing/ingest.ts'
import { journalStart, readFrames } from '../journal/reader.ts'
import { segmentPath } from '../journal/segments.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgeKept, judgeQuota, judgeUnrecorded } from './journal-checks.ts'
import { metricOf } from './metric-values.ts'

const nowMs = Date.UTC(2026, 10, 23)
const position = { segment: 1, offset: 0, sequence: 0 }

forEachDatabase('journal checks', (open) => {
  test('waiting scans are reported with their age; the journal is only read', async (t) => {
    const db = await open()
    const dataDir = scratchDir()
    const given = { catalogue: async () => db, nowMs }
    const of = async (isRunning: boolean) =>
      textOf(await findingOf('journal.lag', contextFor({ DATA_DIR: dataDir }, { ...given, isRunning })))
    assert.match(await of(true), /^ok: none/)
    const journal = openTestJournal(join(dataDir, 'journal'), 'front-0')
    t.after(() => journal.close())
    await record(journal, [someScan({ timeMs: nowMs - 30_000 })])
    assert.match(await of(true), /^ok: \d+ B, the oldest for 30 s/)
    await record(journal, [someScan({ timeMs: nowMs - 30_000 })])
    const late = contextFor({ DATA_DIR: dataDir }, { ...given, isRunning: true, nowMs: nowMs + 600_000 })
    assert.match(
      textOf(await findingOf('journal.lag', late)),
      /^warning: .* 11 minutes: figures are late -> see the checks/,
    )
    assert.match(await of(false), /^notice: .* while the service does not run -> \.\/everscan start/)
  })

  test('batches without an outcome are reported after ten minutes', async () => {
    const db = await open()
    const intent = {
      batchId: 'bat_1',
      writer: 'w',
      from: position,
      to: position,
      partition: '202611',
      rows: 7,
    }
    await saveIntents(db, [intent])
    const of = async (atMs: number) =>
      textOf(
        await findingOf(
          'journal.batches',
          contextFor({ DATA_DIR: scratchDir() }, { catalogue: async () => db, nowMs: atMs }),
        ),
      )
    assert.match(await of(Date.now()), /^ok: 1 in progress/)
    assert.match(await of(Date.now() + 700_000), /^warning: 1 batch with 7 hits .*bat_1 -> start the machine/)
  })
})

test('files that were set aside whole must stay until a start takes them back', async (t) => {
  const dataDir = scratchDir()
  const root = join(dataDir, 'journal')
  const journal = openTestJournal(root, 'front-0')
  t.after(() => journal.close())
  await record(journal, [someScan(), someScan()])
  const dir = join(root, 'front-0')
  const [first, second] = (await readFrames(dir, journalStart)).frames
  const bytes = readFileSync(segmentPath(dir, 1)).subarray(first?.endOffset, second?.endOffset)
  writeFileSync(join(dir, '00000001-64.bad'), bytes)
  writeFileSync(join(dir, '00000001-99.bad'), 'xxxx')
  const of = async (isRunning: boolean) =>
    textOf(await findingOf('journal.damaged', contextFor({ DATA_DIR: dataDir }, { isRunning })))
  assert.match(await of(false), /^notice: 2 files .* -> \.\/everscan start: scans in 1 file are whole/)
  assert.match(await of(true), /^notice: 2 files .* -> leave them: scans in 1 file are whole/)
})

test('damaged places, dead letters and kept rows are reported with their size', async () => {
  const dataDir = scratchDir()
  const of = async (name: string) => textOf(await findingOf(name, contextFor({ DATA_DIR: dataDir })))
  for (const name of ['journal.damaged', 'journal.dead-letters']) assert.equal(await of(name), 'ok: none')
  assert.match(await of('journal.kept-rows'), /^notice: none/)
  mkdirSync(join(dataDir, 'journal', 'front-0'), { recursive: true })
  mkdirSync(join(dataDir, 'journal', 'scans'))
  writeFileSync(join(dataDir, 'journal', 'front-0', '00000001-64.bad'), 'xxxx')
  writeFileSync(join(dataDir, 'journal', 'dead-letters.jsonl'), '{}\n{}\n')
  writeFileSync(join(dataDir, 'journal', 'scans', '00000001.rows'), 'x'.repeat(2048))
  assert.match(
    await of('journal.damaged'),
    /^notice: 1 file with 4 B .*00000001-64\.bad -> after a power loss.*may remove/,
  )
  assert.match(
    await of('journal.dead-letters'),
    /^warning: 2 records .*dead-letters\.jsonl -> report them as a bug/,
  )
  assert.match(await of('journal.kept-rows'), /^ok: 2 KiB of the last/)
  assert.equal(
    judgeKept([{ path: 'a', bytes: 1, changedMs: nowMs - 7_200_000 }], nowMs).says.slice(0, 23),
    '1 B of the last 2 hours',
  )
})

const syncOf = async (env: Record<string, string>) =>
  (await findingOf('journal.sync', contextFor({ DATA_DIR: scratchDir(), ...env }))).state

test('size is compared with JOURNAL_MAX_BYTES and the disk; unrecorded scans and JOURNAL_SYNC are judged', async () => {
  const gib = 1024 ** 3
  const size = { bytes: gib, segments: 16, bytesMax: 10 * gib, freeBytes: 100 * gib }
  assert.equal(judgeQuota(size).state, 'ok')
  assert.match(
    textOf(judgeQuota({ ...size, bytes: 9 * gib })),
    /^failed: .*scans are lost -> .*raise JOURNAL_MAX_BYTES/,
  )
  assert.match(
    textOf(judgeQuota({ ...size, freeBytes: 4 * gib })),
    /^warning: .*space for only 4 GiB more -> free space, or set JOURNAL_MAX_BYTES to 3221225472/,
  )
  assert.equal(judgeUnrecorded(0).state, 'ok')
  assert.match(textOf(judgeUnrecorded(3)), /^failed: .*3 scans were .*not recorded -> check the free space/)
  const metrics =
    'everscan_scans_unrecorded_total{process="front-0"} 2\neverscan_scans_unrecorded_total{process="front-1"} 3\neverscan_other 4\n'
  assert.equal(metricOf(metrics, 'scans_unrecorded_total'), 5)
  assert.equal(metricOf(metrics, 'scans_unrecorded_total', 'process="front-1"'), 3)
  assert.equal(metricOf(metrics, 'scans'), 0)
  assert.deepEqual(
    [await syncOf({}), await syncOf({ JOURNAL_SYNC: 'always' }), await syncOf({ JOURNAL_SYNC: 'never' })],
    ['ok', 'ok', 'warning'],
  )
})
