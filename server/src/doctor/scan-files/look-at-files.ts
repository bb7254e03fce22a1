import { setTimeout as sleep } from 'node:timers/promises'
import { findPlaces, type FoundPlaces, type ListedPlace } from '../../analytics/files/listed-places.ts'
import { isRemovable, type Manifest, type ScanSegment } from '../../analytics/files/manifest.ts'
import { readSegmentFile, type NamedFile } from '../../analytics/files/parquet/look-at-files.ts'
import type { SegmentRecord } from '../../analytics/files/records/record-files.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import { readRetention } from '../../db/scans/scan-counters.ts'
import { readListed } from '../../ingest/files/segment-catalogue.ts'
import { journalRefusal } from '../../processes/journal-owners.ts'
import { readIdentity } from '../../processes/identity-file.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'
import { CannotTell } from '../cannot-tell.ts'
import type { DoctorContext, DoctorEngine } from '../context.ts'

/** The files of scans as they are found, beside the manifest. */
export type ListedFiles = FoundPlaces & { manifest: Pick<Manifest, 'segments' | 'deleted'> }

/** How a file is that is not listed. */
export type UnlistedFile = Pick<ScanSegment, 'rows' | 'bytes'> & {
  path: string
  /** `covered`: listed files have its scans. `uncovered`: some are in no other file. */
  state: 'covered' | 'uncovered' | 'damaged'
}

const readMsMax = 6_000
/** Records and files stand a moment before they are listed. */
const againMs = 500

/** Looks at the files that the manifest lists, and at those that it does not. */
export async function lookAtFiles({ config, catalogue }: DoctorContext): Promise<ListedFiles> {
  const manifest = await readListed(await catalogue())
  const { segments: folder, records } = scanFilePlaces(config)
  const installation = readIdentity(config.dataDir)?.installation
  const isOwn = (dir: string) => journalRefusal(dir, installation) === undefined
  const log = { folder, records: new RecordLog<SegmentRecord>(records, Date.now, isOwn) }
  return { ...(await findPlaces(log, manifest.segments)), manifest }
}

/** Reads files whole until the time is up. Returns those that are not good, and how many are. */
export async function readFiles(
  listed: readonly ListedPlace[],
  signal: AbortSignal,
): Promise<{ wrong: ListedPlace[]; read: number }> {
  const wrong = listed.filter(({ state }) => state !== 'good')
  const untilMs = performance.now() + readMsMax
  let read = wrong.length
  for (const place of listed) {
    if (place.state !== 'good') continue
    if (performance.now() > untilMs || signal.aborted) break
    const state = await place.readWhole()
    if (state !== 'good') wrong.push({ ...place, state })
    read++
  }
  return { wrong, read }
}

/** Says of each file that is not listed now and a moment later what will happen to it. */
export async function judgeUnlistedFiles(
  context: DoctorContext,
  engine: DoctorEngine,
): Promise<UnlistedFile[]> {
  const first = await lookAtFiles(context)
  if (first.unlisted.length + first.unlistedRecords.length === 0) return []
  await sleep(againMs)
  const { manifest, unlisted, unlistedRecords } = await lookAtFiles(context)
  const before = new Set([...first.unlisted, ...first.unlistedRecords].map(({ id }) => id))
  const { beforeMs = 0 } = (await readRetention(await context.catalogue())) ?? {}
  const options = { isVerified: () => true, deletedBeforeMs: beforeMs }
  const stateOf = (segment: ScanSegment) =>
    isRemovable(segment, manifest, options) ? 'covered' : 'uncovered'
  const files: UnlistedFile[] = unlistedRecords
    .filter(({ id }) => before.has(id))
    .map((record) => ({ ...record, state: stateOf({ ...record, checksum: record.crc }) }))
  for (const file of unlisted.filter(({ id }) => before.has(id))) {
    const segment = await readUnlisted(engine, file)
    if (segment === 'gone') continue
    const { rows, bytes } = segment ?? { rows: 0, bytes: 0 }
    files.push({ path: file.path, rows, bytes, state: segment === undefined ? 'damaged' : stateOf(segment) })
  }
  return files
}

/** The service removes files meanwhile. */
async function readUnlisted(
  engine: DoctorEngine,
  file: NamedFile,
): Promise<ScanSegment | undefined | 'gone'> {
  try {
    return await readSegmentFile(engine, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'gone'
    throw error
  }
}

/**
 * Asks the engine for facts of all listed scans. Throws `CannotTell` if it cannot read a file: the
 * check of files names it.
 */
export async function askFiles<Value>(
  { engine }: DoctorContext,
  ask: (engine: DoctorEngine) => Promise<Value>,
): Promise<Value> {
  const opened = await engine()
  try {
    return await ask(opened)
  } catch (error) {
    throw new CannotTell(
      'the engine cannot read the files of scans',
      'see what "Files of scans" says, and the log of engine',
      { cause: error },
    )
  }
}
