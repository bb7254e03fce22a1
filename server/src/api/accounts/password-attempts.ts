import type { IncomingHttpHeaders } from 'node:http'
import { findUserByEmail, normalEmail } from '../../catalogue/accounts/users.ts'
import type { AccountContext } from '../../product/accounts/account-tools.ts'
import { networkOf } from '../../limits/networks.ts'
import { findDevice, sealedDevices } from './known-devices.ts'

/** An attempt to name the password of an account, counted as failed until it succeeds. */
export type PasswordAttempt = { succeed: () => void | Promise<void> }

/**
 * Counts an attempt to name the password of the account with this address, whether or not the
 * account exists. Throws ApiError 429 if it has to wait. A device that signed in to the account
 * before counts only for itself, so nobody else can make its owner wait. All others count by
 * account and network, and for the account from everywhere.
 */
export async function beginPasswordAttempt(
  context: AccountContext,
  { headers, ip }: { headers: IncomingHttpHeaders; ip: string },
  email: string,
): Promise<PasswordAttempt> {
  const { attempts, brake } = context.accounts
  const nowMs = context.clock()
  const device = await deviceOf(context, headers, email)
  if (device !== undefined) {
    const tried = `device ${device}`
    await attempts.begin(tried, nowMs)
    return { succeed: () => attempts.succeed(tried) }
  }
  const account = normalEmail(email)
  const network = networkOf(ip)
  const tried = `password ${account} ${network}`
  // An attempt that one of the two refuses must not count in the other.
  await attempts.check(tried, nowMs)
  const braked = await brake.begin(account, network, nowMs)
  await attempts.begin(tried, nowMs)
  return {
    succeed: async () => {
      await attempts.succeed(tried)
      await braked.succeed()
    },
  }
}

async function deviceOf(
  { db, accounts, config, clock }: AccountContext,
  headers: IncomingHttpHeaders,
  email: string,
): Promise<string | undefined> {
  const sealed = sealedDevices(headers, config.publicUrl)
  if (sealed.length === 0) return undefined
  return findDevice(accounts.deviceBox, await findUserByEmail(db, email), { sealed, nowMs: clock() })
}
