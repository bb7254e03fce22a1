import type { IncomingHttpHeaders } from 'node:http'
import {
  LeaveViewMail,
  LeftViewMail,
  SharedView,
  SharedViewParams,
  UnlockedSharedView,
  UnlockSharedView,
} from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { verifyPassword } from '../../catalogue/accounts/passwords.ts'
import type { ViewRow, ViewShare } from '../../catalogue/views/view-rows.ts'
import { leaveViewMail } from '../../catalogue/views/view-mails.ts'
import { findSharedView } from '../../catalogue/views/views.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ApiContext } from '../http/api-context.ts'
import { readCookie, setCookie } from '../http/cookies.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { networkOf } from '../../limits/networks.ts'
import { readMailToken } from '../../product/mails/mail-tokens.ts'
import { readViewFigures } from '../../product/views/view-figures.ts'

const tag = 'Views'
const collection = '/shared-views/:token'
const cookieName = 'everscan_view'
const unlockedMs = limits.sharedViewHours * 3_600_000

/** No cache, search engine or other site learns of a link or of its figures. */
const privateHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }

export const read = endpoint({
  id: 'readSharedView',
  method: 'GET',
  path: collection,
  role: 'public',
  triesPerMinute: limits.sharedViewTriesPerMinute,
  tag,
  summary: 'Read the figures of a shared view.',
  description: `Needs no key: the token of the public link is enough. The figures are at most ${limits.sharedViewCacheSeconds} s old, and their form is that of analytics, without identifiers. 401 PASSWORD_REQUIRED until the password was sent to \`unlock\`. One 404 for a link that is unknown, has ended, or whose code was deleted.`,
  params: SharedViewParams,
  status: 200,
  response: SharedView,
  errors: [401, 404],
  handle: async (context, _caller, { params: { token }, headers }) => {
    const { db, store, views, clock } = context
    const nowMs = clock()
    const view = await requireShared(context, token)
    if (view.share.passwordHash !== null && !isUnlocked(context, view, { token, headers }))
      throw new ApiError(401, 'PASSWORD_REQUIRED', 'This view has a password. Send it to "unlock" first.')
    const figures = await views.figures.read(`${view.id} ${view.updatedAtMs}`, {
      nowMs,
      holder: view.organizationId,
      compute: async () => readViewFigures({ db, store }, view, nowMs),
    })
    if (figures === undefined) throw linkEnded()
    return new Answer(figures, privateHeaders)
  },
})

export const unlock = endpoint({
  id: 'unlockSharedView',
  method: 'POST',
  path: `${collection}/unlock`,
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Send the password of a shared view.',
  description: `A cookie of the answer opens this view in this browser for ${limits.sharedViewHours} h, or until its link or its password changes. After five wrong passwords, each further one from the same network has to wait longer.`,
  params: SharedViewParams,
  body: UnlockSharedView,
  status: 200,
  response: UnlockedSharedView,
  responseHeaders: { 'Set-Cookie': 'Opens the view.' },
  errors: [401, 404],
  handle: async (context, _caller, { params: { token }, body: { password }, ip }) => {
    const { views, config, clock } = context
    const nowMs = clock()
    const view = await requireShared(context, token)
    const { passwordHash } = view.share
    if (passwordHash !== null) {
      const attempt = await beginAttempt(context, view.id, networkOf(ip))
      if (!(await verifyPassword(password, passwordHash, view.organizationId)))
        throw new ApiError(401, 'UNAUTHORIZED', 'The password is wrong.')
      await attempt.succeed()
    }
    const untilMs = nowMs + unlockedMs
    const value = views.unlockBox.seal(String(untilMs), unlockName(view))
    const cookie = { name: cookieName, value, lastsMs: unlockedMs }
    return new Answer(
      { expiresAt: timestamp(untilMs) },
      { ...privateHeaders, 'set-cookie': setCookie(cookie, cookieSite(config.publicUrl, token)) },
    )
  },
})

export const leaveMail = endpoint({
  id: 'leaveViewMail',
  method: 'POST',
  path: '/view-mails/leave',
  role: 'public',
  triesPerMinute: limits.signInTriesPerMinute,
  tag,
  summary: 'Take an address off the list of a mailed view.',
  description:
    'With the token of the link in each mail. 404 if the token is none of ours; the answer is the same whether or not the address was still on the list.',
  body: LeaveViewMail,
  status: 200,
  response: LeftViewMail,
  errors: [404],
  handle: async ({ db, views, clock }, _caller, { body: { token } }) => {
    const leaving = readMailToken(views.leaveBox, token)
    if (leaving?.kind !== 'leave')
      throw new ApiError(404, 'NOT_FOUND', 'This link is incomplete. Open the one in the mail once more.')
    const { organizationId, viewId: id, address } = leaving
    await leaveViewMail(db, { organizationId, id }, { address, nowMs: clock() })
    return { left: true as const }
  },
})

type SharedRow = ViewRow & { share: ViewShare }

/** Unknown, ended and expired links get one answer, so none tells that a view exists. */
async function requireShared({ db, views, clock }: ApiContext, token: string): Promise<SharedRow> {
  const nowMs = clock()
  const row = await findSharedView(db, token, nowMs)
  if (row === undefined || row.share === null) throw linkEnded()
  const reads = await views.reads(row.id, nowMs)
  if (!reads.allowed)
    throw new ApiError(429, 'RATE_LIMITED', 'Too many people read this view right now. Try again soon.', {
      headers: { 'retry-after': String(reads.resetSeconds) },
    })
  return { ...row, share: row.share }
}

function linkEnded(): ApiError {
  return new ApiError(404, 'NOT_FOUND', 'This link is unknown or has ended. Ask its owner for a new one.')
}

/** Counts an attempt as failed until it succeeds. Throws ApiError 429 if it has to wait. */
async function beginAttempt(
  { views: { attempts, brake }, clock }: ApiContext,
  viewId: string,
  network: string,
): Promise<{ succeed: () => Promise<void> }> {
  const nowMs = clock()
  const tried = `${viewId} ${network}`
  // An attempt that one of the two refuses must not count in the other.
  await attempts.check(tried, nowMs)
  const braked = await brake.begin(viewId, network, nowMs)
  await attempts.begin(tried, nowMs)
  return {
    succeed: async () => {
      await attempts.succeed(tried)
      await braked.succeed()
    },
  }
}

function isUnlocked(
  { views, config, clock }: ApiContext,
  view: SharedRow,
  { token, headers }: { token: string; headers: IncomingHttpHeaders },
): boolean {
  const sealed = readCookie(headers, cookieName, cookieSite(config.publicUrl, token)) ?? ''
  const untilMs = Number(views.unlockBox.open(sealed, unlockName(view)) ?? 0)
  return clock() < untilMs
}

/** A cookie ends with the link and with the password for which it was given. */
function unlockName({ id, share: { sealedToken, passwordHash } }: SharedRow): string {
  return `${id} ${sealedToken} ${passwordHash}`
}

function cookieSite(publicUrl: string, token: string) {
  return { publicUrl, path: `/api/v1/shared-views/${encodeURIComponent(token)}` }
}
