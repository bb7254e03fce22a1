import { signUps } from '@everscan/contract/endpoints/accounts/sign-ups.ts'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { hashNewPassword } from '../../catalogue/accounts/new-passwords.ts'
import { createAccount, type RequestedAccount } from '../../catalogue/organizations/sign-ups.ts'
import { countUnprovedMail, nextMailDayMs } from '../../catalogue/mails/mail-counts.ts'
import { findUserByEmail, normalEmail, type UserRow } from '../../catalogue/accounts/users.ts'
import { ApiError } from '../../errors.ts'
import { appAddress } from '../../product/mails/app-addresses.ts'
import { handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { mailLanguage, wantedLanguage } from '../../product/mails/mail-languages.ts'
import type { Mailer } from '../../product/mails/mailer.ts'
import {
  accountExistsMail,
  mailNotSent,
  signUpMail,
  takeOverMail,
} from '../../product/mails/account-mails.ts'
import { validationError } from '../../request-errors.ts'
import { accountSource, requestSource } from '../../product/accounts/request-sources.ts'
import { reportOutcome } from '../../product/accounts/account-outcomes.ts'
const hourMs = 3_600_000
/** The purpose under which a pending account is sealed. */
const sealName = 'sign-up'

/**
 * A pending account exists only in its link, so that strangers cannot fill a table. It has no
 * password: the person who asks for it may not own the mailbox.
 */
type Waiting = Pick<RequestedAccount, 'email' | 'name' | 'organizationName'> & { expiresAtMs: number }

export const create = handler(signUps.create, {
  handle: async (context, _caller, request) => {
    const { accounts, clock } = context
    const { email, name, password, organizationName } = request.body
    requireSignUp(context, email)
    // Protects mailboxes from being filled: each further mail has to wait longer, from wherever it
    // is asked for. Its owner is not locked out, because each of these mails has a link that works.
    await accounts.attempts.begin(`sign-up ${normalEmail(email)}`, clock())
    const wanted = { email: normalEmail(email), name, organizationName }
    if (accounts.mailer === undefined) {
      if (password === undefined) throw wrongPassword(problem('required'))
      await createRequested(context, request, { ...wanted, password, isConfirmed: false })
      return { mailed: false }
    }
    if (password !== undefined) throw wrongPassword(problem('passwordComesLater'))
    await mailSignUp(context, request, { wanted, mailer: accounts.mailer })
    return { mailed: true }
  },
})

export const confirm = handler(signUps.confirm, {
  handle: async (context, _caller, request) => {
    const { accounts, clock } = context
    const { token, password } = request.body
    const opened = accounts.signUpBox.open(token, sealName)
    const waiting = opened === undefined ? undefined : (JSON.parse(opened) as Waiting)
    if (waiting === undefined || waiting.expiresAtMs <= clock())
      throw new ApiError(404, 'NOT_FOUND', problem('signUpTokenUnknown'))
    requireSignUp(context, waiting.email)
    const { email, name, organizationName } = waiting
    const wanted = { email, name, organizationName, password, isConfirmed: true }
    await createRequested(context, request, wanted)
    return { confirmed: true as const }
  },
})

async function createRequested(
  context: ApiContext,
  request: EndpointInput,
  { password, ...wanted }: Omit<RequestedAccount, 'passwordHash' | 'language'> & { password: string },
): Promise<void> {
  const { email, name } = wanted
  const passwordHash = await hashNewPassword(password, { email, name, path: 'password' })
  const from = requestSource(request, 'dashboard')
  const source = accountSource(request)
  const by = { from, source, nowMs: context.clock() }
  const language = wantedLanguage(request)
  const created = await createAccount(context.db, { ...wanted, passwordHash, language }, by)
  reportOutcome(context, request, created)
}

async function mailSignUp(
  { db, accounts, config, clock }: ApiContext,
  request: EndpointInput,
  { wanted, mailer }: { wanted: Omit<Waiting, 'expiresAtMs'>; mailer: Mailer },
): Promise<void> {
  await countSignUpMail(db, wanted.email, { config, nowMs: clock() })
  const known = await findUserByEmail(db, wanted.email)
  const waiting: Waiting = { ...wanted, expiresAtMs: clock() + limits.signUpHours * hourMs }
  const token = accounts.signUpBox.seal(JSON.stringify(waiting), sealName)
  const url = appAddress(config.publicUrl, 'signUp', token)
  const signInUrl = `${config.publicUrl}/app`
  const mail = mailFor(known, request, { url, signInUrl })
  if (!(await mailer({ to: wanted.email, ...mail }))) throw mailNotSent()
}

/** Throws ApiError 429 until the next day once the budget of the installation is used up. */
async function countSignUpMail(
  db: ApiContext['db'],
  email: string,
  { config, nowMs }: { config: ApiContext['config']; nowMs: number },
): Promise<void> {
  const domain = email.split('@').at(-1) ?? ''
  const mailsMax = config.mailsPerInstallationPerDay
  if (await countUnprovedMail(db, domain, { mailsMax, nowMs })) return
  const seconds = Math.ceil((nextMailDayMs(nowMs) - nowMs) / 1000)
  throw new ApiError(429, 'RATE_LIMITED', problem('signUpMailsUsedUp'), {
    headers: { 'retry-after': String(seconds) },
  })
}

function mailFor(
  known: UserRow | undefined,
  request: EndpointInput,
  { url, signInUrl }: { url: string; signInUrl: string },
) {
  if (known !== undefined && known.emailConfirmedAtMs !== null)
    return accountExistsMail(mailLanguage(known, request), { url: signInUrl })
  // Anybody may have created an unconfirmed account: its language is not that of the reader.
  const language = mailLanguage(undefined, request)
  return known === undefined ? signUpMail(language, { url }) : takeOverMail(language, { url, signInUrl })
}

function wrongPassword(found: Problem): ApiError {
  return validationError([{ path: 'password', ...found }])
}

function requireSignUp({ accounts }: ApiContext, email: string): void {
  const { signUp } = accounts
  const domain = normalEmail(email).split('@').at(-1) ?? ''
  if (signUp === 'open' || (signUp !== 'off' && signUp.includes(domain))) return
  throw new ApiError(403, 'FORBIDDEN', problem('signUpRefused'))
}
