// What the scripts that run before everything else share: plain JavaScript for whatever Node the machine has.
import { spawn } from 'node:child_process'
import process from 'node:process'

const parentCheckMs = 100
/** Who started us: told by `./everscan`, which may be gone before the first line here runs. */
const parent = Number(process.argv[2]) || process.ppid
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/**
 * Runs a program; its output goes to standard error, so that a script's standard output stays its own. Gives whether it
 * succeeded. The program ends with us: also when our parent was killed, as a half-done installation that went on by
 * itself would be in the way of the next one.
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
