import type { SequenceSet } from './sequence-set.ts'
import type { Stretch } from './stretches.ts'

/** Sets of sequences, by writer. */
export type Sequences = ReadonlyMap<string, SequenceSet>

/** The scans of one file: all scans of its month in its stretches, which are in order. */
export type PlannedFile = { rows: number; stretches: Stretch[] }

/**
 * Divides the scans of a month into files of at most `rowsMax`, by writer and sequence, so that
 * their stretches are few and disjoint. Sequences that `all`, the scans of all months, do not have
 * are inside a stretch up to the checkpoint of their writer, or if it has none: no journal brings
 * them any more. Those behind a checkpoint are left out, because its journal may still have them.
 */
export function planFiles(
  month: number,
  ofMonth: Sequences,
  options: { all: Sequences; checkpoints: ReadonlyMap<string, number>; rowsMax: number },
): PlannedFile[] {
  const rows = [...ofMonth.values()].reduce((sum, { size }) => sum + size, 0)
  const rowsOfFile = Math.ceil(rows / Math.ceil(rows / options.rowsMax))
  const files: PlannedFile[] = []
  let file: PlannedFile = { rows: rowsOfFile, stretches: [] }
  for (const [writer, sequences] of [...ofMonth].toSorted(byBytes)) {
    const checkpoint = options.checkpoints.get(writer) ?? Infinity
    const stored = options.all.get(writer)
    let last: number | undefined
    let stretch: Stretch | undefined
    sequences.forEach((sequence) => {
      if (file.rows === rowsOfFile) {
        files.push((file = { rows: 0, stretches: [] }))
        stretch = undefined
      }
      const isJoined = last !== undefined && !hasGap(stored, Math.max(last, checkpoint), sequence)
      const from = isJoined && last !== undefined ? last : sequence - 1
      if (stretch?.to === from) stretch.to = sequence
      else file.stretches.push((stretch = { month, writer, from, to: sequence }))
      last = sequence
      file.rows++
    })
  }
  return files
}

/** Whether a sequence between two others is missing. */
function hasGap(stored: SequenceSet | undefined, after: number, before: number): boolean {
  for (let sequence = after + 1; sequence < before; sequence++)
    if (stored?.has(sequence) !== true) return true
  return false
}

/** The order of texts in the engine. */
function byBytes([one]: [string, unknown], [other]: [string, unknown]): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
