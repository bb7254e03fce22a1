import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { RecipientState, SharedView } from '@everscan/contract/views/views.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import type { AddressHash } from '../../catalogue/mails/address-hash.ts'
import { endAsking, readRecipients } from '../../catalogue/mails/consents.ts'
import { countRefusedMail, nextMailDayMs, type MailBudgets } from '../../catalogue/mails/mail-counts.ts'
import { readSenderAddress } from '../../catalogue/mails/mail-senders.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import {
  beginViewMail,
  claimViewMail,
  countedMail,
  endViewMail,
  readViewAddresses,
  recordViewMail,
  type BegunMail,
  type MailedView,
  type ViewMailClaim,
  type ViewMailStop,
} from '../../catalogue/views/view-mails.ts'
import type { ViewRow } from '../../catalogue/views/view-rows.ts'
import type { Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import type { Log } from '../../log.ts'
import type { Chore } from '../start-jobs.ts'
import { consentMail } from './consent-mail.ts'
import { viewMail } from './view-mail.ts'

export type ViewMailOptions = {
  /** Undefined if its code was deleted. */
  readFigures: (view: ViewRow, nowMs: number) => Promise<SharedView | undefined>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (mail: {
    to: string
    organizationId: string
    subject: string
    text: string
    html?: string
    leaveUrl: string
  }) => Promise<boolean>
  linksOf: (
    view: ViewRow,
    options: { address: string; nowMs: number },
  ) => {
    url: string
    isPublic: boolean
    leaveUrl: string
    /** The page that asks whether the address wants the mails. */
    consentUrl: string
  }
  /** The host of the installation, as mails name it. */
  host: string
  addressHash: AddressHash
  budgets: MailBudgets
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
    if (error instanceof LeaseLost) return true
    log.warn({ err: error, view: claim.view.id }, 'the mail of a view failed')
    // Without the catalogue, the lease runs out.
    if (error instanceof CatalogueUnavailable) return false
    await giveUpOrRetry(db, claim, { problemOf: unreadProblem, left: claim.left, options })
  }
  return true
}

async function sendClaimed(db: Database, claim: ViewMailClaim, options: ViewMailOptions): Promise<void> {
  const { readFigures, clock = Date.now, leaseMs = defaultLeaseMs } = options
  const { view } = claim
  const figures = await readFigures(view, clock())
  if (figures === undefined) {
    await endViewMail(db, claim, { problem: problem('codeOfViewDeleted') })
    return
  }
  const waiting = [...claim.left]
  const failed: string[] = []
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const kind = await kindFor(db, view, { address, options })
    if (kind === undefined) continue
    const mail: BegunMail = { address, kind }
    const { addressHash: hash, budgets } = options
    const stop = await beginViewMail(db, claim, { mail, hash, budgets, nowMs: clock(), leaseMs })
    if (stop === 'asked') continue
    if (stop !== undefined)
      return endEarly(db, claim, stop, { left: [address, ...waiting, ...failed], clock })
    const isSent =
      kind === 'view'
        ? await sendFigures(db, address, { view, figures, options })
        : await sendQuestion(db, address, { view, options })
    if (!isSent) {
      failed.push(address)
      await countRefusedMail(db, countedMail(claim, mail), clock())
      if (kind === 'consent') await endAsking(db, { organizationId: view.organizationId, address }, hash)
    }
    await recordViewMail(db, claim, {
      left: [...waiting, ...failed],
      ...(isSent && kind === 'view' && { sentAtMs: clock() }),
    })
  }
  if (failed.length === 0) await endViewMail(db, claim, { problem: null })
  else {
    const addresses = failed.join(', ')
    const problemOf: ProblemOf = (attempts) =>
      attempts === undefined
        ? problem('mailRefusedTriedAgain', { addresses })
        : problem('mailRefused', { addresses, attempts })
    await giveUpOrRetry(db, claim, { problemOf, left: failed, options })
  }
}

