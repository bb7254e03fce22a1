import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { mailAttempts, mailProblems } from '@everscan/contract/views/mail-problems.ts'
import type { SharedView } from '@everscan/contract/views/views.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import {
  beginViewMail,
  claimViewMail,
  endViewMail,
  readViewAddresses,
  recordViewMail,
  ViewMailLost,
  type ViewMailClaim,
} from '../../catalogue/views/view-mails.ts'
import type { ViewMailRow, ViewRow } from '../../catalogue/views/view-rows.ts'
import type { Database } from '../../db/database.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import type { Log } from '../../log.ts'
import type { Chore } from '../start-jobs.ts'
import { viewMail } from './view-mail.ts'

type MailedView = ViewRow & { mail: ViewMailRow }

export type ViewMailOptions = {
  /** Undefined if its code was deleted. */
  readFigures: (view: ViewRow, nowMs: number) => Promise<SharedView | undefined>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (mail: {
    to: string
    organizationId: string
    subject: string
    text: string
    html: string
    leaveUrl: string
  }) => Promise<boolean>
  linksOf: (
    view: ViewRow,
    options: { address: string; nowMs: number },
  ) => {
    url: string
    isPublic: boolean
    leaveUrl: string
  }
  nextAtMs: (view: MailedView, nowMs: number) => number
  log: Log
  clock?: () => number
  leaseMs?: number
}

/** The first attempt and those after it: an hour of a mail server that is away is no lost mail. */
const attemptsMax = 6
const retryMs = 10 * 60_000
/** An address whose mail takes longer than this loses its lease to another worker. */
const defaultLeaseMs = 60_000

/** Sends the mails of views that are due. Any number of workers may do so; one sends each. */
export function sendViewMails(options: ViewMailOptions): Chore {
  return {
    name: 'sendViewMails',
    everyMs: 2_000,
    run: async (db) => {
      while (await sendNextMail(db, options)) continue
    },
  }
}

/** Sends one mail to all of its addresses. Returns false if none is due. */
async function sendNextMail(db: Database, options: ViewMailOptions): Promise<boolean> {
  const { log, nextAtMs, clock = Date.now, leaseMs = defaultLeaseMs } = options
  const nowMs = clock()
  const claim = await claimViewMail(db, { nowMs, leaseMs, nextAtMs: (view) => nextAtMs(view, nowMs) })
  if (claim === undefined) return false
  try {
    await sendClaimed(db, claim, options)
  } catch (error) {
    if (error instanceof ViewMailLost) return true
    log.warn({ err: error, view: claim.view.id }, 'the mail of a view failed')
    // Without the catalogue, the lease runs out.
    if (error instanceof CatalogueUnavailable) return false
    await giveUpOrRetry(db, claim, { error: mailProblems.unread, left: claim.left, options })
  }
  return true
}

async function sendClaimed(db: Database, claim: ViewMailClaim, options: ViewMailOptions): Promise<void> {
  const { readFigures, clock = Date.now, leaseMs = defaultLeaseMs } = options
  const { view } = claim
  const figures = await readFigures(view, clock())
  if (figures === undefined) {
    await endViewMail(db, claim, { error: mailProblems.noCode })
    return
  }
  const waiting = [...claim.left]
  const failed: string[] = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    if (!(await readViewAddresses(db, view)).includes(address)) continue
    if (!(await beginViewMail(db, claim, { nowMs: clock(), leaseMs }))) {
      const unsent = 1 + waiting.length + failed.length
      const error = mailProblems.dayLimit(unsent, view.mail.to.length)
      await endViewMail(db, claim, { error })
      return
    }
    const language = (await readLanguage(db, { email: address })) ?? view.mail.language ?? 'en'
    const isSent = await sendTo(address, { view, language, figures, options })
    if (!isSent) failed.push(address)
    await recordViewMail(db, claim, {
      left: [...waiting, ...failed],
      ...(isSent && { sentAtMs: clock() }),
    })
  }
  if (failed.length === 0) await endViewMail(db, claim, { error: null })
  else {
    const error = mailProblems.refused(failed)
    await giveUpOrRetry(db, claim, { error, left: failed, options })
  }
}

async function sendTo(
  address: string,
  {
    view,
    language,
    figures,
    options,
  }: { view: MailedView; language: DashboardLanguage; figures: SharedView; options: ViewMailOptions },
): Promise<boolean> {
  const { send, linksOf, clock = Date.now } = options
  const links = linksOf(view, { address, nowMs: clock() })
  const { every, setUpBy } = view.mail
  const mail = viewMail(figures, { language, every, setUpBy, ...links })
  return send({ to: address, organizationId: view.organizationId, leaveUrl: links.leaveUrl, ...mail }).catch(
    () => false,
  )
}

async function giveUpOrRetry(
  db: Database,
  claim: ViewMailClaim,
  { error, left, options }: { error: string; left: readonly string[]; options: ViewMailOptions },
): Promise<void> {
  const { clock = Date.now, log } = options
  const isLast = claim.attempts >= attemptsMax
  const outcome = isLast
    ? { error: `${error} ${mailAttempts.last(attemptsMax)}` }
    : { error: `${error} ${mailAttempts.again}`, retryAtMs: clock() + retryMs, left }
  await endViewMail(db, claim, outcome).catch((failure: unknown) =>
    log.debug({ err: failure }, 'the outcome of a mail was not recorded'),
  )
}
