import { sharedViews } from '@everscan/contract/endpoints/views/shared-views.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { verifyPassword } from '../../catalogue/accounts/passwords.ts'
import type { ViewRow, ViewShare } from '../../catalogue/views/view-rows.ts'
import { leaveViewMail } from '../../catalogue/views/view-mails.ts'
import { findSharedView } from '../../catalogue/views/views.ts'
import { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ApiContext } from '../http/api-context.ts'
import { readCookie, setCookie } from '../http/cookies.ts'
import { Answer, handler } from '../http/handler.ts'
import { networkOf } from '../../limits/networks.ts'
import { readMailToken } from '../../product/mails/mail-tokens.ts'
import { readViewFigures } from '../../product/views/view-figures.ts'
const cookieName = 'everscan_view'
const unlockedMs = limits.sharedViewHours * 3_600_000

/** No cache, search engine or other site learns of a link or of its figures. */
const privateHeaders = { 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' }

export const read = handler(sharedViews.read, {
  handle: async (context, _caller, { params: { token }, headers }) => {
    const { db, store, views, clock } = context
    const nowMs = clock()
    const view = await requireShared(context, token)
    if (view.share.passwordHash !== null && !isUnlocked(context, view, { token, headers }))
      throw new ApiError(401, 'PASSWORD_REQUIRED', problem('viewLocked'))
    const figures = await views.figures.read(`${view.id} ${view.updatedAtMs}`, {
      nowMs,
      holder: view.organizationId,
      compute: async () => readViewFigures({ db, store }, view, nowMs),
    })
    if (figures === undefined) throw linkEnded()
    return new Answer(figures, privateHeaders)
  },
})

export const unlock = handler(sharedViews.unlock, {
  handle: async (context, _caller, { params: { token }, body: { password }, ip }) => {
    const { views, config, clock } = context
    const nowMs = clock()
    const view = await requireShared(context, token)
    const { passwordHash } = view.share
    if (passwordHash !== null) {
      const attempt = await beginAttempt(context, view.id, networkOf(ip))
      if (!(await verifyPassword(password, passwordHash, view.organizationId)))
        throw new ApiError(401, 'UNAUTHORIZED', problem('passwordWrong'))
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

export const leaveMail = handler(sharedViews.leaveMail, {
  handle: async ({ db, views, clock }, _caller, { body: { token } }) => {
    const leaving = readMailToken(views.leaveBox, token)
    if (leaving?.kind !== 'leave') throw new ApiError(404, 'NOT_FOUND', problem('mailLinkIncomplete'))
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
    throw new ApiError(429, 'RATE_LIMITED', problem('viewTooFast'), {
      headers: { 'retry-after': String(reads.resetSeconds) },
    })
  return { ...row, share: row.share }
}

function linkEnded(): ApiError {
  return new ApiError(404, 'NOT_FOUND', problem('viewLinkUnknown'))
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
