import { join } from 'node:path'
import process from 'node:process'
import { readConfig } from './config.ts'
import { errorMessage, FatalError } from './errors.ts'
import { isOrphan } from './processes/child.ts'
import { fatalExitCode, roles } from './processes/messages.ts'

// Without arguments, and as `start`, this is `main`, which keeps the other processes alive; they run the same entry with
// their role. Everything else is a command of the operator.
const words = process.argv.slice(2)
const [word, index = '0'] = words
const role = roles.find((known) => known === word)

try {
  if (word === 'compile')
    // Runs before a start: it needs no settings, and leaves nothing but Node's cache.
    await (await import('./app/service.ts')).importAll()
  else {
    // Nothing that the service or a command makes is for other users of the machine.
    process.umask(0o077)
    await run()
  }
} catch (error) {
  process.stderr.write(`everscan${role === undefined ? '' : ` ${role}`}: ${errorMessage(error)}\n`)
  process.exit(role !== undefined && error instanceof FatalError ? fatalExitCode : 1)
}

async function run(): Promise<void> {
  if (role !== undefined)
    await (await import('./app/service.ts')).runRole(role, Number(index), readConfig(undefined, role))
  else if (word === 'prepare')
    await (await import('./app/service.ts')).runPreparation(readConfig(undefined, 'prepare'), words)
  else if (word === undefined || (word === 'start' && words.length === 1)) await start()
  else {
    // `everscan users list | head` closes it early.
    process.stdout.on('error', () => undefined)
    // `main` lives as long as the service: the commands and what they import are kept out of its memory.
    const { runCommand } = await import('./commands/run-command.ts')
    const code = await runCommand(words, {
      readConfig,
      start,
      loadParts: async () => (await import('./app/doctor.ts')).parts,
      output: process.stdout,
      errors: process.stderr,
      interrupted: abortedBySignals,
    })
    if (code !== undefined) process.exitCode = code
  }
}

/** Aborted by the first of them; the next one ends the process as if nobody had listened. */
function abortedBySignals(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopping.abort(new Error('interrupted: nothing was left behind.')))
  // A scheduled copy ends with the worker that began it; to listen for that alone keeps no process alive.
  const orphaned = (): void => stopping.abort(new Error('the service ended: nothing was left behind.'))
  process.once('disconnect', orphaned)
  process.channel?.unref()
  // It may have gone while this process was starting: that event came before anybody listened.
  if (isOrphan()) orphaned()
  return stopping.signal
}

async function start(): Promise<void> {
  const config = readConfig()
  const { startService } = await import('./app/service.ts')
  await startService(config, join(import.meta.dirname, 'main.mjs'))
}
