import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../../log.ts'
import type { FailureAction } from '../../catalogue/accounts/failures.ts'
import { readAccount } from '../../catalogue/accounts/users.ts'
import type { AccountContext } from './account-tools.ts'
import { mailLanguage } from '../mails/mail-languages.ts'
import type { Mailer } from '../mails/mailer.ts'
import { accountSource } from './request-sources.ts'
import { accountMail, isMailed, type MailedAction } from '../mails/account-mails.ts'

type Request = { headers: IncomingHttpHeaders; ip: string; log: Pick<Log, 'error' | 'info' | 'warn'> }

/**
 * Reports what happened to an account, after its commit: writes a line to the log, and mails the
 * owner if it is a change that only the owner should make. The mail is sent after the response, and
 * its failure changes nothing.
 */
export function reportOutcome(
  context: AccountContext,
  request: Request,
  { accountId, action }: { accountId: string; action: AccountAction },
): void {
  const { mailer } = context.accounts
  logOutcome(request, accountId, action)
  if (mailer === undefined || !isMailed(action)) return
  mailOwner(context, request, { accountId, action, mailer }).catch((error: unknown) =>
    request.log.error({ err: error, accountId, outcome: action }, 'the owner of an account was not mailed'),
  )
}

/**
 * Reports a failed attempt. `accountId` is undefined for an address without account: all other work
 * is the same, so that its time tells nothing.
 */
export function reportFailure(
  { accounts, clock }: AccountContext,
  request: Request,
  { accountId, action }: { accountId: string | undefined; action: FailureAction },
): void {
  logOutcome(request, accountId, action)
  const failure = { action, source: accountSource(request), nowMs: clock() }
  if (accountId !== undefined) accounts.failures.note(accountId, failure)
}

/** No address, network or e-mail: the log of the account has the network, for its owner alone. */
function logOutcome({ log }: Request, accountId: string | undefined, outcome: AccountAction): void {
  log.info({ accountId: accountId ?? null, outcome }, 'account')
}

async function mailOwner(
  { db, config, clock, accounts }: AccountContext,
  request: Request,
  { accountId, action, mailer }: { accountId: string; action: MailedAction; mailer: Mailer },
): Promise<void> {
  const atMs = clock()
  if (!(await accounts.mailLimit(accountId, atMs)).allowed)
    return request.log.warn({ accountId, outcome: action }, 'too many mails to an account in one minute')
  const account = await readAccount(db, accountId)
  if (account === undefined) return
  const { network } = accountSource(request)
  const language = mailLanguage(account, request)
  const mail = accountMail(language, action, { atMs, network, url: `${config.publicUrl}/app` })
  if (!(await mailer({ to: account.email, ...mail })))
    request.log.warn({ accountId, outcome: action }, 'the owner of an account was not mailed')
}
