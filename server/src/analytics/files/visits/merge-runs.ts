import { RunReader, type RunWriter, type VisitRun } from './visit-run.ts'
import { compareKeys, isRemoved } from './visit-record.ts'

/**
 * Writes the records of runs, newest first, as one: of records with the same key, the newest. With
 * `dropsRemoved`, no older run may have a key that was removed, and such records are left out. The
 * event loop goes on after some thousand records. `signal` ends it with an error.
 */
export async function mergeRuns(
  runs: readonly VisitRun[],
  writer: RunWriter,
  { dropsRemoved, signal }: { dropsRemoved: boolean; signal: AbortSignal },
): Promise<void> {
  const readers: RunReader[] = []
  for (const run of runs) {
    const reader = new RunReader(run)
    if (await reader.read()) readers.push(reader)
  }
  for (let least = leastOf(readers); least !== undefined; least = leastOf(readers)) {
    const { records, at } = least
    if (!(dropsRemoved && isRemoved(records, at)) && writer.add(records, at)) {
      await writer.write()
      signal.throwIfAborted()
    }
    for (let index = readers.length - 1; index >= 0; index--) {
      const reader = readers[index]
      if (
        reader === undefined ||
        reader === least ||
        compareKeys(reader.records, reader.at, records, at) !== 0
      )
        continue
      if (!reader.next() && !(await reader.read())) readers.splice(index, 1)
    }
    if (!least.next() && !(await least.read())) readers.splice(readers.indexOf(least), 1)
  }
}

/** Returns the reader of the least key; among those of the same key, that of the newest run. */
function leastOf(readers: readonly RunReader[]): RunReader | undefined {
  let [least] = readers
  for (const reader of readers)
    if (least !== undefined && compareKeys(reader.records, reader.at, least.records, least.at) < 0)
      least = reader
  return least
}
