import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Role } from '../messages.ts'
import type { TriedPackage } from './native-trial-main.ts'
import type { NativeName } from './native-trials.ts'

/** A native package that does not work on this machine. */
export type FailedPackage = {
  name: NativeName
  /** The least processor that it is built for, as its makers call it. */
  needs: string
  /** The signal that ended a process which used it, or the system's words. */
  reason: string
}

/** Processes that cannot run without a package. Without the first, none can. */
const users: Readonly<Record<NativeName, readonly Role[]>> = {
  'better-sqlite3': ['front', 'api', 'worker', 'engine'],
  sharp: ['api', 'worker'],
  '@duckdb/node-api': ['engine'],
}

/** Signals of code on a processor that it was not made for. */
const faults: readonly string[] = ['SIGILL', 'SIGSEGV', 'SIGBUS', 'SIGFPE', 'SIGTRAP', 'SIGABRT']
/** A machine that is so busy proves nothing. */
const trialMsMax = 60_000

const ownProgram = fileURLToPath(new URL('./native-trial-main.ts', import.meta.url))
const lockfile = fileURLToPath(new URL('../../../../package-lock.json', import.meta.url))

type Options = {
  /** Has the note; without it, the packages are tried in any case. */
  dataDir?: string
  env: NodeJS.ProcessEnv
  /** Whether scans are in files of this machine, which DuckDB reads. */
  hasEngine: boolean
  /** A program that tells `TriedPackage` for each name of its command line. */
  program?: string
}

/**
 * Returns the native packages that do not work on this machine. Each does a small piece of work in
 * another process, at the first start on a machine and after an update. If all work, `run` in the
 * data directory then has a note, so that further starts only read it.
 */
export async function failedPackages({
  dataDir,
  env,
  hasEngine,
  program,
}: Options): Promise<FailedPackage[]> {
  const names: NativeName[] = [
    'better-sqlite3',
    'sharp',
    ...(hasEngine ? (['@duckdb/node-api'] as const) : []),
  ]
  const note = dataDir === undefined ? undefined : noteOf(names)
  const path = join(dataDir ?? '', 'run', 'native-packages')
  if (note !== undefined && readText(path) === note) return []
  const { failed, isSure } = await tryPackages(names, { env, program })
  if (failed.length === 0 && isSure && note !== undefined) writeNote(path, note)
  return failed
}

/** Returns the processes that cannot run without these packages. */
export function rolesWithout(failed: readonly FailedPackage[]): ReadonlySet<Role> {
  return new Set(failed.flatMap(({ name }) => users[name]))
}

/** `isSure` is false if a trial was cut short, so that nothing is known of the rest. */
async function tryPackages(
  names: readonly NativeName[],
  { env, program = ownProgram }: { env: NodeJS.ProcessEnv; program: string | undefined },
): Promise<{ failed: FailedPackage[]; isSure: boolean }> {
  const failed: FailedPackage[] = []
  const fail = (name: NativeName, reason: string): void =>
    void failed.push({ name, needs: leastProcessor(name), reason })
  for (let left = names; left.length > 0;) {
    const { tried, fault } = await runTrial(program, left, env)
    for (const [at, { reason }] of tried.entries())
      if (reason !== undefined) fail(left[at] as NativeName, reason)
    const [ended, ...rest] = left.slice(tried.length)
    if (ended === undefined) break
    if (fault === undefined) return { failed, isSure: false }
    fail(ended, fault)
    left = rest
  }
  return { failed, isSure: true }
}

/** `fault` is how it ended before all were tried; undefined if this says nothing of the package. */
async function runTrial(
  program: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ tried: TriedPackage[]; fault: string | undefined }> {
  const tried: TriedPackage[] = []
  const child = fork(program, names, { env, execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  child.on('message', (told: TriedPackage) => void tried.push(told))
  const timer = setTimeout(() => child.kill('SIGKILL'), trialMsMax)
  try {
    // Comes after the last message, unlike the end of the process.
    const [, [, signal]] = await Promise.all([once(child, 'disconnect'), once(child, 'exit')])
    return { tried, fault: faults.includes(signal) ? signal : undefined }
  } catch {
    // No process could be started.
    return { tried, fault: undefined }
  } finally {
    clearTimeout(timer)
  }
}

/** As the makers of the packages say it. */
function leastProcessor(name: NativeName): string {
  if (process.arch !== 'x64') return process.arch === 'arm64' ? 'ARMv8-A' : process.arch
  return name === 'sharp' ? 'x86-64-v2 (SSE4.2)' : 'x86-64'
}

/** Returns a hash of the packages and of the processor; undefined if a part of it is unknown. */
function noteOf(names: readonly string[]): string | undefined {
  const versions = readText(lockfile)
  if (versions === undefined) return undefined
  const parts = [
    process.version,
    process.arch,
    cpus()[0]?.model ?? '',
    processorFeatures(),
    versions,
    ...names,
  ]
  return createHash('sha256').update(parts.join('\n')).digest('hex')
}

/** The features of the first processor on Linux; empty elsewhere. */
function processorFeatures(): string {
  return /^(?:flags|Features)\s*:.*$/m.exec(readText('/proc/cpuinfo') ?? '')?.[0] ?? ''
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Without the note, the next start tries the packages again. */
function writeNote(path: string, note: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, note, { mode: 0o600 })
  } catch {
    // A data directory that cannot be written is told by the lock.
  }
}
