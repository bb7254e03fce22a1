import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestEngine } from '@everscan/server/analytics/testing/engine.ts'
import { migrateScanStore } from '@everscan/server/analytics/store/migrations.ts'
import {
  mostScannedQrCodes,
  organizationAnalytics,
  qrCodeAnalytics,
} from '@everscan/server/analytics/figures/queries.ts'
import { openClickHouse } from '@everscan/server/analytics/store/open-clickhouse.ts'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { startPostgres } from '@everscan/server/db/testing/postgres.ts'
import { filledQrCodeId } from './fill-catalogue.ts'
import { filledPeriod, fillScans, readScans, settleScans } from './fill-scans.ts'
import { median, rounded } from './figures.ts'
import { openPlainPostgres, openPlainSqlite, type PlainScans } from './plain-scans.ts'

export const organizationId = 'org_bench'
const sizes = { quick: 300_000, full: 10_000_000 }
const growthSizes = { quick: [30_000, 100_000, 300_000], full: [100_000, 1_000_000, 10_000_000, 50_000_000] }
const topCount = 10

type Subject = { name: 'code' | 'organization'; qrCodeId?: string }
const subjects: readonly Subject[] = [{ name: 'code', qrCodeId: filledQrCodeId(0) }, { name: 'organization' }]

/**
 * Measures all figures of a year, by day, for the code with a tenth of all scans and for the
 * organization with all of them. Compares the service's queries to its scan store with the same
 * breakdowns, one by one, over the same scans in SQLite and in PostgreSQL, with suitable indexes.
 * Ratios are their time divided by ours.
 */
export async function benchAnalytics({ quick }: { quick: boolean }): Promise<object> {
  const scans = quick ? sizes.quick : sizes.full
  const rounds = 5
  const postgres = await startPostgres()
  const dir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  try {
    return await withStore(async (store) => {
      await fillScans(store, organizationId, { to: scans })
      await settleScans(store)
      const plain = [
        openPlainSqlite(join(dir, 'scans.sqlite')),
        await openPlainPostgres(await postgres.createDatabase()),
      ]
      for await (const rows of readScans(store)) for (const one of plain) await one.insert(rows)
      for (const one of plain) await one.finish()
      console.log(`${scans} scans were written three times`)
      const figures: Record<string, object> = {}
      for (const subject of subjects) figures[subject.name] = await compare(store, plain, { subject, rounds })
      for (const one of plain) await one.close()
      return { scans, rounds, ...figures }
    })
  } finally {
    await postgres.remove()
    rmSync(dir, { recursive: true, force: true })
  }
}

/**
 * Measures the growth of the time as a power of the number of scans: `exponent` from the fewest to
 * the most, `steepest` between two consecutive sizes. 0.5 is the square root.
 */
export async function benchAnalyticsGrowth({ quick }: { quick: boolean }): Promise<object> {
  const rounds = 5
  return withStore(async (store) => {
    const curves: Record<string, { scans: number; ms: number }[]> = { code: [], organization: [] }
    let filled = 0
    for (const scans of growthSizes[quick ? 'quick' : 'full']) {
      await fillScans(store, organizationId, { from: filled, to: scans })
      await settleScans(store)
      filled = scans
      for (const subject of subjects) {
        const times: number[] = []
        for (let round = -1; round < rounds; round++) {
          const ms = await timed(() => askService(store, subject))
          if (round >= 0) times.push(ms)
        }
        const point = { scans, ms: rounded(median(times)) }
        curves[subject.name]?.push(point)
        console.log(`${subject.name.padEnd(12)} ${JSON.stringify(point)}`)
      }
    }
    return {
      rounds,
      ...Object.fromEntries(
        Object.entries(curves).map(([name, points]) => [name, { points, ...growthOf(points) }]),
      ),
    }
  })
}

async function compare(
  store: ClickHouse,
  plain: readonly PlainScans[],
  { subject, rounds }: { subject: Subject; rounds: number },
): Promise<object> {
  const oursMs: number[] = []
  const theirs = plain.map(({ name }) => ({ name, ms: [] as number[] }))
  for (let round = -1; round < rounds; round++) {
    const ms = await timed(async () => {
      const scans = await askService(store, subject)
      for (const one of plain) {
        // Otherwise the comparison would be meaningless.
        if (round === -1 && (await one.scans(subject.qrCodeId)) !== scans)
          throw new Error(`${one.name} has other scans`)
      }
    })
    if (round < 0) continue
    oursMs.push(ms)
    for (const [index, one] of plain.entries())
      theirs[index]?.ms.push(await timed(() => one.breakdowns(subject.qrCodeId)))
    console.log(
      `${round + 1} ${subject.name.padEnd(12)} ${ms.toFixed(1)} ms; ${theirs.map((one) => `${one.name} ${one.ms.at(-1)?.toFixed(0)} ms`).join(', ')}`,
    )
  }
  return {
    ms: rounded(median(oursMs)),
    ...Object.fromEntries(
      theirs.map((one) => [
        one.name,
        {
          ms: Math.round(median(one.ms)),
          ratio: rounded(median(one.ms.map((ms, round) => ms / (oursMs[round] ?? Number.NaN)))),
        },
      ]),
    ),
  }
}

/** Runs the queries of one request. Returns the number of scans. */
export async function askService(store: ClickHouse, { qrCodeId }: Subject): Promise<number> {
  const scope = { organizationId, ...filledPeriod, filters: {}, interval: 'day' } as const
  if (qrCodeId !== undefined) return (await qrCodeAnalytics(store, { ...scope, qrCodeId })).summary.totalScans
  const topQrCodes = await mostScannedQrCodes(store, scope, { limit: topCount, offset: 0 })
  return (await organizationAnalytics(store, { ...scope, topQrCodes })).summary.totalScans
}

/** Returns the growth of the time as a power of the number of scans. */
export function growthOf(points: readonly { scans: number; ms: number }[]): {
  exponent: number
  steepest: number
} {
  const rise = (from: (typeof points)[number] | undefined, to: (typeof points)[number] | undefined) =>
    from === undefined || to === undefined
      ? Number.NaN
      : Math.log(to.ms / from.ms) / Math.log(to.scans / from.scans)
  return {
    exponent: rounded(rise(points[0], points.at(-1))),
    steepest: rounded(Math.max(...points.slice(1).map((point, index) => rise(points[index], point)))),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const fromMs = performance.now()
  await work()
  return performance.now() - fromMs
}

export async function withStore<T>(work: (store: ClickHouse, enginePid: number) => Promise<T>): Promise<T> {
  const engine = await startTestEngine()
  const store = openClickHouse({ socketPath: engine.socketPath, deadlineMs: 10 * 60_000 })
  try {
    await migrateScanStore(store)
    return await work(store, engine.pid)
  } finally {
    await store.close()
    await engine.remove()
  }
}
