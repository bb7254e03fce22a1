import { setTimeout as sleep } from 'node:timers/promises'
import { readFirstScanDifferences } from '../analytics/store/store-facts.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import type { Database } from '../db/database.ts'
import { readDueUniques } from '../db/scans/ingest-checkpoints.ts'
import { readInstallation } from '../db/installation.ts'
import {
  readCounters,
  readRetention,
  type ScanCounter,
  type CounterCorrection,
} from '../db/scans/scan-counters.ts'
import { compareDays, type Difference } from '../ingest/reconcile.ts'
import { correctionsOf } from '../ingest/recount.ts'
import { countText, dayText, durationText, someOf } from '../amounts.ts'
import { notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'

const dayMs = 86_400_000
const restart =
  'restart the service: the worker compares them at its start, puts back what it kept, and tells what is gone'
const codesPerStep = 1_000
const compareMsMax = 6_000
const sampleCodesMax = 200
const sampleScansMax = 500_000
/** Counters move with their batch, a moment after its rows. */
const againMs = 500
const dueMax = 100_000
const retentionMsMax = 2 * dayMs

export const figureChecks: CheckGroup = {
  title: 'Figures',
  checks: [
    {
      name: 'figures.ledger',
      title: 'Hits of each writer and day',
      run: async (context) => judgeDays(await readDifferences(context)),
    },
    {
      name: 'figures.counters',
      title: 'Counters of codes',
      run: async ({ catalogue, store }, signal) =>
        judgeCounters(await compareCounters(await catalogue(), await store(), signal)),
    },
    {
      name: 'figures.first-scans',
      title: 'Unique scans, of a sample',
      run: async ({ catalogue, store }) => {
        const codes = await sampleOf(await catalogue())
        return judgeFirstScans(codes.length, await differingFirstScans(await store(), codes))
      },
    },
    {
      name: 'figures.retention',
      title: 'Scans that are too old',
      run: async ({ config, catalogue, nowMs }) =>
        judgeRetention(await readRetention(await catalogue()), config.retentionDays, nowMs),
    },
  ],
}

/** As the worker compares them, of all machines. */
async function readDifferences({ catalogue, store, nowMs }: DoctorContext): Promise<Difference[]> {
  const db = await catalogue()
  const installation = await readInstallation(db)
  if (installation?.scansCountedAtMs == null)
    throw new CannotTell('the hits that were given to the scan store are not counted yet', './everscan start')
  const compare = async (opened: ScanStore) =>
    compareDays({ db, store: opened, isAlone: true, clock: () => nowMs }, new Set())
  const opened = await store()
  const differences = await compare(opened)
  if (differences.length === 0) return []
  // A batch that was settled while we looked is none.
  await sleep(againMs)
  const again = new Map((await compare(opened)).map((one) => [keyOfDay(one), one]))
  return differences.filter((one) => {
    const later = again.get(keyOfDay(one))
    return later?.hits === one.hits && later.known === one.known
  })
}

function keyOfDay({ writer, day }: Difference): string {
  return `${writer} ${day}`
}

export function judgeDays(differences: readonly Difference[]): Finding {
  if (differences.length === 0) return ok('the scan store has what the catalogue gave it')
  const days = [...Map.groupBy(differences, ({ day }) => day)]
    .toSorted(([a], [b]) => a - b)
    .map(([day, ofDay]) => {
      const [hits, known] = [sum(ofDay, (one) => one.hits), sum(ofDay, (one) => one.known)]
      return `${dayText(day * dayMs)}: ${hits} in the store, ${known} in the catalogue`
    })
  return warning(`they differ on ${countText(days.length, 'day')}: ${someOf(days)}`, restart)
}

export type ComparedCounters = {
  codes: number
  isComplete: boolean
  differences: readonly CounterCorrection[]
}

/** Code by code until all are compared or the time is up; what differs must differ twice in the same way. */
export async function compareCounters(
  db: Database,
  store: ScanStore,
  signal: AbortSignal,
): Promise<ComparedCounters> {
  const differences: CounterCorrection[] = []
  const untilMs = performance.now() + compareMsMax
  let codes = 0
  for (let after: ScanCounter | undefined; performance.now() < untilMs && !signal.aborted;) {
    const counters = await readCounters(db, { after, limit: codesPerStep, codes: 'scanned' })
    differences.push(...((await correctionsOf(db, store, counters)) ?? []))
    codes += counters.length
    after = counters.at(-1)
    if (counters.length < codesPerStep)
      return { codes, isComplete: true, differences: await stillWrong(db, store, differences) }
  }
  return { codes, isComplete: false, differences: await stillWrong(db, store, differences) }
}

async function stillWrong(
  db: Database,
  store: ScanStore,
  differences: readonly CounterCorrection[],
): Promise<CounterCorrection[]> {
  if (differences.length === 0) return []
  await sleep(againMs)
  const again =
    (await correctionsOf(db, store, differences.map(({ was }) => was).slice(0, codesPerStep))) ?? []
  // In a backlog unique scans are counted once a minute.
  const due = new Set((await readDueUniques(db, dueMax)).map(({ qrCodeId }) => qrCodeId))
  const wrong = new Set(
    again
      .filter(({ was, is }) => was.totalScans !== is.totalScans || !due.has(was.qrCodeId))
      .map(({ was }) => was.qrCodeId),
  )
  return differences.filter(({ was }) => wrong.has(was.qrCodeId))
}

export function judgeCounters({ codes, isComplete, differences }: ComparedCounters): Finding {
  const says = `${isComplete ? 'all' : 'the first'} ${codes} codes with scans`
  if (differences.length === 0) return ok(`${says} have what the scan store has`)
  const some = differences.map(
    ({ was, is }) =>
      `${was.qrCodeId} counts ${was.totalScans} (${was.uniqueScans} unique), the store ${is.totalScans} (${is.uniqueScans})`,
  )
  return warning(`of ${says} ${differences.length} differ: ${someOf(some, 3)}`, restart)
}

/** Codes with scans, as many as can be read in seconds. */
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

async function differingFirstScans(store: ScanStore, codes: readonly ScanCounter[]) {
  if (codes.length === 0) return []
  const differing = await readFirstScanDifferences(store, codes)
  if (differing.length === 0) return []
  await sleep(againMs)
  return await readFirstScanDifferences(store, differing)
}

export function judgeFirstScans(
  codes: number,
  differing: readonly { qrCodeId: string; visitors: number }[],
): Finding {
  if (differing.length === 0)
    return ok(`the first scans of ${countText(codes, 'code')} are the least of their scans`)
  const some = differing.map(({ qrCodeId, visitors }) => `${qrCodeId} (${countText(visitors, 'visitor')})`)
  return warning(`first scans are not the least of their scans: ${someOf(some)}`, restart)
}

export function judgeRetention(
  done: { beforeMs: number; isDone: boolean } | undefined,
  retentionDays: number | undefined,
  nowMs: number,
): Finding {
  if (retentionDays === undefined)
    return ok(
      done === undefined ? 'kept for ever' : `kept from ${dayText(done.beforeMs)} on, and for ever from now`,
    )
  const lateMs = done === undefined ? Infinity : nowMs - retentionDays * dayMs - done.beforeMs
  if (done?.isDone === true && lateMs < retentionMsMax) return ok(`deleted up to ${dayText(done.beforeMs)}`)
  const says =
    done === undefined
      ? 'RETENTION_DAYS is set, and none was deleted yet'
      : `deleted up to ${dayText(done.beforeMs)}${done.isDone ? `, which is ${durationText(lateMs)} behind` : ', and not finished'}`
  return notice(
    says,
    'nothing within two days of setting it; after that look at the log of worker for deleteOldScans',
  )
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}
