import { parseArgs } from 'node:util'
import { limits } from '@everscan/contract/limits.ts'
import { appAddress } from './api/app-addresses.ts'
import { createPasswordReset } from './catalogue/password-resets.ts'
import { removeTwoFactor } from './catalogue/two-factor.ts'
import { findUserByEmail } from './catalogue/users.ts'
import type { Config } from './config.ts'
import { inTransaction } from './db/database.ts'
import { openDatabase } from './db/open-database.ts'
import { createLog } from './log.ts'

const usage = 'npm run reset-password -- [--remove-two-factor] <e-mail address of the account>'

/**
 * For the operator, also while the service runs: prints an address under which the owner of an account sets a new password, and can take away
 * a second factor that was lost. Throws an Error a person can act on.
 */
export async function resetPassword(config: Config, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { 'remove-two-factor': { type: 'boolean', default: false } },
  })
  const [email] = positionals
  if (email === undefined || positionals.length > 1) throw new Error(`expected one account: ${usage}`)
  const { dataDir, databaseUrl } = config
  const log = createLog({ level: 'warn', role: 'reset-password' })
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  try {
    const user = await findUserByEmail(db, email)
    if (user === undefined) throw new Error(`no account has the e-mail address ${email}`)
    const { token } = await inTransaction(db, async (tx) => {
      if (values['remove-two-factor']) await removeTwoFactor(tx, user.id)
      return createPasswordReset(tx, { userId: user.id, nowMs: Date.now() })
    })
    const lines = [
      ...(values['remove-two-factor'] ? ['Two-factor sign-in is off.'] : []),
      `A new password can be set here, once, within ${limits.passwordResetHours} h:`,
      appAddress(config.publicUrl, 'passwordReset', token),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    await db.close()
  }
}
