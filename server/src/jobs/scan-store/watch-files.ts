import type { FileBatches } from '../../ingest/files/file-batches.ts'
import type { Log } from '../../log.ts'
import type { Chore } from '../start-jobs.ts'

/** Sizes tell soon that a file is gone, for which figures fail. */
const lookMs = 10 * 60_000
/** Each time, files are read for some seconds if they are due. */
const readMs = 60_000
const loggedMax = 20

/** Returns the chores that find missing or damaged files of scans. Ingest recovers them. */
export function watchChores(
  readBatches: () => Pick<FileBatches, 'watchFiles'> | undefined,
  { log, signal }: { log: Log; signal: AbortSignal },
): Chore[] {
  const watch = (how: 'look' | 'readNext') => async (): Promise<void> => {
    const wrong = (await readBatches()?.watchFiles(how, signal)) ?? []
    if (wrong.length > 0)
      log.error(
        { files: wrong.slice(0, loggedMax).map(({ id }) => id), count: wrong.length },
        'files of scans are missing or damaged: their scans are taken from kept records and journals, as at a start',
      )
  }
  return [
    { name: 'lookAtScanFiles', everyMs: lookMs, run: watch('look') },
    { name: 'readScanFiles', everyMs: readMs, run: watch('readNext') },
  ]
}
