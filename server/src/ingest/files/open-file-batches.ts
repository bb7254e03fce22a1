import { DeletedBound } from '../../analytics/files/deleted-bound.ts'
import type { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { RecordFiles } from '../../analytics/files/records/record-files.ts'
import { ScanFiles } from '../../analytics/files/scan-files.ts'
import { VisitIndex } from '../../analytics/files/visits/visit-index.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import { FileBatches, type FileBatchesOptions } from './file-batches.ts'

/** The folders of scans in files. Only one process may have them open. */
export type FilePlaces = {
  /** For records of batches. On the disk of the journals: both are full at the same time. */
  recordsFolder: string
  /** For the index of first visits, which can be deleted at any time. */
  visitsFolder: string
}

/** Opens the folders. `FileBatches.recover` must follow. Throws errors of the file system. */
export async function openFileBatches(
  { recordsFolder, visitsFolder }: FilePlaces,
  {
    parquet,
    isOwn,
    ...options
  }: Omit<FileBatchesOptions, 'records' | 'files' | 'visits' | 'bound' | 'folder'> & {
    parquet: ParquetFiles
    /** Whether records in a folder belong to this installation; by default, they do. */
    isOwn?: (dir: string) => boolean
  },
): Promise<FileBatches> {
  const records = new RecordFiles(new RecordLog(recordsFolder, options.clock, isOwn))
  const files = new ScanFiles({ records, parquet })
  return new FileBatches({
    ...options,
    records,
    files,
    visits: await VisitIndex.open({ folder: visitsFolder }),
    bound: await DeletedBound.open(parquet.folder),
    folder: parquet.folder,
  })
}
