import type { ScanSegment } from '../files/manifest.ts'
import { parquetPath } from '../files/parquet/parquet-files.ts'

/** A part of a file of scans, as copies have it: its bytes follow those of the parts before. */
export type FilePart = { name: string; bytes: Buffer }

/** The folders of entries of a copy: files of Parquet, each in parts, and records of batches. */
export const partsOf = { files: 'files/', records: 'records/' } as const

/** Less than an entry of a copy may have, with the last record of a part. */
export const partBytesMax = 8 * 1024 * 1024

/**
 * Returns the folder of the parts of a file, such as `files/202603/seg_1-0123abcd.parquet/`: behind
 * `files/` it is the place of the file in the folder of all.
 */
export function folderOfParts(segment: Pick<ScanSegment, 'id' | 'checksum' | 'stretches'>): string {
  return `${parquetPath('files', segment)}/`
}
