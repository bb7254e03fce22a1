import { join } from 'node:path'
import process from 'node:process'
import { readConfig, type Config } from './config.ts'
import { errorMessage, UnmendableError } from './errors.ts'
import { fatalExitCode, roles } from './processes/messages.ts'

// Without arguments this is `main`, which keeps the other processes alive; they run the same entry with their role.
const [roleName, ...args] = process.argv.slice(2)
const role = roles.find((known) => known === roleName)

try {
  // `npm start` runs this first: it needs no settings, and leaves nothing but Node's cache.
  if (roleName === 'compile') await (await import('./app.ts')).importAll()
  else await run(readConfig())
} catch (error) {
  process.stderr.write(`everscan${role === undefined ? '' : ` ${role}`}: ${errorMessage(error)}\n`)
  process.exit(role !== undefined && error instanceof UnmendableError ? fatalExitCode : 1)
}

async function run(config: Config): Promise<void> {
  const { runPreparation, runRole, startService } = await import('./app.ts')
  if (roleName === 'reset-password') await (await import('./reset-password.ts')).resetPassword(config, args)
  else if (roleName === 'prepare') await runPreparation(config)
  else if (role === undefined) await startService(config, join(import.meta.dirname, 'main.mjs'))
  else await runRole(role, Number(args[0] ?? '0'), config)
}
