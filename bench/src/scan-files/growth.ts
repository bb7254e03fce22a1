import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileScans, type FileScans } from '@everscan/server/analytics/files/file-scans.ts'
import { engineClient } from '@everscan/server/analytics/files/socket/engine-client.ts'
import { createLog } from '@everscan/server/log.ts'
import { levelMemory } from '@everscan/server/processes/supervisor.ts'
import { scanFilePlaces } from '@everscan/server/settings/scan-file-places.ts'
import { growthOf } from '../analytics.ts'
import { filledQrCodeId, makeCatalogue } from '../fill-catalogue.ts'
import { filledCodes, filledPeriod } from '../fill-scans.ts'
import { median, rounded } from '../figures.ts'
import { peakMb } from './peak-memory.ts'
import { numberedCodes } from './rows.ts'
import type { StoreOrder, StoreResult } from './store-process.ts'

const sizes = {
  quick: [30_000, 100_000, 300_000],
  full: [100_000, 1_000_000, 10_000_000, 50_000_000],
}
/** As many scans as a service of 1,000,000 a day has in a second. */
const scansOfRecord = 12
const rounds = 5
const organizationId = 'org_bench'
/** Files, records and the index, with those that merges replaced. */
const bytesPerScanMax = 400
const pageLimit = 100
const distantPage = 10_000
const topCount = 10
/** The service gives up earlier; the bench measures how long it takes. */
const deadlineMs = 10 * 60_000
const log = createLog({ level: 'silent', role: 'bench' })

type Place = { dataDir: string; socketPath: string; enginePid: number }

/**
 * Fills a store of scans in files with batches and merges, as the worker does with an engine in a
 * process of its own, up to 50,000,000 scans of a year. At each size: what the scans since the last
 * size cost, what all take on the disk, how long figures and lists take, and a start that verifies
 * all files. Throws if an answer has other totals than what was filled.
 */
export async function benchScanFilesGrowth({ quick }: { quick: boolean }): Promise<object> {
  const all = sizes[quick ? 'quick' : 'full']
  const grown = await withEngine(Math.max(...all), (place) => grow(place, all))
  return { rounds, ...grown }
}

/** Measures a start with records that nobody merged. */
export async function startUnmerged(records: number): Promise<object> {
  return await withEngine(0, async (place) => {
    const to = records * scansOfRecord
    const order = { ...place, organizationId, isUnmerged: true }
    const { listed } = await runStore({ ...order, from: 0, to, batchScans: scansOfRecord })
    const { startSeconds } = await runStore({ ...order, from: to, to })
    return { records: listed.records, startSeconds: rounded(startSeconds) }
  })
}

async function grow(place: Place, all: readonly number[]) {
  const points: Point[] = []
  const counts: StoreResult['counts'] = { all: 0, unique: 0, tenth: 0, million: 0, small: 0 }
  let written = 0
  for (const scans of all) {
    const from = points.at(-1)?.scans ?? 0
    const filled = await runStore({ ...place, organizationId, from, to: scans })
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += filled.counts[name]
    written += filled.written.records + filled.written.files
    const figures = await ask(place, counts)
    const started = await runStore({ ...place, organizationId, from: scans, to: scans })
    const point = {
      scans,
      ...costsOf(filled, scans - from),
      ...disk(place, filled, { scans, written }),
      ms: figures,
      startSeconds: rounded(started.startSeconds),
      peakMb: { store: filled.peakMb, start: started.peakMb, engine: peakMb(place.enginePid) },
    }
    points.push(point)
    console.log(JSON.stringify(point))
  }
  const curve = (name: 'code' | 'organization') =>
    growthOf(points.map(({ scans, ms }) => ({ scans, ms: ms[name] ?? Number.NaN })))
  return { points, largest: points.at(-1), code: curve('code'), organization: curve('organization') }
}

