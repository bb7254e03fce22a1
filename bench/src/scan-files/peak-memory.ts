import { readFileSync } from 'node:fs'

/** Returns the most memory that a process had, in MB. Source: proc(5), `VmHWM`. */
export function peakMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}