/** Returns which mail an address gets; undefined if it gets none. */
async function kindFor(
  db: Database,
  view: MailedView,
  { address, options }: { address: string; options: ViewMailOptions },
): Promise<BegunMail['kind'] | undefined> {
  // Its owner may have taken it off the list meanwhile.
  if (!(await readViewAddresses(db, view)).includes(address)) return undefined
  const { organizationId } = view
  const states = await readRecipients(db, { organizationId, addresses: [address] }, options.addressHash)
  return kinds[states.get(address) ?? 'ASKED']
}

const kinds = {
  MEMBER: 'view',
  AGREED: 'view',
  NOT_ASKED: 'consent',
  ASKED: undefined,
  REFUSED: undefined,
} as const satisfies Record<RecipientState, BegunMail['kind'] | undefined>

/**
 * Ends a mail that must not go on today. A budget of the day lets the rest wait for the next one.
 */
async function endEarly(
  db: Database,
  claim: ViewMailClaim,
  stop: Exclude<ViewMailStop, 'asked'>,
  { left, clock }: { left: readonly string[]; clock: () => number },
): Promise<void> {
  if (stop === 'stopped') return endViewMail(db, claim, { problem: problem('mailsStopped') })
  if (stop === 'organization') {
    const [unsent, addresses] = [left.length, claim.view.mail.to.length]
    const found = problem('viewMailsUsedUp', { unsent, addresses, max: limits.viewMailsPerDay })
    return endViewMail(db, claim, { problem: found })
  }
  const waits = problem(stop === 'account' ? 'restWaitsForAccount' : 'restWaitsForInstallation')
  await endViewMail(db, claim, { problem: waits, retryAtMs: nextMailDayMs(clock()), left })
}

async function sendFigures(
  db: Database,
  address: string,
  { view, figures, options }: { view: MailedView; figures: SharedView; options: ViewMailOptions },
): Promise<boolean> {
  const { send, linksOf, clock = Date.now } = options
  const { consentUrl: _consentUrl, ...links } = linksOf(view, { address, nowMs: clock() })
  const { every, setUpBy } = view.mail
  const language = await languageOf(db, address, view)
  const mail = viewMail(figures, { language, every, setUpBy, ...links })
  return send({ to: address, organizationId: view.organizationId, leaveUrl: links.leaveUrl, ...mail }).catch(
    () => false,
  )
}

async function sendQuestion(
  db: Database,
  address: string,
  { view, options }: { view: MailedView; options: ViewMailOptions },
): Promise<boolean> {
  const { send, linksOf, host, clock = Date.now } = options
  const { organizationId } = view
  const url = linksOf(view, { address, nowMs: clock() }).consentUrl
  const mail = consentMail({
    language: await languageOf(db, address, view),
    by: await readSenderAddress(db, { organizationId, senderId: view.mail.senderId }),
    organization: (await readOrganization(db, organizationId))?.name ?? '',
    host,
    url,
  })
  return send({ to: address, organizationId, leaveUrl: url, ...mail }).catch(() => false)
}

async function languageOf(db: Database, address: string, view: MailedView): Promise<DashboardLanguage> {
  return (await readLanguage(db, { email: address })) ?? view.mail.language ?? 'en'
}

/** Why a mail failed after the last of so many attempts; undefined: it is tried again. */
type ProblemOf = (attempts: number | undefined) => Problem

const unreadProblem: ProblemOf = (attempts) =>
  attempts === undefined ? problem('figuresUnreadTriedAgain') : problem('figuresUnread', { attempts })

async function giveUpOrRetry(
  db: Database,
  claim: ViewMailClaim,
  { problemOf, left, options }: { problemOf: ProblemOf; left: readonly string[]; options: ViewMailOptions },
): Promise<void> {
  const { clock = Date.now, log } = options
  const isLast = claim.attempts >= attemptsMax
  const outcome = isLast
    ? { problem: problemOf(attemptsMax) }
    : { problem: problemOf(undefined), retryAtMs: clock() + retryMs, left }
  await endViewMail(db, claim, outcome).catch((failure: unknown) =>
    log.debug({ err: failure }, 'the outcome of a mail was not recorded'),
  )
}
