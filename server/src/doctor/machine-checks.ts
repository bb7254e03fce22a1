import { availableParallelism } from 'node:os'
import { factsOf } from '../db/dialects/dialect-facts.ts'
import { readLastCheckpointMs } from '../db/scans/ingest-checkpoints.ts'
import { readStoreServer } from '../analytics/store/store-facts.ts'
import {
  cgroupFile,
  memoryBytesNeeded,
  moreMemory,
  readMemory,
  type Memory,
} from '../processes/memory-limits.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { failedPackages, type FailedPackage } from '../processes/native/native-packages.ts'
import { judgePackages } from '../processes/native/unable-roles.ts'
import { fewFilesWarning, openFilesLimit, openFilesNeeded, readLimits } from '../processes/start-warnings.ts'
import { bytesText, countText, durationText } from '../amounts.ts'
import { knownProblem } from '../problems/parts.ts'
import { failed, naming, notice, ok, warning, type CheckGroup, type Finding } from './check.ts'
import type { DoctorContext } from './context.ts'

/**
 * The day on which security fixes of each Node release end:
 * https://github.com/nodejs/Release#release-schedule
 */
const nodeEnds: Readonly<Record<string, string>> = { 24: '2028-04-30', 26: '2029-04-30' }
const update = 'update Everscan, which brings a newer Node'

/** The idle service uses about 600 MB; an import needs more. */
const memoryFreeShareMin = 0.05

const clockMsMax = 2_000

export type ClockReading = { name: string; aheadMs: number }

export const machineChecks: CheckGroup = {
  title: 'Machine',
  checks: [
    {
      name: 'machine.node',
      title: 'Node',
      run: ({ nowMs }) => judgeNode(process.version, nowMs),
    },
    {
      name: 'machine.processors',
      title: 'Processors',
      run: () => judgeProcessors(availableParallelism(), cgroupFile('cpu.max')),
    },
    {
      name: 'machine.packages',
      title: 'Native packages',
      run: async ({ config }) =>
        judgeNative(
          await failedPackages({
            env: childEnvironment(config, 'engine'),
            hasEngine: config.clickhouseUrl === undefined,
          }),
        ),
    },
    { name: 'machine.memory', title: 'Memory', run: () => judgeMemory(readMemory()) },
    {
      name: 'machine.open-files',
      title: 'Open files',
      run: () => judgeOpenFiles(readLimits()),
    },
    { name: 'machine.clock', title: 'Clock', run: async (context) => judgeClocks(await readClocks(context)) },
  ],
}

/** `version` is in the form of Node: v24.21.0. */
export function judgeNode(version: string, nowMs: number): Finding {
  const [major = ''] = version.slice(1).split('.')
  const ends = nodeEnds[major]
  if (ends !== undefined && nowMs > Date.parse(ends))
    return warning(`Node ${version.slice(1)} has had no security fixes since ${ends}`, update)
  return ok(
    `Node ${version.slice(1)}${ends === undefined ? '' : `, which gets security fixes until ${ends}`}`,
  )
}

/** `quota` is the text of `cpu.max`: microseconds of processor time per period, and the period. */
export function judgeProcessors(count: number, quota: string | undefined): Finding {
  const [used = 'max', period = '100000'] = quota?.trim().split(' ') ?? []
  const share = used === 'max' ? count : Math.min(count, Number(used) / Number(period))
  if (share < 1)
    return warning(
      `the service may use only ${Math.round(share * 100)} % of one processor`,
      'give the container or the systemd unit (CPUQuota) at least one full processor',
    )
  const says = `${countText(count, 'processor')}${share < count ? `, of which ${share} may be used` : ''}`
  return share < 2
    ? notice(`${says}: redirects share the time with ingest and figures`, 'give the service two processors')
    : ok(says)
}

export function judgeNative(broken: readonly FailedPackage[]): Finding {
  const { detail = 'all run on this machine', problem, values = {} } = judgePackages(broken)
  if (problem === undefined) return ok(detail)
  return naming(failed(detail, `see docs/${knownProblem(problem)?.docs}`), { problem, values })
}

export function judgeMemory({ totalBytes, availableBytes, limitBytes, oomKills }: Memory): Finding {
  const most = Math.min(totalBytes, limitBytes ?? Infinity)
  const says = `${bytesText(most)}${limitBytes === undefined ? '' : ' (a limit)'}, ${bytesText(availableBytes)} of the machine free`
  if (oomKills > 0)
    return warning(
      `${says}; the kernel killed ${countText(oomKills, 'process', 'processes')} here for lack of memory`,
      moreMemory,
    )
  if (most < memoryBytesNeeded)
    return warning(`${says}; the service uses up to ${bytesText(memoryBytesNeeded)}`, moreMemory)
  return availableBytes < totalBytes * memoryFreeShareMin
    ? warning(`${says}: nearly none`, moreMemory)
    : ok(says)
}

/** `limits` is the text of /proc/self/limits. */
export function judgeOpenFiles(limits: string): Finding {
  const problem = fewFilesWarning(limits)
  if (problem === undefined) {
    const [, hard] = /^Max open files +\S+ +(\S+) /m.exec(limits) ?? []
    return ok(
      hard === undefined ? 'this system reports no limit' : `${hard} files and connections may be open`,
    )
  }
  const [says = '', mend = ''] = problem.split(': before the start, ')
  const isTooFew = (openFilesLimit(limits) ?? Infinity) < openFilesNeeded
  return (isTooFew ? failed : warning)(says, `before the start, ${mend}`)
}

export function judgeClocks(readings: readonly ClockReading[]): Finding {
  const wrong = readings.filter(({ aheadMs }) => Math.abs(aheadMs) > clockMsMax)
  const textOf = ({ name, aheadMs }: ClockReading) =>
    `${name} is ${durationText(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`
  if (wrong.length > 0)
    return warning(
      wrong.map(textOf).join('; '),
      'synchronize the clock of every machine by NTP: timedatectl set-ntp true',
    )
  const names = readings.map(({ name }) => name)
  return ok(`within ${clockMsMax / 1000} s of ${names.join(', ')}`)
}

/**
 * Compares the wall clock with the clocks of the servers, and with the monotonic clock, which
 * setting the time does not change.
 */
async function readClocks({ catalogue, store }: DoctorContext): Promise<ClockReading[]> {
  const readings: ClockReading[] = [
    {
      name: 'the monotonic clock',
      aheadMs: performance.timeOrigin + performance.now() - Date.now(),
    },
  ]
  const add = async (name: string, read: () => Promise<number | undefined>): Promise<void> => {
    const fromMs = Date.now()
    // Servers that do not answer have their own checks.
    const theirMs = await read().catch(() => undefined)
    if (theirMs !== undefined) readings.push({ name, aheadMs: theirMs - (fromMs + Date.now()) / 2 })
  }
  await add("the database's clock", async () => {
    const db = await catalogue()
    return factsOf(db).readClockMs(db)
  })
  await add("the scan store's clock", async () => (await readStoreServer(await store())).clockMs)
  // A past time proves nothing; a future time was written before the clock went back.
  const written = await catalogue()
    .then(readLastCheckpointMs)
    .catch(() => undefined)
  if (written !== undefined && written > Date.now())
    readings.push({ name: 'the time of the last checkpoint', aheadMs: written - Date.now() })
  return readings
}
