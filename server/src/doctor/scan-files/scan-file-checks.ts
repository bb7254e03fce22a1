import { existsSync } from 'node:fs'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { ListedPlace } from '../../analytics/files/listed-places.ts'
import { withoutStretches, type Stretch } from '../../analytics/files/stretches.ts'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import { readState, runPath, statePath } from '../../analytics/files/visits/visit-state.ts'
import { readDiskRoom } from '../../processes/disk-room.ts'
import { lacksFiles } from '../../product/installation/files-identity.ts'
import { scanFilePlaces, type ScanFilePlaces } from '../../settings/scan-file-places.ts'
import { bytesText, countText, someOf } from '../../amounts.ts'
import { failed, naming, notice, ok, warning, type Finding } from '../check.ts'
import type { DoctorContext } from '../context.ts'
import { judgeUnlistedFiles, lookAtFiles, readFiles, type UnlistedFile } from './look-at-files.ts'

/** More than merges ever leave: they begin with 300 records of a month. */
const recordsMax = 1_000
const recordRowsMax = 500_000

/** Findings of the checks of the scan store for one in files. */
export const scanFileFindings = {
  folder: async (context: DoctorContext): Promise<Finding> => {
    const places = scanFilePlaces(context.config)
    return judgeFolders(places, await lacksFiles(await context.catalogue(), places))
  },
  scans: async (context: DoctorContext, signal: AbortSignal): Promise<Finding> => {
    const { listed, unlistedRecords } = await lookAtFiles(context)
    const { wrong, read } = await readFiles(listed, signal)
    const kept = unlistedRecords.flatMap(({ stretches }) => stretches)
    return judgeFiles(wrong, { listed: listed.length, read, kept })
  },
  unlisted: async (context: DoctorContext): Promise<Finding> =>
    judgeUnlisted(await judgeUnlistedFiles(context, await context.engine())),
  merges: async (context: DoctorContext): Promise<Finding> =>
    judgeMerges((await lookAtFiles(context)).manifest.segments),
  firstVisits: async ({ config }: DoctorContext): Promise<Finding> => {
    const { visits } = scanFilePlaces(config)
    const state = await readState(visits)
    const missing = (state?.runs ?? []).filter(({ number }) => !existsSync(runPath(visits, number)))
    const isWritten = state !== undefined || existsSync(statePath(visits))
    return judgeFirstVisits({ isWritten, isWhole: state !== undefined && missing.length === 0 })
  },
  disks: async ({
    config,
  }: DoctorContext): Promise<{ name: string; freeBytes: number; sizeBytes: number }[]> => {
    const { folder, records } = scanFilePlaces(config)
    const rooms = await Promise.all(
      [folder, records].map(async (name) => ({ name, room: await readDiskRoom([name]) })),
    )
    return rooms.flatMap(({ name, room }) => (room === undefined ? [] : [{ name, ...room }]))
  },
}

/** `isLacking`: whether a folder has nothing of what the catalogue lists, see `lacksFiles`. */
export function judgeFolders({ segments, records }: ScanFilePlaces, isLacking: boolean): Finding {
  if (!isLacking) return ok(`${segments} and ${records}`)
  return naming(
    failed(
      `${segments} or ${records} has none of the files that the catalogue lists in it`,
      'stop the service and put the folder back (is a disk not mounted?); if it is lost: ./everscan adopt scan-store',
    ),
    problem('scanStoreEmpty'),
  )
}

