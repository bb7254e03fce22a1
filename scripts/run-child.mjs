// Shared by the scripts that run first: plain JavaScript for any Node on the machine.
import { spawn } from 'node:child_process'
import process from 'node:process'

const parentCheckMs = 100
/** Our parent process. `./everscan` passes its id, because it may end before this line runs. */
const parent = Number(process.argv[2]) || process.ppid
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/**
 * Runs a program with its output on standard error, so that a script's standard output stays its
 * own. Returns whether it succeeded. The program ends with us, even if our parent is killed: a
 * half-done installation that continued alone would get in the way of the next one.
 */
export async function runChild(command, args, { cwd }) {
  const child = spawn(command, args, { cwd, stdio: ['ignore', 2, 2] })
  const ended = new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  const endBoth = async (exitCode) => {
    child.kill('SIGTERM')
    await ended
    process.exit(exitCode)
  }
  const listeners = Object.entries(exitCodes).map(([signal, code]) => [signal, () => void endBoth(code)])
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const timer = setInterval(() => {
    if (process.ppid !== parent) void endBoth(1)
  }, parentCheckMs)
  const succeeded = await ended
  clearInterval(timer)
  for (const [signal, listener] of listeners) process.off(signal, listener)
  return succeeded
}
