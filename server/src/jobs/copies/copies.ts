import { hostname } from 'node:os'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { CopyRow } from '../../catalogue/rows/copy-row.ts'
import { readCopies } from '../../catalogue/installation/copies.ts'
import { copyFacts, lastCopy, lastVerifiedCopy } from '../../catalogue/installation/copy-schedule.ts'
import type { FewerHits } from '../../copies/copy-folder.ts'
import { lackingProblem, type Lacking } from '../../copies/lacking.ts'
import { FatalError } from '../../errors.ts'
import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import {
  startScheduledCopies,
  type CopyMaker,
  type MadeFile,
  type ScheduledCopies,
} from './scheduled-copies.ts'
import type { Log } from '../../log.ts'
import { backupProblem } from '../../processes/backup-settings.ts'
import { runCommandChild, type CommandRun } from '../../processes/command-child.ts'
import { judgePart, type Part } from '../../problems/parts.ts'
import type { OwnMetrics } from '../../processes/metrics.ts'

const entry = fileURLToPath(new URL('../../main.mjs', import.meta.url))
const hourMs = 3_600_000

export type RunCommand = (words: readonly string[], signal: AbortSignal) => Promise<CommandRun>

/** Starts the copies that the settings schedule; returns undefined if they schedule none. */
export function startCopies(
  config: Config,
  { db, log }: { db: Database; log: Log },
): ScheduledCopies | undefined {
  const { backupDir, backupEveryHours, backupKeep, environment } = config
  if (backupDir === undefined) return undefined
  const run: RunCommand = async (words, signal) => runCommandChild(words, { entry, environment, signal })
  return startScheduledCopies({
    db,
    log,
    dir: backupDir,
    everyMs: backupEveryHours * hourMs,
    keep: backupKeep,
    machine: hostname(),
    maker: createCopyMaker(config, run),
  })
}

/** Creates a maker that makes and verifies copies by the commands `backup` and `verify`. */
export function createCopyMaker(
  config: Pick<Config, 'backupDir' | 'backupPassphraseFile' | 'dataDir'>,
  run: RunCommand,
): CopyMaker {
  const { backupDir = '', backupPassphraseFile, dataDir } = config
  const passphrase = backupPassphraseFile === undefined ? [] : ['--passphrase-file', backupPassphraseFile]
  return {
    make: async ({ keep, signal }) => {
      const told = await backupProblem(config)
      if (told !== undefined) throw new FatalError(told)
      // A copy without the scans of other machines is better than none; it reports what it lacks.
      const words = [
        'backup',
        '--to',
        backupDir,
        '--keep',
        String(keep),
        '--partial',
        '--json',
        ...passphrase,
      ]
      return madeFile(succeeded(await run(words, signal)))
    },
    verify: async (path, { signal }) => {
      // The folder for temporary files is often in memory.
      const scratch = join(dataDir, 'scratch')
      await rm(scratch, { recursive: true, force: true })
      await mkdir(scratch, { mode: 0o700 })
      try {
        succeeded(await run(['verify', path, '--scratch', scratch, '--json', ...passphrase], signal))
      } finally {
        await rm(scratch, { recursive: true, force: true })
      }
    },
  }
}

/** Returns the JSON of a command. Throws an Error with the message of the command if it failed. */
function succeeded({ succeeded: isDone, json, lastLine }: CommandRun): unknown {
  if (isDone) return json
  const printed = (json ?? {}) as { error?: { message?: string }; differences?: string[]; lacks?: string[] }
  const { error, differences: [difference] = [], lacks: [lack] = [] } = printed
  if (error === undefined && difference !== undefined)
    throw new FatalError(problem('copyDiffers', { difference }))
  throw new Error(error?.message ?? (lack && `it lacks ${lack}`) ?? lastLine)
}

type PrintedCopy = {
  path: string
  bytes: number
  organizations: number
  codes: number
  scans: number
  frames: number
  fewer?: FewerHits
} & Partial<Lacking>

