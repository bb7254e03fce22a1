import { readFileSync } from 'node:fs'
import process from 'node:process'

/** Linux tells times of processes in hundredths of a second. */
const ticksPerSecond = 100

/**
 * Returns the processor time of this process and of the children that ended, theirs included, in
 * seconds. Where there is no /proc it is that of this process.
 */
export function processorSeconds(): number {
  try {
    // After the name, which may hold spaces: fields 14 to 17 are utime, stime, cutime and cstime.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
}
