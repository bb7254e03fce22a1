import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@everscan/server/test/support/service.ts'
import { addCodes, addScans, startBenchService } from './filled-service.ts'
import { median, rounded } from './figures.ts'
import { sendSignal } from '@everscan/server/processes/testing/signals.ts'

const sizes = { quick: { codes: 20_000, scans: 200_000 }, full: { codes: 1_000_000, scans: 10_000_000 } }
const rounds = 5
const pollMs = 5
const startMsMax = 60_000
const root = join(import.meta.dirname, '..', '..')
const bareServer = join(import.meta.dirname, 'load', 'bare-http.ts')

/**
 * Measures the milliseconds from `npm start`, with everything installed and built, until the first
 * 200 of `/readyz`: the first start in an empty data directory, and a start with 1,000,000 codes
 * and 10,000,000 scans (`--quick`: 20,000 and 200,000). The baseline is Node itself with a bare
 * `node:http` server until its first response. Ratios are our time divided by the baseline's.
 * `…ProcessorMs` is what all processes together used of the processors, with the stop after it.
 */
export async function benchStart({ quick }: { quick: boolean }): Promise<object> {
  const size = sizes[quick ? 'quick' : 'full']
  const filledDir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  try {
    await fill(filledDir, size)
    const results: Record<'bare' | 'empty' | 'filled', Started>[] = []
    for (let round = -1; round < rounds; round++) {
      const emptyDir = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
      const bare = await startBare()
      const empty = await startService(emptyDir)
      rmSync(emptyDir, { recursive: true, force: true })
      const filled = await startService(filledDir)
      if (round < 0) continue
      results.push({ bare, empty, filled })
      const text = ({ ms, processorMs }: Started) => `${Math.round(ms)} ms (processors ${processorMs} ms)`
      console.log(`${round + 1} bare ${text(bare)}, empty ${text(empty)}, filled ${text(filled)}`)
    }
    const of = (value: (one: (typeof results)[number]) => number) => median(results.map(value))
    return {
      emptyMs: Math.round(of((one) => one.empty.ms)),
      filledMs: Math.round(of((one) => one.filled.ms)),
      bareMs: Math.round(of((one) => one.bare.ms)),
      emptyProcessorMs: of((one) => one.empty.processorMs),
      filledProcessorMs: of((one) => one.filled.processorMs),
      emptyRatio: rounded(of((one) => one.empty.ms / one.bare.ms)),
      filledRatio: rounded(of((one) => one.filled.ms / one.bare.ms)),
      ...size,
      rounds,
    }
  } finally {
    rmSync(filledDir, { recursive: true, force: true })
  }
}

async function fill(dataDir: string, { codes, scans }: { codes: number; scans: number }): Promise<void> {
  const { service, orgId } = await startBenchService({ DATA_DIR: dataDir })
  try {
    await addCodes(service, orgId, { codes })
    await addScans(service, orgId, scans)
  } finally {
    await service.stop()
  }
}

async function startService(dataDir: string): Promise<Started> {
  const port = await freePort()
  const env = { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' }
  return timeStart('npm', ['start', '--silent'], { url: `http://127.0.0.1:${port}/readyz`, env, status: 200 })
}

async function startBare(): Promise<Started> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  return timeStart(process.execPath, [bareServer, String(port)], { url, env: {}, status: 302 })
}

/** `ms`: until the first answer. `processorMs`: until the end, of all processes. */
type Started = { ms: number; processorMs: number }
type Start = { url: string; env: Readonly<Record<string, string>>; status: number }

/** Starts a command in a process group of its own, waits for the response, and ends the group. */
async function timeStart(command: string, args: string[], start: Start): Promise<Started> {
  const fromMs = childrenProcessorMs()
  const ms = await timeAnswer(command, args, start)
  return { ms, processorMs: childrenProcessorMs() - fromMs }
}

async function timeAnswer(command: string, args: string[], { url, env, status }: Start): Promise<number> {
  const fromMs = performance.now()
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const exited = once(child, 'exit')
  try {
    while (performance.now() - fromMs < startMsMax) {
      const answered = await fetch(url, { redirect: 'manual' }).then(
        (response) => response.status,
        () => 0,
      )
      if (answered === status) return performance.now() - fromMs
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`)
      await sleep(pollMs)
    }
    throw new Error(`${command} was not ready within ${startMsMax} ms`)
  } finally {
    if (child.pid !== undefined && child.exitCode === null) sendSignal(-child.pid, 'SIGTERM')
    await exited
  }
}

/** Returns what all ended descendants used. Source: proc(5), `cutime` and `cstime`, in 10 ms. */
function childrenProcessorMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