/** `kept` is what records have whose scans were merged: a start takes it from there. */
export function judgeFiles(
  wrong: readonly ListedPlace[],
  { listed, read, kept }: { listed: number; read: number; kept: readonly Stretch[] },
): Finding {
  const all = countText(listed, 'file and record', 'files and records')
  if (wrong.length === 0)
    return ok(
      read === listed
        ? `all ${all} are as they were written`
        : `all ${all} are there, and the first ${read.toLocaleString('en')} are as they were written; there was no time to read more`,
    )
  const sorted = wrong.toSorted((one, other) => other.segment.rows - one.segment.rows)
  const names = sorted.map(
    ({ path, segment, state }) => `${path ?? `record ${segment.id}`} (${state}, ${hitsText(segment.rows)})`,
  )
  const hits = wrong.reduce((sum, { segment }) => sum + segment.rows, 0)
  const gone = withoutStretches(
    wrong.flatMap(({ segment }) => segment.stretches),
    kept,
  )
  const says = `${wrong.length} of ${all} are missing or damaged, with ${hitsText(hits)}: ${someOf(names)}`
  return gone.length === 0
    ? warning(
        `${says}; kept records have all of these hits`,
        'restart the service, which takes them from there, and look after the disk',
      )
    : failed(
        says,
        'stop the service, put these files back from a copy of DATA_DIR, and start it; what is not put back, the start takes from kept records and journals, and tells what is lost',
      )
}

export function judgeUnlisted(files: readonly UnlistedFile[]): Finding {
  const of = (state: UnlistedFile['state']) => files.filter((file) => file.state === state)
  const [uncovered, damaged, covered] = [of('uncovered'), of('damaged'), of('covered')]
  const texts = [
    ...(uncovered.length === 0
      ? []
      : [
          `${countText(uncovered.length, 'file has', 'files have')} scans that no listed file has: ${someOf(uncovered.map(({ path, rows }) => `${path} (${hitsText(rows)})`))}`,
        ]),
    ...(damaged.length === 0
      ? []
      : [
          `${countText(damaged.length, 'file is', 'files are')} damaged and counted nowhere: ${someOf(damaged.map(({ path }) => path))}`,
        ]),
  ]
  if (texts.length === 0) return ok(covered.length === 0 ? 'none' : coveredText(covered))
  return uncovered.length > 0
    ? warning(
        texts.join('; '),
        'nothing, if they belong here: the next start counts these scans, or reads them from the journal again; else move the files away before it',
      )
    : notice(texts.join('; '), 'put good ones in their place, if a copy has them; else move them away')
}

function coveredText(covered: readonly UnlistedFile[]): string {
  const bytes = covered.reduce((sum, file) => sum + file.bytes, 0)
  return `${countText(covered.length, 'file and record', 'files and records')} (${bytesText(bytes)}) whose scans others have: files go after an hour, records after three days`
}

export function judgeMerges(segments: readonly ScanSegment[]): Finding {
  const records = segments.filter(({ level }) => level === 0)
  const hits = segments.reduce((sum, { rows }) => sum + rows, 0)
  const waiting = records.reduce((sum, { rows }) => sum + rows, 0)
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0)
  const says = `${hitsText(hits)} in ${bytesText(bytes)}, ${countText(segments.length - records.length, 'file')}; ${countText(records.length, 'record')} with ${hitsText(waiting)} wait for a merge`
  const fullest = Math.max(
    0,
    ...[...Map.groupBy(records, ({ stretches }) => stretches[0]?.month)].map(([, ofMonth]) => ofMonth.length),
  )
  return fullest <= recordsMax && waiting <= recordRowsMax
    ? ok(says)
    : warning(
        `${says}: merges do not keep up, and readers hold these hits in memory`,
        'see the log of worker for mergeScanFiles; give DATA_DIR a faster disk, or the machine more processors',
      )
}

/** It is derived of the stored scans. `isWritten`: whether it has a file yet. */
export function judgeFirstVisits({ isWritten, isWhole }: { isWritten: boolean; isWhole: boolean }): Finding {
  if (!isWritten) return ok('not written yet; the service makes it of the stored scans')
  return isWhole
    ? ok('it is there; the service can make it again of the stored scans')
    : notice(
        'it is damaged: no scan is lost by that',
        'nothing: the next start makes it again of the stored scans',
      )
}

function hitsText(hits: number): string {
  return countText(hits, 'hit')
}
