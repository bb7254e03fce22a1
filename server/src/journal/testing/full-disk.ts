// A test process for a small disk: fills it, makes room, and prints the outcome of the scans.
// Arguments: folder, sync, a file that takes room and is removed later (optional).
import { rmSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { openJournal } from '../journal.ts'
import { noneSent, readAll, scanOf, send, turn } from './journal.ts'
import { deepEqual } from 'node:assert/strict'
import type { JournalSync } from '../../settings/settings.ts'

const [, , dir = '', sync = 'interval', ballast = ''] = process.argv
const journal = openJournal({ dir, sync: sync as JournalSync, bytesMax: 1e9 })
const sent = noneSent()
const sendTurns = async (turns: number): Promise<void> => {
  for (let count = 0; count < turns; count++) {
    send(journal, sent, 20)
    await turn()
  }
}
await sendTurns(400)
await delay(300)
const wasDegraded = journal.stats().degraded
if (ballast !== '') rmSync(ballast)
const freedMs = performance.now()
while (journal.stats().degraded && performance.now() - freedMs < 10_000) await delay(20)
const recoveryMs = performance.now() - freedMs
const before = sent.refused.size
await sendTurns(20)
await journal.close()
const refusedAfter = sent.refused.size - before
const { frames } = await readAll(dir)
for (const { scan } of frames) deepEqual(scan, scanOf(scan.timeMs))
const { appended, unrecorded } = journal.stats()
const read = new Set(frames.map(({ scan }) => scan.timeMs))
console.log(
  JSON.stringify({
    wasDegraded,
    recoveryMs,
    refusedAfter,
    sent: sent.count,
    appended,
    unrecorded,
    frames: frames.length,
    lost: [...sent.recorded].filter((index) => !read.has(index)).length,
  }),
)
