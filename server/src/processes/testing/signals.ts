import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/**
 * Sends a signal to a process that a test started; or to its process group, for `-pid`. Throws for
 * 0, 1 and -1, which a missing or half-written process id becomes: they mean the group of the test
 * run itself, the first process of the machine, and everything on it. Also throws if the process is
 * gone.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  assert.ok(Number.isInteger(pid) && Math.abs(pid) > 1, `${pid} is no process of a test`)
  process.kill(pid, signal)
}

/** Whether a process is running; an ended process that was not reaped is not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3))
  } catch {
    return false
  }
}
