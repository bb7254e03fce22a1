import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { readConfig } from './settings/config.ts'
import { errorMessage, FatalError } from './errors.ts'
import { isOrphan } from './processes/child.ts'
import { fatalExitCode, roles } from './processes/messages.ts'

// Without arguments, and with `start`, this process is `main`, which keeps the other processes
// alive. They run the same entry point with their role. Any other word is a command of the
// operator.
const words = process.argv.slice(2)
const [word, index = '0'] = words
const role = roles.find((known) => known === word)
const demoOption = '--demo'

try {
  if (word === 'compile')
    // Runs before a start. Needs no settings, and leaves only Node's cache.
    await (await import('./app/service.ts')).importAll()
  else {
    // No file of the service or of a command may be readable by other users of the machine.
    process.umask(0o077)
    await run()
  }
} catch (error) {
  process.stderr.write(`everscan${role === undefined ? '' : ` ${role}`}: ${errorMessage(error)}\n`)
  process.exit(role !== undefined && error instanceof FatalError ? fatalExitCode : 1)
}

async function run(): Promise<void> {
  if (role !== undefined)
    await (
      await import('./app/service.ts')
    ).runRole(role, readConfig(undefined, role), { index: Number(index), words })
  else if (word === 'prepare')
    await (await import('./app/service.ts')).runPreparation(readConfig(undefined, 'prepare'), words)
  else if (word === undefined || isPlainStart(words)) await start({ demo: words.includes(demoOption) })
  else {
    // `everscan users list | head` closes standard output early.
    process.stdout.on('error', () => undefined)
    // `main` lives as long as the service: it does not load the commands and their imports.
    const { runCommand } = await import('./commands/run-command.ts')
    const code = await runCommand(words, {
      readConfig,
      start,
      loadParts: async () => (await import('./doctor/parts.ts')).parts,
      output: process.stdout,
      errors: process.stderr,
      interrupted: abortedBySignals,
    })
    if (code !== undefined) process.exitCode = code
  }
}

/** Whether the words start the service, so that no command needs to be loaded. */
function isPlainStart([first = '', ...options]: readonly string[]): boolean {
  return first === 'start' && options.every((option) => option === demoOption)
}

/** Returns a signal that SIGINT, SIGTERM or SIGHUP aborts; a second one ends the process. */
function abortedBySignals(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stopping.abort(new Error('interrupted: nothing was left behind.')))
  // A scheduled copy ends with the worker that began it. This listener alone must not keep the
  // process alive.
  const orphaned = (): void => stopping.abort(new Error('the service ended: nothing was left behind.'))
  process.once('disconnect', orphaned)
  process.channel?.unref()
  // The worker may have ended while this process was starting, before the listener was added.
  if (isOrphan()) orphaned()
  return stopping.signal
}

async function start({ demo }: { demo: boolean }): Promise<void> {
  const config = readConfig()
  const { startService } = await import('./app/service.ts')
  await startService(config, fileURLToPath(new URL('./main.mjs', import.meta.url)), { demo })
}
