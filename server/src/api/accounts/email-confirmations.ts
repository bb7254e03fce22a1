import { ConfirmEmail, RequestedEmailConfirmation } from '@everscan/contract/resources/email-confirmations.ts'
import { User } from '@everscan/contract/resources/users.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { confirmEmail } from '../../catalogue/accounts/email-confirmation.ts'
import { inTransaction } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { endpoint } from '../http/endpoint.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { mailLanguage } from '../../product/mails/mail-languages.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
import { emailConfirmationMail, mailNotSent } from '../../product/mails/account-mails.ts'
import { readOwnAccount } from './sign-in.ts'

const tag = 'Signing in'
const path = '/users/me/email-confirmation'
const hourMs = 3_600_000

/** A link proves this. It is sealed under the id of the account, so no other account can use it. */
type Proof = { email: string; expiresAtMs: number }

export const request = endpoint({
  id: 'requestEmailConfirmation',
  method: 'POST',
  path,
  role: 'session',
  tag,
  summary: 'Send a mail with a link that confirms the e-mail address of the signed-in account.',
  description: `The link works for ${limits.emailConfirmationHours} h, with a session of the account. 403 if the installation sends no mails; 409 if the address is confirmed already.`,
  status: 202,
  response: RequestedEmailConfirmation,
  errors: [409],
  handle: async ({ db, accounts, config, clock }, { userId }, input) => {
    const { mailer, attempts, emailConfirmationBox } = accounts
    if (mailer === undefined) throw new ApiError(403, 'FORBIDDEN', 'This installation sends no mails.')
    const account = await readOwnAccount(db, userId)
    const { email, emailConfirmedAt } = account
    if (emailConfirmedAt !== null)
      throw new ApiError(409, 'CONFLICT', 'Your e-mail address is confirmed already.')
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

export const confirm = endpoint({
  id: 'confirmEmail',
  method: 'POST',
  path: `${path}/confirm`,
  role: 'session',
  tag,
  summary: 'Confirm the e-mail address of the signed-in account.',
  description:
    'Requires the part of the link after "#". Changes nothing if the address is confirmed already. 404 if the token has expired or belongs to another account.',
  body: ConfirmEmail,
  status: 200,
  response: User,
  errors: [404],
  handle: async (context, { userId }, input) => {
    const { db, accounts, clock } = context
    const opened = accounts.emailConfirmationBox.open(input.body.token, userId)
    const proof = opened === undefined ? undefined : (JSON.parse(opened) as Proof)
    const { email } = await readOwnAccount(db, userId)
    if (proof === undefined || proof.expiresAtMs <= clock() || proof.email !== email)
      throw new ApiError(
        404,
        'NOT_FOUND',
        'This link has expired, or belongs to another account. Request a new one in your account.',
      )
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