function madeFile(json: unknown): MadeFile {
  const printed = (json ?? {}) as PrintedCopy
  const { path, bytes, organizations, codes, scans, frames, fewer } = printed
  if (typeof path !== 'string' || typeof bytes !== 'number' || typeof scans !== 'number')
    throw new Error('the command "backup" did not print what it made')
  const counts = {
    organizations,
    codes,
    scans,
    frames,
    ...(fewer !== undefined && { fewerHits: { hits: fewer.hits, before: fewer.before } }),
  }
  const lacks = lackingProblem(printed)
  return { path, bytes, counts, ...(lacks !== undefined && { lacks }) }
}

/**
 * The worker's view of copies: `refresh` reads their state, to be called every `everyMs`, and
 * `parts` reports it.
 */
export type CopyWatch = { everyMs: number; refresh: () => Promise<void>; parts: () => Part[] }

type Seen = { copies: readonly CopyRow[]; told: Problem | undefined }

/** Watches the copies of the installation, with the same result on each such machine. */
export function watchCopies(
  config: Config,
  {
    db,
    metrics,
    scheduled,
  }: { db: Database; metrics: OwnMetrics; scheduled: () => ScheduledCopies | undefined },
): CopyWatch {
  const { backupDir, backupEveryHours } = config
  const everyMs = backupEveryHours * hourMs
  const sinceMs = Date.now()
  let seen: Seen = { copies: [], told: undefined }
  addMetrics(metrics, {
    everyMs: backupDir === undefined ? undefined : everyMs,
    seen: () => seen.copies,
    scheduled,
  })
  return {
    everyMs: 5_000,
    refresh: async () => {
      if (backupDir === undefined) return
      const copies = await readCopies(db)
      seen = { copies, told: await backupProblem(config) }
    },
    parts: () => {
      const { copies, told } = seen
      const facts = copyFacts(copies, { everyMs, nowMs: Date.now(), sinceMs })
      return [judgePart('copies', { ...facts, isScheduled: backupDir !== undefined, told })]
    },
  }
}

function addMetrics(
  metrics: OwnMetrics,
  {
    everyMs,
    seen,
    scheduled,
  }: {
    everyMs: number | undefined
    seen: () => readonly CopyRow[]
    scheduled: () => ScheduledCopies | undefined
  },
): void {
  metrics.labelled({
    copy_interval_seconds: [
      'Time from one scheduled copy to the next',
      () => [[{}, everyMs === undefined ? undefined : everyMs / 1000]],
    ],
    copy_age_seconds: [
      'Age of the last complete copy of the installation',
      () => [[{}, ageSeconds(lastCopy(seen())?.madeAtMs)]],
    ],
    copy_verified_age_seconds: [
      'Time since a copy was last restored and compared',
      () => [[{}, ageSeconds(lastVerifiedCopy(seen())?.verifiedAtMs)]],
    ],
    copy_bytes: ['Size of the last complete copy', () => [[{}, lastCopy(seen())?.bytes ?? undefined]]],
    copy_duration_seconds: [
      'Time that the last complete copy took to make',
      () => [[{}, durationOf(lastCopy(seen()))]],
    ],
    copy_partial: [
      'Whether the last copy that was made lacks scans: 1 or 0',
      () => [[{}, partialOf(seen())]],
    ],
    copies_total: [
      'Copies that this machine made or verified, or failed to',
      () =>
        (['made', 'verified', 'failed'] as const).map((outcome) => [
          { outcome },
          scheduled()?.stats[outcome],
        ]),
    ],
  })
}

function partialOf(copies: readonly CopyRow[]): number | undefined {
  const made = copies.find(({ checkedAtMs }) => checkedAtMs !== null)
  return made === undefined ? undefined : Number(made.state === 'PARTIAL')
}

function durationOf(copy: CopyRow | undefined): number | undefined {
  return typeof copy?.checkedAtMs === 'number' ? (copy.checkedAtMs - copy.madeAtMs) / 1000 : undefined
}

function ageSeconds(timeMs: number | null | undefined): number | undefined {
  return typeof timeMs === 'number' ? Math.max(0, Date.now() - timeMs) / 1000 : undefined
}
