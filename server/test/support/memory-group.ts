import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { errorMessage } from '../../src/errors.ts'

const root = '/sys/fs/cgroup'
const sampleMs = 50
const mib = 1024 ** 2

/** The names that a version of control groups has for files, and for lines of `memory.stat`. */
const versions = [
  {
    folder: join(root, 'memory'),
    sign: 'memory.limit_in_bytes',
    limit: 'memory.limit_in_bytes',
    most: 'memory.max_usage_in_bytes',
    kills: 'memory.oom_control',
    held: ['total_rss', 'total_swap'],
  },
  {
    folder: root,
    sign: 'cgroup.controllers',
    limit: 'memory.max',
    most: 'memory.peak',
    kills: 'memory.events',
    held: ['anon'],
  },
] as const

export type GroupMemory = {
  /** The most that processes had of their own since the last call, without files. */
  peakMb: number
  /** Of which each process had how much. */
  atPeak: string
  /** The most with files of the system's cache, which gives way. */
  withFilesMb: number
  kills: number
}

/** Processes that together may have so much memory. Linux, as root. */
export class MemoryGroup {
  readonly #version: (typeof versions)[number]
  readonly #folder: string
  readonly #sampling: NodeJS.Timeout
  #peakBytes = 0
  #atPeak = ''

  /** Throws a sentence where no such group can be made. */
  constructor(name: string, limitMb: number) {
    const version = versions.find(({ folder, sign }) => existsSync(join(folder, sign)))
    assert.ok(version, `this system has no control groups for memory in ${root}: run this on Linux`)
    this.#version = version
    this.#folder = join(version.folder, `everscan-${name}-${process.pid}`)
    try {
      mkdirSync(this.#folder)
      writeFileSync(join(this.#folder, version.limit), String(limitMb * mib))
    } catch (error) {
      throw new Error(
        `no control group for memory can be made in ${version.folder}, which takes root and a writable folder: ${errorMessage(error)}`,
        { cause: error },
      )
    }
    this.#sampling = setInterval(() => this.#sample(), sampleMs).unref()
  }

  /** The words before those of a command line whose processes live in the group. */
  get words(): readonly [program: string, ...words: string[]] {
    return ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(this.#folder, 'cgroup.procs')]
  }

  /** Throws if nobody has lived in the group since the last call. */
  read(): GroupMemory {
    this.#sample()
    const peakMb = Math.round(this.#peakBytes / mib)
    assert.ok(this.#peakBytes > 0, 'no process is in the control group')
    this.#peakBytes = 0
    const kills = Number(/^oom_kill (\d+)/m.exec(this.#text(this.#version.kills))?.[1] ?? 0)
    return {
      peakMb,
      atPeak: this.#atPeak,
      withFilesMb: Math.round(Number(this.#text(this.#version.most)) / mib),
      kills,
    }
  }

  /** Removes the group. Who is left in it goes on without a limit. */
  remove(): void {
    clearInterval(this.#sampling)
    for (const pid of this.#text('cgroup.procs').split('\n').filter(Boolean))
      writeFileSync(join(this.#version.folder, 'cgroup.procs'), pid)
    rmdirSync(this.#folder)
  }

  #sample(): void {
    const stat = this.#text('memory.stat')
    const held = this.#version.held.map((name) =>
      Number(new RegExp(`^${name} (\\d+)`, 'm').exec(stat)?.[1] ?? 0),
    )
    const bytes = held.reduce((sum, one) => sum + one, 0)
    if (bytes <= this.#peakBytes) return
    this.#peakBytes = bytes
    this.#atPeak = this.#text('cgroup.procs').split('\n').flatMap(memoryOf).join(', ')
  }

  #text(name: string): string {
    return readFileSync(join(this.#folder, name), 'utf8')
  }
}

/** Returns the title of a process, and what it has of its own; nothing if it has ended. */
function memoryOf(pid: string): string[] {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0] ?? ''
    const own = /^Anonymous: +(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return [`${basename(title)} ${Math.round(Number(own) / 1024)}`]
  } catch {
    return []
  }
}