/** Runs work with an engine in a process of its own, in a folder with room for so many scans. */
async function withEngine<Result>(scans: number, work: (place: Place) => Promise<Result>): Promise<Result> {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  const engine = await startEngine(dataDir, scans)
  try {
    return await work({ ...engine, dataDir })
  } finally {
    engine.process.disconnect()
    await once(engine.process, 'exit')
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Point = ReturnType<typeof costsOf> &
  ReturnType<typeof disk> & {
    scans: number
    ms: Readonly<Record<string, number>>
    startSeconds: number
    peakMb: { store: number; start: number; engine: number }
  }

async function startEngine(
  dataDir: string,
  scans: number,
): Promise<{ process: ChildProcess; socketPath: string; enginePid: number }> {
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < scans * bytesPerScanMax)
    throw new Error(`${dataDir} has less room than ${(scans * bytesPerScanMax) / 1e9} GB`)
  await makeCatalogue(dataDir, { organizationId, codes: filledCodes, log })
  mkdirSync(join(dataDir, 'run'), { recursive: true })
  const socketPath = join(dataDir, 'run', 'engine.sock')
  const child = forkHere('engine-process.ts', [dataDir, socketPath])
  await once(child, 'message')
  return { process: child, socketPath, enginePid: child.pid ?? 0 }
}

async function runStore(order: StoreOrder): Promise<StoreResult> {
  const child = forkHere('store-process.ts', [])
  child.send(order)
  const ended = once(child, 'exit')
  const result = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (result === undefined) throw new Error('the process of the store ended early')
  await ended
  return result[0] as StoreResult
}

function forkHere(file: string, args: readonly string[]): ChildProcess {
  const path = join(import.meta.dirname, file)
  return fork(path, args, { stdio: 'inherit', execArgv: levelMemory })
}

/** Returns what scans cost that were added, by processor time and by the clock. */
function costsOf({ fillSeconds, cpuMs, mostListed, recoveries, failedMerges }: StoreResult, added: number) {
  const us = (ms: number): number => rounded((ms * 1_000) / added)
  return {
    cpuUsPerScan: { all: us(cpuMs.store + cpuMs.engine), store: us(cpuMs.store), engine: us(cpuMs.engine) },
    fillSeconds: rounded(fillSeconds),
    mostListed,
    recoveries,
    failedMerges,
  }
}

function disk(
  { dataDir }: Place,
  { listed, written: last }: StoreResult,
  { scans, written }: { scans: number; written: number },
) {
  const { segments, records, visits } = scanFilePlaces({ dataDir })
  const [ofFiles, ofRecords, ofVisits] = [segments, records, visits].map(bytesIn)
  const each = (bytes = 0): number => rounded(bytes / scans)
  return {
    listed: { files: listed.files, records: listed.records },
    bytesPerScan: {
      files: each(ofFiles),
      records: each(ofRecords),
      visits: each(ofVisits),
      filesAndVisits: each((ofFiles ?? 0) + (ofVisits ?? 0)),
    },
    writtenLast: last,
    writtenPerByte: rounded(written / listed.bytes),
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

type Counts = StoreResult['counts']

/** Returns the times of figures and pages, in milliseconds. */
async function ask({ socketPath }: Place, counts: Counts): Promise<Record<string, number>> {
  const client = engineClient(socketPath)
  const scans = fileScans({ ...client, ask: (work) => client.ask(work, deadlineMs) })
  const scope = { organizationId, filters: {}, ...filledPeriod }
  const figures = (code: keyof typeof numberedCodes) => async () => {
    const of = { ...scope, qrCodeId: filledQrCodeId(numberedCodes[code]), interval: 'day' } as const
    mustEqual(code, (await scans.qrCodeAnalytics(of)).summary.totalScans, counts[code])
  }
  const page = Math.min(distantPage, Math.floor(counts.million / pageLimit))
  const questions: Record<string, () => Promise<void>> = {
    organization: () => askOrganization(scans, counts),
    code: figures('tenth'),
    smallCode: figures('small'),
    firstPage: () => askPage(scans, 1, counts),
    distantPage: () => askPage(scans, page, counts),
  }
  const ms: Record<string, number> = {}
  for (const [name, question] of Object.entries(questions)) {
    const times: number[] = []
    for (let round = -1; round < rounds; round++) {
      const fromMs = performance.now()
      await question()
      if (round >= 0) times.push(performance.now() - fromMs)
    }
    ms[name] = rounded(median(times))
  }
  return ms
}

async function askOrganization(scans: FileScans, counts: Counts): Promise<void> {
  const scope = { organizationId, filters: {}, ...filledPeriod }
  const topQrCodes = await scans.mostScannedQrCodes(scope, { limit: topCount, offset: 0 })
  const { summary } = await scans.organizationAnalytics({ ...scope, interval: 'day', topQrCodes })
  mustEqual('scans of all codes', summary.totalScans, counts.all)
  mustEqual('unique scans of all codes', summary.uniqueScans, counts.unique)
}

async function askPage(scans: FileScans, page: number, counts: Counts): Promise<void> {
  const qrCodeId = filledQrCodeId(numberedCodes.million)
  const scope = { organizationId, filters: {}, ...filledPeriod, qrCodeId }
  const list = await scans.listScans({ ...scope, page, limit: pageLimit, includeBots: false })
  mustEqual('listed scans', list.total, counts.million)
  mustEqual('scans of a page', list.scans.length, Math.min(pageLimit, counts.million))
}

function mustEqual(name: string, found: number, filled: number): void {
  if (found !== filled) throw new RangeError(`${name}: ${found} instead of ${filled}`)
}
