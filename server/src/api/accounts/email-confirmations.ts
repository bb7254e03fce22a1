import { emailConfirmations } from '@everscan/contract/endpoints/accounts/email-confirmations.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { confirmEmail } from '../../catalogue/accounts/email-confirmation.ts'
import { inTransaction } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { handler } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { mailLanguage } from '../../product/mails/mail-languages.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { emailConfirmationMail, mailNotSent } from '../../product/mails/account-mails.ts'
import { readOwnAccount } from './sign-in.ts'
const hourMs = 3_600_000

/** A link proves this. It is sealed under the id of the account, so no other account can use it. */
type Proof = { email: string; expiresAtMs: number }

export const request = handler(emailConfirmations.request, {
  handle: async ({ db, accounts, config, clock }, { userId }, input) => {
    const { mailer, attempts, emailConfirmationBox } = accounts
    if (mailer === undefined) throw new ApiError(403, 'FORBIDDEN', problem('noMails'))
    const account = await readOwnAccount(db, userId)
    const { email, emailConfirmedAt } = account
    if (emailConfirmedAt !== null) throw new ApiError(409, 'CONFLICT', problem('emailConfirmedBefore'))
    // Protects mailboxes from being filled: each further mail has to wait longer.
    await attempts.begin(triedMail(userId), clock())
    const proof: Proof = { email, expiresAtMs: clock() + limits.emailConfirmationHours * hourMs }
    const token = emailConfirmationBox.seal(JSON.stringify(proof), userId)
    const url = appAddress(config.publicUrl, 'emailConfirmation', token)
    const mail = emailConfirmationMail(mailLanguage(account, input), { url })
    if (!(await mailer({ to: email, ...mail }))) throw mailNotSent()
    return { mailed: true as const }
  },
})

export const confirm = handler(emailConfirmations.confirm, {
  handle: async (context, { userId }, input) => {
    const { db, accounts, clock } = context
    const opened = accounts.emailConfirmationBox.open(input.body.token, userId)
    const proof = opened === undefined ? undefined : (JSON.parse(opened) as Proof)
    const { email } = await readOwnAccount(db, userId)
    if (proof === undefined || proof.expiresAtMs <= clock() || proof.email !== email)
      throw new ApiError(404, 'NOT_FOUND', problem('confirmationLinkUnknown'))
    const by = { source: accountSource(input), nowMs: clock() }
    if (await inTransaction(db, (tx) => confirmEmail(tx, userId, by)))
      reportOutcome(context, input, { accountId: userId, action: 'email.confirm' })
    await accounts.attempts.succeed(triedMail(userId))
    return readOwnAccount(db, userId)
  },
})

function triedMail(userId: string): string {
  return `email confirmation ${userId}`
}
