import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Puts a process with all its threads on one core; false where `taskset` is not there (other systems than Linux). */
export function pinToCore(pid: number, core: number): boolean {
  return quietly('taskset', ['-a', '-p', '-c', String(core), String(pid)])
}

/** The lowest priority, so that background work takes only what is left of its core. */
export function lowerPriority(pid: number): boolean {
  return quietly('renice', ['-n', '19', '-p', String(pid)])
}

/** What measures comes before what is measured; false where that is not permitted. */
export function raisePriority(pid: number): boolean {
  return quietly('renice', ['-n', '-10', '-p', String(pid)])
}

/** User and system time that a process has used so far, in milliseconds. Source: proc(5), fields 14 and 15 in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function quietly(command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
