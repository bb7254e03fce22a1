// A test process: appends scans until it is killed, and prints the number of each acknowledged
// scan.
// Arguments: folder, sync, number of the first scan, scans per turn.
import { writeSync } from 'node:fs'
import { openJournal } from '../journal.ts'
import { preparedScanOf, turn } from './journal.ts'
import type { JournalSync } from '../../settings/settings.ts'

const [, , dir = '', sync = 'interval', first = '1', perTurn = '5'] = process.argv
const journal = openJournal({ dir, sync: sync as JournalSync, bytesMax: 1e9, segmentBytesMax: 40_000 })
let acknowledged: number[] = []
for (let timeMs = Number(first); ;) {
  for (let count = 0; count < Number(perTurn); count++, timeMs++) {
    const number = timeMs
    journal.append(preparedScanOf(number), {
      acknowledge: (recorded) => void (recorded && acknowledged.push(number)),
    })
  }
  await turn()
  if (acknowledged.length === 0) continue
  writeSync(1, `${acknowledged.join('\n')}\n`)
  acknowledged = []
  await new Promise((resolve) => setTimeout(resolve, 1))
}
