import type { RecordLog, RecordPlace } from '../insert/record-log.ts'
import type { ScanSegment } from './manifest.ts'
import { namedFilesIn, stateOfFile, type FileState, type NamedFile } from './parquet/look-at-files.ts'
import { parquetPath } from './parquet/parquet-files.ts'
import { stateOfRecord, type SegmentRecord } from './records/record-files.ts'

/** The folder of the files of Parquet, and the records. */
export type ListedFolders = { folder: string; records: RecordLog<SegmentRecord> }

/** A listed file of Parquet, or a listed record, where it is or should be. */
export type ListedPlace = {
  segment: ScanSegment
  /** Undefined for a record that is in no file of records. */
  path: string | undefined
  /** As far as its name, its size and its ends tell. */
  state: FileState
  /** Looks at all of its bytes. */
  readWhole: () => Promise<FileState>
}

export type FoundPlaces = {
  listed: readonly ListedPlace[]
  /** Files of Parquet that are not listed. */
  unlisted: readonly NamedFile[]
  /** Records that are not listed. */
  unlistedRecords: readonly RecordPlace<SegmentRecord>[]
}

/** Compares the files that a manifest lists with those that are there. Changes nothing. */
export async function findPlaces(
  { folder, records }: ListedFolders,
  segments: readonly ScanSegment[],
): Promise<FoundPlaces> {
  const places = new Map<string, RecordPlace<SegmentRecord>>()
  for await (const place of records.places()) places.set(place.id, place)
  const listed: ListedPlace[] = []
  for (const segment of segments) {
    listed.push(
      segment.level === 0
        ? await placeOfRecord(segment, places.get(segment.id))
        : await placeOfFile(segment, parquetPath(folder, segment)),
    )
    places.delete(segment.id)
  }
  const named = await namedFilesIn(folder).catch(noneIfMissing)
  const paths = new Set(listed.map(({ path }) => path))
  return {
    listed,
    unlisted: named.filter(({ path }) => !paths.has(path)),
    unlistedRecords: [...places.values()],
  }
}

async function placeOf(
  segment: ScanSegment,
  path: string | undefined,
  stateOf: (isWhole: boolean) => Promise<FileState>,
): Promise<ListedPlace> {
  return { segment, path, state: await stateOf(false), readWhole: () => stateOf(true) }
}

function placeOfFile(segment: ScanSegment, path: string): Promise<ListedPlace> {
  return placeOf(segment, path, (isWhole) => stateOfFile(path, segment, { isWhole }))
}

async function placeOfRecord(
  segment: ScanSegment,
  place: RecordPlace<SegmentRecord> | undefined,
): Promise<ListedPlace> {
  if (place === undefined) return await placeOf(segment, undefined, async () => 'missing')
  return await placeOf(segment, place.path, (isWhole) => stateOfRecord(place, segment.checksum, { isWhole }))
}

function noneIfMissing(error: unknown): NamedFile[] {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
  throw error
}
