import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, until, type Service } from '@everscan/server/test/support/service.ts'
import { addCodes, addScans, startBenchService } from './filled-service.ts'
import { median, rounded } from './figures.ts'
import type { LoadResult } from './load/load.ts'
import { phoneHeads, redirects, runLoad } from './load/run-load.ts'

const sizes = { quick: { codes: 20_000, scans: 200_000 }, full: { codes: 1_000_000, scans: 10_000_000 } }
const loadSeconds = { quick: 10, full: 60, hour: 3_600, quickHour: 30 }
const settleMs = { quick: 2_000, full: 30_000 }
/** An engine ends five minutes after the last question. */
const asleepMsMax = 10 * 60_000
/** Idle processes collect each minute. */
const collectedMs = 70_000
const scansPerSecond = 2_000
const connections = 64
const pathsMax = 200_000
const samplesOfLoad = 60
const roles = ['main', 'front', 'api', 'worker', 'engine'] as const

/**
 * In MB. `pssMb` divides shared pages among their processes (proc(5), `Pss`); `rssMb` counts them
 * for each process. `ownMb` is what comes from no file (`Anonymous`).
 */
type Memory = { rssMb: number; pssMb: number; ownMb: number }
type Sample = Record<(typeof roles)[number] | 'total', Memory>

/**
 * Measures the resident memory of each process of a service: some time after its first start; with
 * 1,000,000 codes, after listing them and redirects of 200,000 of them; with 10,000,000 scans,
 * after their analytics (`--quick`: 20,000 codes, 200,000 scans), and when the engine sleeps again.
 * The last stage is the peak of the total during a minute of 2,000 scans per second (`--quick`: 10
 * seconds).
 */
export async function benchMemory({ quick }: { quick: boolean }): Promise<object> {
  const { codes, scans } = sizes[quick ? 'quick' : 'full']
  const { service, orgId } = await startBenchService()
  const stages: Record<string, Sample> = {}
  const record = (stage: string): void => {
    const sample = memoryOf(service)
    stages[stage] = sample
    console.log(`${stage.padEnd(14)} ${JSON.stringify(sample)}`)
  }
  try {
    const settle = () => sleep(settleMs[quick ? 'quick' : 'full'])
    await settle()
    record('idle')
    const known = await addCodes(service, orgId, { codes })
    const client = service.client()
    await client.qrCodes.list(orgId)
    await client.qrCodes.list(orgId, { search: 'Berlin', sort: 'totalScans' })
    await scan(service, known, quick ? 5 : 100)
    await settle()
    record('with codes')
    await addScans(service, orgId, scans)
    await client.analytics.ofOrganization(orgId)
    await settle()
    record('with scans')
    await until('the engine sleeps', () => service.pids('engine').length === 0, asleepMsMax)
    await sleep(collectedMs)
    record('asleep')
    const { samples, load } = await watchLoad(service, known, loadSeconds[quick ? 'quick' : 'full'])
    const [peak] = samples.toSorted((a, b) => b.total.rssMb - a.total.rssMb)
    if (peak !== undefined) stages['under load'] = peak
    console.log(`under load     ${JSON.stringify(peak)}`)
    return { codes, scans, scansPerSecond: Math.round(load.requestsPerSecond), errors: load.errors, stages }
  } finally {
    await service.remove()
  }
}

/**
 * Measures the memory of all processes together during an hour of 2,000 scans per second of 20,000
 * codes (`--quick`: half a minute). `growth` is the median of the last quarter divided by that of
 * the second. `points` are a minute apart.
 */
export async function benchMemoryHour({ quick }: { quick: boolean }): Promise<object> {
  const { codes } = sizes.quick
  const { service, orgId } = await startBenchService()
  try {
    const known = await addCodes(service, orgId, { codes })
    const seconds = loadSeconds[quick ? 'quickHour' : 'hour']
    const { samples, load } = await watchLoad(service, known, seconds)
    const quarter = Math.floor(samples.length / 4)
    const middle = (from: number, role: keyof Sample) =>
      median(samples.slice(from, from + quarter).map((sample) => sample[role].rssMb))
    const growthOf = (role: keyof Sample) =>
      rounded(middle(samples.length - quarter, role) / middle(quarter, role))
    return {
      growth: growthOf('total'),
      grownMb: middle(samples.length - quarter, 'total') - middle(quarter, 'total'),
      growthOf: Object.fromEntries(roles.map((role) => [role, growthOf(role)])),
      seconds,
      scans: load.requests,
      scansPerSecond: Math.round(load.requestsPerSecond),
      errors: load.errors,
      points: samples.map((sample, i) => ({
        seconds: Math.round(((i + 1) * seconds) / samplesOfLoad),
        rssMb: sample.total.rssMb,
        of: Object.fromEntries(roles.map((role) => [role, sample[role].rssMb])),
      })),
    }
  } finally {
    await service.remove()
  }
}

async function watchLoad(service: Service, known: readonly string[], seconds: number) {
  const samples: Sample[] = []
  const watch = setInterval(() => samples.push(memoryOf(service)), (seconds * 1000) / samplesOfLoad)
  try {
    const load = await scan(service, known, seconds)
    return { samples, load }
  } finally {
    clearInterval(watch)
  }
}

function scan(service: Service, known: readonly string[], seconds: number): Promise<LoadResult> {
  const step = Math.max(1, Math.ceil(known.length / pathsMax))
  const paths = known.filter((_, i) => i % step === 0).map((code) => `/${code}`)
  const to = { port: service.port }
  const order = {
    to,
    connections,
    seconds,
    perSecond: scansPerSecond,
    paths,
    heads: phoneHeads,
    ...redirects,
  }
  return runLoad(order)
}

function memoryOf(service: Service): Sample {
  const main = childrenOf(process.pid).flatMap(({ pid, title }) => (title === 'everscan main' ? [pid] : []))
  const each = roles.map((role) => {
    const all = (role === 'main' ? main : service.pids(role)).map(memoryOfProcess)
    return [role, sum(all)] as const
  })
  const total = sum(each.map(([, memory]) => memory))
  return { ...Object.fromEntries(each), total } as Sample
}

function sum(all: readonly Memory[]): Memory {
  return {
    rssMb: all.reduce((mb, one) => mb + one.rssMb, 0),
    pssMb: all.reduce((mb, one) => mb + one.pssMb, 0),
    ownMb: all.reduce((mb, one) => mb + one.ownMb, 0),
  }
}

/** Returns the memory of a process. Source: proc(5), `smaps_rollup`, in kB. */
export function memoryOfProcess(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (name: string) =>
    Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) / 1024)
  return { rssMb: mb('Rss'), pssMb: mb('Pss'), ownMb: mb('Anonymous') }
}
