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

/** Reads the memory of the machine, and its limit for this process. */
export function readMemory(): Memory {
  const available = /^MemAvailable: +(\d+) kB/m.exec(fileText('/proc/meminfo') ?? '')?.[1]
  const limit = Number(cgroupFile('memory.max') ?? Number.NaN)
  const kills = /^oom_kill (\d+)/m.exec(cgroupFile('memory.events') ?? '')?.[1]
  return {
    totalBytes: totalmem(),
    availableBytes: available === undefined ? freemem() : Number(available) * 1024,
    // "max" is not a number: there is no limit.
    limitBytes: Number.isFinite(limit) ? limit : undefined,
    oomKills: Number(kills ?? 0),
  }
}

/** Returns a file of the control group (version 2) of this process; undefined if there is none. */
export function cgroupFile(name: string): string | undefined {
  const group = /^0::(.*)$/m.exec(fileText('/proc/self/cgroup') ?? '')?.[1]
  return group === undefined ? undefined : fileText(join('/sys/fs/cgroup', group, name))
}

function fileText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
