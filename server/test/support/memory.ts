import { readFileSync } from 'node:fs'
import type { Service } from './service.ts'

/** Watches the resident memory of processes of a service, 100 times per second. */
export function watchMemory(service: Service, roles: readonly string[]): { grownMb: () => number } {
  const atStart = new Map(roles.flatMap(service.pids).map((pid) => [pid, memoryMb(pid)]))
  let peakMb = 0
  const watch = setInterval(() => {
    for (const [pid, mb] of atStart) peakMb = Math.max(peakMb, memoryMb(pid) - mb)
  }, 10)
  // A test that fails before it reads the figure must still end.
  watch.unref()
  return {
    /** Stops watching and returns the largest growth of any process since the start. */
    grownMb: () => {
      clearInterval(watch)
      return peakMb
    },
  }
}

/** Resident memory of a process in MB. Source: proc(5), `VmRSS`. */
function memoryMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Math.round(Number(kb ?? 0) / 1024)
}
