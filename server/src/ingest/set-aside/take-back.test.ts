import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { journalStart, readFrames } from '../../journal/reader.ts'
import { segmentHeaderBytes, segmentPath } from '../../journal/segments.ts'
import {
  countersOf,
  openTestJournal,
  record,
  someScan,
  startIngestSuite,
  startTestIngest,
  storedOf,
  until,
} from '../testing/ingest.ts'

const { newCase, remove, store } = await startIngestSuite()
after(remove)

const scansCount = 6
/** The frames that lie whole in a file, though the segment has zeros in their place. */
const lostFrames = [2, 4]

/** Records scans, and does to some of their frames what a reader of earlier releases did. */
async function setAside(
  journalRoot: string,
  organizationId: string,
): Promise<{ dir: string; frames: Buffer[] }> {
  const journal = openTestJournal(journalRoot, 'front-0')
  const scans = Array.from({ length: scansCount }, (_, visitor) => someScan({ organizationId, visitor }))
  await record(journal, scans)
  await journal.close()
  const dir = join(journalRoot, 'front-0')
  const bytes = readFileSync(segmentPath(dir, 1))
  const { frames } = await readFrames(dir, journalStart)
  const ofFrames = frames.map(({ endOffset }, index) =>
    Buffer.from(bytes.subarray(frames[index - 1]?.endOffset ?? segmentHeaderBytes, endOffset)),
  )
  for (const index of lostFrames) {
    const { endOffset = 0 } = frames[index] ?? {}
    const frame = ofFrames[index] ?? Buffer.alloc(0)
    bytes.fill(0, endOffset - frame.length, endOffset)
    writeFileSync(join(dir, `00000001-9${index}.bad`), frame)
  }
  writeFileSync(segmentPath(dir, 1), bytes)
  return { dir, frames: ofFrames }
}

function setAsideIn(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.endsWith('.bad'))
}

forEachDatabase('frames that were set aside although they are whole', (open) => {
  test('are counted once, whatever of them the next start finds again', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    await insertCode(db, organizationId, 'qr_1')
    const { dir, frames } = await setAside(journalRoot, organizationId)
    const ofAll = { qr_1: [scansCount, scansCount] }
    let ingest = await startTestIngest({ journalRoot, db, store })
    await until(() => ingest.stats.rows === scansCount)
    await ingest.stop()
    assert.deepEqual(await countersOf(db), ofAll)
    assert.deepEqual((await storedOf(store, organizationId)).codes, ofAll)
    const damaged = setAsideIn(dir)
    assert.equal(damaged.length, lostFrames.length, 'the zeros in their place are damage')

    // A kill before a file was removed, and a frame whose row the store has under its first name.
    for (const index of [...lostFrames, 1])
      writeFileSync(join(dir, `00000001-7${index}.bad`), frames[index] ?? '')
    const behind = someScan({ organizationId, visitor: 99 })
    const journal = openTestJournal(journalRoot, 'front-1')
    ingest = await startTestIngest({ journalRoot, db, store })
    await until(() => setAsideIn(dir).length === damaged.length)
    await record(journal, [behind])
    await until(() => ingest.stats.rows === 1)
    await ingest.stop()
    await journal.close()
    assert.deepEqual(await countersOf(db), { qr_1: [scansCount + 1, scansCount + 1] })
    assert.deepEqual(setAsideIn(dir), damaged)
  })

  test('are taken whole or not at all, and again after a stop in between', async () => {
    const db = await open()
    const { organizationId, journalRoot } = newCase()
    await insertCode(db, organizationId, 'qr_1')
    const { dir } = await setAside(journalRoot, organizationId)
    // A kill leaves this while the journal of the taken scans is written.
    const unfinished = openTestJournal(dir, 'taken-back.tmp')
    await record(unfinished, [someScan({ organizationId, visitor: 2 })])
    await unfinished.close()
    const ingest = await startTestIngest({ journalRoot, db, store })
    await until(() => ingest.stats.rows === scansCount)
    await ingest.stop()
    assert.deepEqual(await countersOf(db), { qr_1: [scansCount, scansCount] })
    assert.ok(!existsSync(join(dir, 'taken-back.tmp')))
  })
})
