import { join } from 'node:path'
import type { Config } from './settings.ts'

/** The folders of scans in files. */
export type ScanFilePlaces = {
  folder: string
  /** Of files of Parquet, by month. */
  segments: string
  /** Of the index of first visits, which can be deleted at any time. */
  visits: string
  /** Of records of batches. On the disk of the journals: both are full at the same time. */
  records: string
}

export function scanFilePlaces({ dataDir }: Pick<Config, 'dataDir'>): ScanFilePlaces {
  const folder = join(dataDir, 'scan-files')
  return {
    folder,
    segments: join(folder, 'segments'),
    visits: join(folder, 'visits'),
    records: join(dataDir, 'journal', 'scans'),
  }
}
