import { views as endpoints } from '@everscan/contract/endpoints/views/views.ts'
import { roleAllows } from '@everscan/contract/schema/common.ts'
import type { UpdateView, View } from '@everscan/contract/views/views.ts'
import { type ViewQuery } from '@everscan/contract/views/views.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { readLanguage } from '../../catalogue/accounts/languages.ts'
import { readRecipients } from '../../catalogue/mails/consents.ts'
import { hashPassword } from '../../catalogue/accounts/passwords.ts'
import type { ViewRow } from '../../catalogue/views/view-rows.ts'
import { requestViewMail } from '../../catalogue/views/view-mails.ts'
import {
  createView,
  deleteView,
  listViews,
  openShareToken,
  readView,
  updateView,
  type ShareChanges,
} from '../../catalogue/views/views.ts'
import { ApiError } from '../../errors.ts'
import { expiryMs } from '../../product/validation/expiry-dates.ts'
import { viewRecord } from '../../product/records/view-records.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { Answer, handler, type EndpointInput } from '../http/handler.ts'
import { wantedLanguage } from '../../product/mails/mail-languages.ts'
import { pageOf } from '../http/pages.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { hasScope } from '../../product/accounts/scopes.ts'
import { nextMailAtMs } from '../../product/views/mail-times.ts'
import { shareAddress } from '../../product/views/view-links.ts'
import { requireValidQuery } from '../../product/views/view-queries.ts'

export const create = handler(endpoints.create, {
  prepare: async (context, _caller, { params, body }) => prepareChange(context, params.orgId, body),
  handle: async (context, caller, request, { share }) => {
    const { params, body } = request
    const { name, query = {}, mail } = body
    const draft = { name, query, share, mail, ...(await changeOf(context, caller, request)) }
    const row = await createView(context.db, params.orgId, draft)
    const location = `/api/v1/organizations/${row.organizationId}/views/${row.id}`
    return new Answer(await recordFor(context, caller, row), { location })
  },
})

export const list = handler(endpoints.list, {
  handle: async (context, caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listViews(context.db, params.orgId, page)
    return {
      data: await recordsFor(context, caller, rows),
      pagination: paginationOf(total, page),
    }
  },
})

export const read = handler(endpoints.read, {
  handle: async (context, caller, { params }) => {
    const row = await readView(context.db, { organizationId: params.orgId, id: params.id })
    return recordFor(context, caller, requireFound(row))
  },
})

export const update = handler(endpoints.update, {
  prepare: async (context, _caller, { params, body }) => prepareChange(context, params.orgId, body),
  handle: async (context, caller, request, { share }) => {
    const { params, body } = request
    const { name, query, mail } = body
    const key = { organizationId: params.orgId, id: params.id }
    const changes = { name, query, mail, share, ...(await changeOf(context, caller, request)) }
    return recordFor(context, caller, requireFound(await updateView(context.db, key, changes)))
  },
})

export const remove = handler(endpoints.remove, {
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const { id } = requireFound(await deleteView(db, key, { origin, nowMs: clock() }))
    return { id, deleted: true as const }
  },
})

export const sendMail = handler(endpoints.sendMail, {
  handle: async (context, caller, { params }) => {
    const { db, clock } = context
    const key = { organizationId: params.orgId, id: params.id }
    const { mail } = requireFound(await readView(db, key))
    if (mail === null) throw new ApiError(409, 'CONFLICT', problem('viewWithoutMail'))
    requireMailer(context)
    const row = await requestViewMail(db, key, {
      hash: context.views.addressHash,
      origin: caller.origin,
      nowMs: clock(),
    })
    return recordFor(context, caller, requireFound(row))
  },
})

/** Checks a change and hashes its password, which takes long, outside of any transaction. */
async function prepareChange(
  context: ApiContext,
  organizationId: string,
  { query, public: share, mail }: Pick<UpdateView, 'query' | 'public' | 'mail'>,
): Promise<{ share: ShareChanges | null | undefined }> {
  const { db, clock } = context
  const nowMs = clock()
  if (query !== undefined) await requireValidQuery(db, organizationId, { query, nowMs })
  if (mail != null) requireMailer(context)
  if (share == null) return { share }
  const { password, expiresAt, newLink } = share
  const expiresAtMs = expiresAt == null ? expiresAt : readExpiry(expiresAt, nowMs)
  const passwordHash = password == null ? password : await hashPassword(password, organizationId)
  return { share: { expiresAtMs, passwordHash, newLink } }
}

function readExpiry(text: string, nowMs: number): number {
  const atMs = expiryMs(text)
  const path = 'public.expiresAt'
  if (atMs === undefined) throw validationError([{ path, ...problem('noSuchTime', { got: text }) }])
  if (atMs <= nowMs) throw validationError([{ path, ...problem('notInFuture', { got: text }) }])
  return atMs
}

function requireMailer({ accounts }: ApiContext): void {
  if (accounts.mailer !== undefined) return
  throw new ApiError(409, 'CONFLICT', problem('mailsNotSetUp'))
}

async function changeOf(
  { db, views, clock }: ApiContext,
  { userId, origin }: Caller,
  request: Pick<EndpointInput, 'headers'>,
) {
  const nowMs = clock()
  return {
    language: (await readLanguage(db, { id: userId })) ?? wantedLanguage(request) ?? null,
    box: views.linkBox,
    mailAtMs: (every: 'week' | 'month', { timezone = 'UTC' }: ViewQuery) =>
      nextMailAtMs(every, timezone, nowMs),
    origin,
    nowMs,
  }
}

async function recordFor(context: ApiContext, caller: Caller, row: ViewRow): Promise<View> {
  const [record] = await recordsFor(context, caller, [row])
  if (record === undefined) throw new Error('a view has a record')
  return record
}

/** Only callers who may share a view themselves see its link. */
async function recordsFor(
  { db, views, config }: ApiContext,
  caller: Caller,
  rows: readonly ViewRow[],
): Promise<View[]> {
  const maySee = roleAllows(caller.role, 'EDITOR') && hasScope(caller, 'admin')
  const addresses = [...new Set(rows.flatMap(({ mail }) => mail?.to ?? []))]
  const organizationId = rows[0]?.organizationId ?? ''
  const states = await readRecipients(db, { organizationId, addresses }, views.addressHash)
  return rows.map((row) => {
    const token = maySee ? openShareToken(views.linkBox, row) : undefined
    const link = token === undefined ? null : { token, url: shareAddress(config.publicUrl, token) }
    return viewRecord(row, { link, states })
  })
}

function requireFound(row: ViewRow | undefined): ViewRow {
  if (row === undefined) throw notFound()
  return row
}
