import { setTimeout as sleep } from 'node:timers/promises'
import { readFirstScanDifferences } from '../analytics/store/store-facts.ts'
import { codeKey } from '../analytics/files/code-counts.ts'
import { readStoredCounts, readStoredDays, readWrongMarks } from '../analytics/files/figures/stored-counts.ts'
import type { Ask } from '../analytics/files/figures/key-ranges.ts'
import { ledgerDifferences } from '../ingest/files/scan-ledger.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { askFiles } from './scan-files/look-at-files.ts'
import type { Database } from '../db/database.ts'
import { readDueUniques } from '../db/scans/ingest-checkpoints.ts'
import { readInstallation } from '../db/installation.ts'
import {
  readCounters,
  readCountersOf,
  readRetention,
  type ScanCounter,
  type CounterCorrection,
} from '../db/scans/scan-counters.ts'
import { hitTexts, lackingHits, lostHits } from '../db/scans/lost-hits.ts'
import { readScanDays, type DayHits } from '../db/scans/scan-days.ts'
import { readScanLosses } from '../db/scans/scan-losses.ts'
import { compareDays, type Difference } from '../ingest/clickhouse/reconcile.ts'
import { correctionsOf } from '../ingest/clickhouse/recount.ts'
import { countText, dayText, durationText, someOf } from '../amounts.ts'
import { findProblem } from '../problems/parts.ts'
import { naming, notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'

const dayMs = 86_400_000
const restart =
  'restart the service: at its start the worker compares them, puts back the rows that it kept, and logs what is gone'
const adoptFiles =
  './everscan adopt scan-store, and restart the service: it then sets figures to what the files have'
const codesPerStep = 1_000
const compareMsMax = 6_000
const sampleCodesMax = 200
const sampleScansMax = 500_000
/** Counters change with their batch, a moment after its rows arrive. */
const againMs = 500
const dueMax = 100_000
const retentionMsMax = 2 * dayMs

export const figureChecks: CheckGroup = {
  title: 'Figures',
  checks: [
    {
      name: 'figures.ledger',
      title: 'Hits of each writer and day',
      run: async (context) => judgeDays(await readDifferences(context), remedyFor(context)),
    },
    {
      name: 'figures.losses',
      title: 'Lost hits',
      run: async ({ catalogue }) => judgeLosses(await readScanLosses(await catalogue())),
    },
    {
      name: 'figures.counters',
      title: 'Counters of codes',
      run: async (context, signal) =>
        judgeCounters(await compareCounters(await correctionsFor(context), signal), remedyFor(context)),
    },
    {
      name: 'figures.first-scans',
      title: 'Unique scans, of a sample',
      run: async (context) => {
        const codes = await sampleOf(await context.catalogue())
        const differing = await differingFirstScans(firstScansIn(context), codes)
        return judgeFirstScans(codes.length, differing, remedyFor(context))
      },
    },
    {
      name: 'figures.retention',
      title: 'Retention',
      run: async ({ config, catalogue, nowMs }) =>
        judgeRetention(await readRetention(await catalogue()), config.retentionDays, nowMs),
    },
  ],
}

function isInFiles({ config }: DoctorContext): boolean {
  return storeKindOf(config) === 'files'
}

function remedyFor(context: DoctorContext): string {
  return isInFiles(context) ? adoptFiles : restart
}

/** Compares catalogue and scan store as the worker does, for all machines. */
async function readDifferences(context: DoctorContext): Promise<Difference[]> {
  const db = await context.catalogue()
  const compare = await comparisonOfDays(context, db)
  const installation = await readInstallation(db)
  if (installation?.scansCountedAtMs == null)
    throw new CannotTell('the hits in the scan store are not counted yet', './everscan start')
  const differences = await compare()
  if (differences.length === 0) return []
  // A batch that was settled in between is not a difference.
  await sleep(againMs)
  const again = new Map((await compare()).map((one) => [keyOfDay(one), one]))
  return differences.filter((one) => {
    const later = again.get(keyOfDay(one))
    return later?.hits === one.hits && later.known === one.known
  })
}

async function comparisonOfDays(context: DoctorContext, db: Database): Promise<() => Promise<Difference[]>> {
  const { nowMs } = context
  if (isInFiles(context))
    return () =>
      askFiles(context, async ({ ask }) => {
        const known = await readScanDays(db)
        const { beforeMs = 0 } = (await readRetention(db)) ?? {}
        return ledgerDifferences(known, await readStoredDays(ask), { deletedBeforeMs: beforeMs })
      })
  const store = await context.store()
  return () => compareDays({ db, store, isAlone: true, clock: () => nowMs }, new Set())
}

function keyOfDay({ writer, day }: Difference): string {
  return `${writer} ${day}`
}

export function judgeDays(differences: readonly Difference[], mend: string): Finding {
  if (differences.length === 0) return ok('the scan store has all hits that the catalogue counted')
  const days = [...Map.groupBy(differences, ({ day }) => day)]
    .toSorted(([a], [b]) => a - b)
    .map(([day, ofDay]) => {
      const [hits, known] = [sum(ofDay, (one) => one.hits), sum(ofDay, (one) => one.known)]
      return `${dayText(day * dayMs)}: ${hits} in the store, ${known} in the catalogue`
    })
  return warning(`they differ on ${countText(days.length, 'day')}: ${someOf(days)}`, mend)
}

export function judgeLosses(lost: readonly DayHits[]): Finding {
  if (lost.length === 0) return ok('none')
  const texts = hitTexts(lost.map(lackingHits))
  const days = lost.map(({ day }) => day)
  const [firstDay, lastDay] = [Math.min(...days), Math.max(...days)]
  const hits = sum(lost, (one) => one.hits)
  return naming(
    warning(
      `the catalogue had counted ${someOf(texts)}, which the scan store lacks; no copy has them`,
      'restore a copy that has them (./everscan verify FILE), or put the lost part of the scan store back; if they are gone: ./everscan adopt losses',
    ),
    findProblem('lostScans', { lost: lostHits({ hits, firstDay, lastDay }) }),
  )
}

export type ComparedCounters = {
  codes: number
  isComplete: boolean
  differences: readonly CounterCorrection[]
}

/** How counters are compared with the store: undefined if it cannot be told now. */
type Corrections = {
  db: Database
  corrections: (counters: readonly ScanCounter[]) => Promise<CounterCorrection[] | undefined>
}

async function correctionsFor(context: DoctorContext): Promise<Corrections> {
  const db = await context.catalogue()
  if (!isInFiles(context)) {
    const store = await context.store()
    return { db, corrections: (counters) => correctionsOf(db, store, counters) }
  }
  return {
    db,
    corrections: (counters) => askFiles(context, ({ ask }) => correctionsInFiles(db, ask, counters)),
  }
}

/** Leaves out codes whose counters move meanwhile. */
async function correctionsInFiles(
  db: Database,
  ask: Ask,
  codes: readonly ScanCounter[],
): Promise<CounterCorrection[]> {
  const counters = await readCountersOf(db, codes)
  const stored = new Map((await readStoredCounts(ask, counters)).map((count) => [codeKey(count), count]))
  const differing = counters.flatMap((was) => {
    const { scans: totalScans = 0, uniqueScans = 0 } = stored.get(codeKey(was)) ?? {}
    const isEqual = was.totalScans === totalScans && was.uniqueScans === uniqueScans
    return isEqual ? [] : [{ was, is: { totalScans, uniqueScans } }]
  })
  const now = new Map(
    (
      await readCountersOf(
        db,
        differing.map(({ was }) => was),
      )
    ).map((one) => [codeKey(one), one]),
  )
  return differing.filter(({ was }) => {
    const later = now.get(codeKey(was))
    return later?.totalScans === was.totalScans && later.uniqueScans === was.uniqueScans
  })
}

/**
 * Compares codes until all are done or the time is up. A difference counts if a second comparison
 * finds it again.
 */
export async function compareCounters(
  { db, corrections }: Corrections,
  signal: AbortSignal,
): Promise<ComparedCounters> {
  const differences: CounterCorrection[] = []
  const untilMs = performance.now() + compareMsMax
  let codes = 0
  for (let after: ScanCounter | undefined; performance.now() < untilMs && !signal.aborted;) {
    const counters = await readCounters(db, { after, limit: codesPerStep, codes: 'scanned' })
    differences.push(...((await corrections(counters)) ?? []))
    codes += counters.length
    after = counters.at(-1)
    if (counters.length < codesPerStep)
      return { codes, isComplete: true, differences: await stillWrong({ db, corrections }, differences) }
  }
  return { codes, isComplete: false, differences: await stillWrong({ db, corrections }, differences) }
}

async function stillWrong(
  { db, corrections }: Corrections,
  differences: readonly CounterCorrection[],
): Promise<CounterCorrection[]> {
  if (differences.length === 0) return []
  await sleep(againMs)
  const again = (await corrections(differences.map(({ was }) => was).slice(0, codesPerStep))) ?? []
  // In a backlog, the worker counts unique scans once a minute.
  const due = new Set((await readDueUniques(db, dueMax)).map(({ qrCodeId }) => qrCodeId))
  const wrong = new Set(
    again
      .filter(({ was, is }) => was.totalScans !== is.totalScans || !due.has(was.qrCodeId))
      .map(({ was }) => was.qrCodeId),
  )
  return differences.filter(({ was }) => wrong.has(was.qrCodeId))
}

export function judgeCounters({ codes, isComplete, differences }: ComparedCounters, mend: string): Finding {
  const says = `${isComplete ? 'all' : 'the first'} ${codes} codes with scans`
  if (differences.length === 0) return ok(`${says} agree with the scan store`)
  const some = differences.map(
    ({ was, is }) =>
      `${was.qrCodeId} counts ${was.totalScans} (${was.uniqueScans} unique), the store ${is.totalScans} (${is.uniqueScans})`,
  )
  return warning(`${differences.length} of ${says} differ: ${someOf(some, 3)}`, mend)
}

/** Returns codes with scans, only as many as can be read within seconds. */
async function sampleOf(db: Database): Promise<ScanCounter[]> {
  const counters = await readCounters(db, { after: undefined, limit: codesPerStep, codes: 'scanned' })
  let scans = 0
  return counters
    .toSorted((a, b) => b.totalScans - a.totalScans)
    .filter(({ totalScans }) => {
      if (scans + totalScans > sampleScansMax) return false
      scans += totalScans
      return true
    })
    .slice(0, sampleCodesMax)
}

type DifferingCode = { organizationId: string; qrCodeId: string; visitors: number }
type FirstScans = (codes: readonly CodeOfScans[]) => Promise<DifferingCode[]>
type CodeOfScans = Pick<ScanCounter, 'organizationId' | 'qrCodeId'>

function firstScansIn(context: DoctorContext): FirstScans {
  return isInFiles(context)
    ? (codes) => askFiles(context, ({ ask }) => readWrongMarks(ask, codes))
    : async (codes) => readFirstScanDifferences(await context.store(), codes)
}

async function differingFirstScans(
  read: FirstScans,
  codes: readonly ScanCounter[],
): Promise<DifferingCode[]> {
  if (codes.length === 0) return []
  const differing = await read(codes)
  if (differing.length === 0) return []
  await sleep(againMs)
  return await read(differing)
}

export function judgeFirstScans(
  codes: number,
  differing: readonly { qrCodeId: string; visitors: number }[],
  mend: string,
): Finding {
  if (differing.length === 0)
    return ok(`the first scans of ${countText(codes, 'code')} are the earliest of their scans`)
  const some = differing.map(({ qrCodeId, visitors }) => `${qrCodeId} (${countText(visitors, 'visitor')})`)
  return warning(`first scans are not the earliest of their scans: ${someOf(some)}`, mend)
}

export function judgeRetention(
  done: { beforeMs: number; isDone: boolean } | undefined,
  retentionDays: number | undefined,
  nowMs: number,
): Finding {
  if (retentionDays === undefined)
    return ok(
      done === undefined
        ? 'scans are kept forever'
        : `scans from ${dayText(done.beforeMs)} on are kept forever; older ones were deleted`,
    )
  const lateMs = done === undefined ? Infinity : nowMs - retentionDays * dayMs - done.beforeMs
  if (done?.isDone === true && lateMs < retentionMsMax)
    return ok(`scans before ${dayText(done.beforeMs)} are deleted`)
  const says =
    done === undefined
      ? 'RETENTION_DAYS is set, and no scans are deleted yet'
      : `scans before ${dayText(done.beforeMs)} are deleted${done.isDone ? `, which is ${durationText(lateMs)} behind` : ', but the deletion is not finished'}`
  return notice(
    says,
    'nothing within two days after setting it; later, see the log of worker for deleteOldScans',
  )
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
