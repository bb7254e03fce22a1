import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allIntents } from '../db/scans/ingest-checkpoints.ts'
import { deadLettersName } from '../ingest/set-aside/dead-letters.ts'
import { wholeSetAside } from '../ingest/set-aside/take-back.ts'
import { createLagReader, type IngestLag } from '../ingest/ingest-lag.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { keptRowsName } from '../ingest/clickhouse/kept-rows.ts'
import { journalBytes } from '../journal/journal-bytes.ts'
import { readDiskRoom } from '../processes/disk-room.ts'
import { bytesText, countText, durationText, someOf } from '../amounts.ts'
import { findProblem } from '../problems/parts.ts'
import { failed, naming, notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import type { DoctorContext } from './context.ts'
import { startFirst } from './context.ts'
import { metricOf } from './metric-values.ts'

const intentMsMax = 10 * 60_000
const lineFeed = 10

export const journalChecks: CheckGroup = {
  title: 'Journal',
  checks: [
    {
      name: 'journal.lag',
      title: 'Waiting scans',
      run: async (context) => {
        const lag = await createLagReader(await context.catalogue(), rootOf(context))()
        return judgeLag(lag, context)
      },
    },
    {
      name: 'journal.quota',
      title: 'Size',
      run: async (context) => {
        const root = rootOf(context)
        const [{ bytes, segments }, disk] = await Promise.all([journalBytes(root), readDiskRoom([root])])
        const { journalBytesMax: bytesMax } = context.config
        return judgeQuota({ bytes, segments, bytesMax, freeBytes: disk?.freeBytes })
      },
    },
    {
      name: 'journal.unrecorded',
      title: 'Unrecorded scans',
      run: async ({ metrics }) => judgeUnrecorded(metricOf(await metrics(), 'scans_unrecorded_total')),
    },
    {
      name: 'journal.sync',
      title: 'JOURNAL_SYNC',
      run: ({ config: { journalSync } }) =>
        journalSync === 'never'
          ? warning(
              'never: a power loss loses scans that the operating system had not written',
              'set JOURNAL_SYNC=interval',
            )
          : ok(journalSync === 'always' ? 'always' : 'interval: a power loss loses at most the last 200 ms'),
    },
    {
      name: 'journal.damaged',
      title: 'Damaged places',
      run: async (context) => {
        const files = await filesBelow(rootOf(context), /\.bad$/)
        const whole = await wholeSetAside(files.map(({ path }) => dirname(path)))
        return judgeDamaged(files, { whole: whole.length, isRunning: context.isRunning })
      },
    },
    {
      name: 'journal.dead-letters',
      title: 'Dead letters',
      run: async (context) =>
        judgeDeadLetters(await linesOf(join(rootOf(context), deadLettersName)), rootOf(context)),
    },
    {
      name: 'journal.kept-rows',
      title: 'Kept rows',
      run: async (context) => {
        const isInFiles = storeKindOf(context.config) === 'files'
        const folder = isInFiles
          ? scanFilePlaces(context.config).records
          : join(rootOf(context), keptRowsName)
        const kept = await filesBelow(folder, /\.rows$/)
        return judgeKept(kept, context.nowMs)
      },
    },
    {
      name: 'journal.batches',
      title: 'Batches without an outcome',
      run: async ({ catalogue, nowMs }) => judgeIntents(await allIntents(await catalogue()), nowMs),
    },
  ],
}

type FoundFile = { path: string; bytes: number; changedMs: number }

function rootOf({ config }: DoctorContext): string {
  return join(config.dataDir, 'journal')
}

export function judgeLag(
  { bytes, oldestMs }: IngestLag,
  { isRunning, nowMs }: Pick<DoctorContext, 'isRunning' | 'nowMs'>,
): Finding {
  if (oldestMs === undefined) return ok('none: all scans are in the scan store')
  const ageMs = Math.max(0, nowMs - oldestMs)
  const says = `${bytesText(bytes)}, the oldest for ${durationText(ageMs)}`
  if (!isRunning) return notice(`${says}, while the service does not run`, startFirst)
  const facts = { told: undefined, isStarted: true, isCountingRestored: false }
  const found = findProblem('ingest', { ...facts, lateMs: ageMs, lateBytes: bytes })
  if (found === undefined) return ok(says)
  return naming(
    warning(`${says}: figures are late`, 'see the checks of the scan store, and the log of worker'),
    found,
  )
}

export function judgeQuota({
  bytes,
  segments,
  bytesMax,
  freeBytes,
}: {
  bytes: number
  segments: number
  bytesMax: number
  freeBytes: number | undefined
}): Finding {
  const says = `${bytesText(bytes)} in ${countText(segments, 'segment')}, of ${bytesText(bytesMax)} (JOURNAL_MAX_BYTES)`
  const found = findProblem('journal', { isDegraded: false, bytes, bytesMax })
  if (found !== undefined)
    return naming(
      failed(
        `${says}: once it is full, redirects go on and scans are lost`,
        'find out why scans wait (journal.lag), or raise JOURNAL_MAX_BYTES',
      ),
      found,
    )
  if (freeBytes !== undefined && bytesMax - bytes > freeBytes)
    return warning(
      `${says}; its disk has space for only ${bytesText(freeBytes)} more`,
      `free space, or set JOURNAL_MAX_BYTES to ${Math.max(2 ** 23, Math.floor((bytes + freeBytes / 2) / 2 ** 20) * 2 ** 20)}`,
    )
  return ok(says)
}

/** Judges the number of unrecorded scans since the start of the service. */
export function judgeUnrecorded(count: number): Finding {
  return count === 0
    ? ok('none since the start')
    : failed(
        `since the start, ${countText(count, 'scan was', 'scans were')} redirected but not recorded`,
        'check the free space and the disk of the journal, and see the log of front for the word journal',
      )
}

/** Judges what was set aside. A start takes back the files that are `whole`, so these must stay. */
export function judgeDamaged(
  files: readonly FoundFile[],
  { whole, isRunning }: { whole: number; isRunning: boolean },
): Finding {
  if (files.length === 0) return ok('none')
  return notice(
    `${countText(files.length, 'file')} with ${bytesText(bytesOf(files))} of unreadable frames: ${someOf(files.map(({ path }) => path))}`,
    whole === 0
      ? 'after a power loss, a damaged end of a journal is normal; otherwise check the disk. You may remove the files'
      : `${isRunning ? 'leave them' : startFirst}: scans in ${countText(whole, 'file')} are whole, and a start takes them back`,
  )
}

export function judgeDeadLetters(lines: number, root: string): Finding {
  if (lines === 0) return ok('none')
  const path = join(root, deadLettersName)
  return warning(
    `${countText(lines, 'record')} that the scan store refused: ${path}`,
    'report them as a bug, with the field "problem" of each line, and move the file away',
  )
}

export function judgeKept(files: readonly FoundFile[], nowMs: number): Finding {
  if (files.length === 0)
    return notice(
      'none: rows that the scan store loses now cannot be put back',
      'nothing: the service keeps rows from the next scans on',
    )
  const oldest = Math.min(...files.map(({ changedMs }) => changedMs))
  return ok(
    `${bytesText(bytesOf(files))} of the last ${durationText(Math.max(0, nowMs - oldest))}: the service can put back these rows if the scan store loses them`,
  )
}

export function judgeIntents(
  open: readonly { batchId: string; writer: string; rows: number; createdAtMs: number }[],
  nowMs: number,
): Finding {
  const old = open.filter(({ createdAtMs }) => nowMs - createdAtMs > intentMsMax)
  if (old.length === 0) return ok(open.length === 0 ? 'none' : `${open.length} in progress`)
  const rows = old.reduce((sum, intent) => sum + intent.rows, 0)
  return warning(
    `${countText(old.length, 'batch', 'batches')} with ${countText(rows, 'hit')} for more than ten minutes: ${someOf(old.map(({ batchId }) => batchId))}`,
    'start the machine that has the journal, and see the checks of the scan store',
  )
}

async function filesBelow(folder: string, name: RegExp): Promise<FoundFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(emptyWhereMissing)
  const files = entries.filter((entry) => entry.isFile() && name.test(entry.name))
  return await Promise.all(
    files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = await stat(path)
      return { path, bytes: size, changedMs: mtimeMs }
    }),
  )
}

async function linesOf(path: string): Promise<number> {
  let lines = 0
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>)
      for (const byte of bytes) if (byte === lineFeed) lines++
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  return lines
}

function emptyWhereMissing(error: unknown): [] {
  if (isMissing(error)) return []
  throw error
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function bytesOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
