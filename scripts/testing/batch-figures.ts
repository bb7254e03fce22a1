import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { groupOf, type Batch } from './batches.ts'
import { processorSeconds } from './processor-time.ts'

/** Of a process that ran suites; processor time includes what it started. */
type BatchFigures = { group: string; processorSeconds: number; seconds: number }

/** Has this process append its figures to a file when it ends. */
export function recordFigures(file: string, batch: Batch): void {
  process.once('exit', () => {
    const group = groupOf(batch[0] ?? '')
    const figures = { group, processorSeconds: processorSeconds(), seconds: performance.now() / 1000 }
    appendFileSync(file, `${JSON.stringify(figures satisfies BatchFigures)}\n`)
  })
}

/** Returns the sums of recorded figures, the group with most processor time first. */
export function groupFigures(file: string): (BatchFigures & { processes: number })[] {
  if (!existsSync(file)) return []
  const groups = new Map<string, BatchFigures & { processes: number }>()
  for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const one = JSON.parse(line) as BatchFigures
    const sum = groups.get(one.group) ?? { group: one.group, processes: 0, processorSeconds: 0, seconds: 0 }
    sum.processes++
    sum.processorSeconds += one.processorSeconds
    sum.seconds += one.seconds
    groups.set(one.group, sum)
  }
  return [...groups.values()].toSorted((one, other) => other.processorSeconds - one.processorSeconds)
}
