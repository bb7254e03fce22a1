import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { readConfig } from './config.ts'
import { errorMessage, UnmendableError } from './errors.ts'
import { fatalExitCode, roles } from './processes/messages.ts'

// Five processes read the same sources, again at each start: what Node makes of them is kept where packages are, if that can be written.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compiled'))

// Without arguments this is `main`, which keeps the other processes alive; they run this same file with their role.
const [roleName, ...args] = process.argv.slice(2)
const role = roles.find((known) => known === roleName)

try {
  const config = readConfig()
  const { runRole, startService } = await import('./app.ts')
  if (roleName === 'reset-password') await (await import('./reset-password.ts')).resetPassword(config, args)
  else if (role === undefined) await startService(config, import.meta.filename)
  else await runRole(role, Number(args[0] ?? '0'), config)
} catch (error) {
  process.stderr.write(`everscan${role === undefined ? '' : ` ${role}`}: ${errorMessage(error)}\n`)
  process.exit(role !== undefined && error instanceof UnmendableError ? fatalExitCode : 1)
}
