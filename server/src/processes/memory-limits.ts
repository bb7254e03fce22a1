import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import { bytesText, countText } from '../amounts.ts'

export type Memory = {
  totalBytes: number
  availableBytes: number
  /** The limit of the control group (container, systemd unit) of this process. */
  limitBytes: number | undefined
  oomKills: number
}

/** A service with scans in files uses no more, as a rule. */
export const memoryBytesNeeded = 1024 ** 3
/** The remedy for too little memory. */
export const moreMemory = 'give the machine, the container or the systemd unit (MemoryMax) more memory'

/**
 * Returns what a sentence says of a process after SIGKILL that we did not send: the kernel sends it
 * for lack of memory, and nothing else as a rule.
 */
export function killedText(memory = readMemory()): string {
  return (
    `killed from outside, as a rule for lack of memory (${memoryText(memory)}): ` +
    `the service needs ${bytesText(memoryBytesNeeded)}; ${moreMemory}`
  )
}

/** Returns what a log line says of the memory. */
export function memoryText({ totalBytes, availableBytes, limitBytes, oomKills }: Memory): string {
  const limit = limitBytes === undefined ? 'no limit' : `a limit of ${bytesText(limitBytes)}`
  const kills = oomKills === 0 ? '' : `, ${countText(oomKills, 'process', 'processes')} killed for it`
  return `${limit}, ${bytesText(availableBytes)} of ${bytesText(totalBytes)} of the machine free${kills}`
}

/** The folders of the system for processes and for control groups. Tests have others. */
type Places = { proc: string; groups: string }
const systemPlaces: Places = { proc: '/proc', groups: '/sys/fs/cgroup' }

/** Reads the memory of the machine, and its limit for this process. */
export function readMemory(places = systemPlaces): Memory {
  const available = /^MemAvailable: +(\d+) kB/m.exec(fileText('/proc/meminfo') ?? '')?.[1]
  const { limit, events } = memoryOfGroup(places)
  const kills = /^oom_kill (\d+)/m.exec(events ?? '')?.[1]
  return {
    totalBytes: totalmem(),
    availableBytes: available === undefined ? freemem() : Number(available) * 1024,
    // "max" is not a number: there is no limit.
    limitBytes: Number.isFinite(limit) && limit < noLimitMin ? limit : undefined,
    oomKills: Number(kills ?? 0),
  }
}

/**
 * Returns how a process keeps within a limit of less than 1 GB: its words for Node, and variables
 * for the allocator of glibc. V8 does not see limits of version 1, and lets garbage grow as on the
 * whole machine; the allocator keeps large pieces that were freed.
 */
export function smallMemory({ limitBytes = Infinity }: Pick<Memory, 'limitBytes'> = readMemory()): {
  words: readonly string[]
  environment: Readonly<Record<string, string>>
} {
  if (limitBytes >= memoryBytesNeeded) return { words: [], environment: {} }
  const heapMb = Math.floor(limitBytes / heapShare / 1024 ** 2)
  return { words: [`--max-old-space-size=${heapMb}`], environment: smallPieces }
}

/** V8 takes a quarter of a small machine, too. */
const heapShare = 4
const smallPieces = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '131072',
}

/** Version 1 tells the most that it can count, in whole pages, if there is no limit. */
const noLimitMin = 2 ** 62

function memoryOfGroup(places: Places): { limit: number; events: string | undefined } {
  const limit = cgroupFile('memory.max', places)
  if (limit !== undefined) return { limit: Number(limit), events: cgroupFile('memory.events', places) }
  const stat = oldGroupFile('memory.stat', places) ?? ''
  return {
    // That of this group and those above it.
    limit: Number(/^hierarchical_memory_limit (\d+)/m.exec(stat)?.[1] ?? Number.NaN),
    events: oldGroupFile('memory.oom_control', places),
  }
}

/** Returns a file of the control group (version 2) of this process; undefined if there is none. */
export function cgroupFile(name: string, { proc, groups } = systemPlaces): string | undefined {
  const group = /^0::(.*)$/m.exec(fileText(join(proc, 'self/cgroup')) ?? '')?.[1]
  return group === undefined ? undefined : fileText(join(groups, group, name))
}

/**
 * Returns a file of the control group (version 1) for memory of this process. A container sees its
 * own group as the uppermost one, under whatever name it has outside.
 */
function oldGroupFile(name: string, { proc, groups }: Places): string | undefined {
  const group = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m.exec(
    fileText(join(proc, 'self/cgroup')) ?? '',
  )?.[1]
  if (group === undefined) return undefined
  const folder = join(groups, 'memory')
  return fileText(join(folder, group, name)) ?? fileText(join(folder, name))
}

function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
