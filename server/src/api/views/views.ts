import { roleAllows, Deleted, OrganizationParams, RecordParams } from '@everscan/contract/schema/common.ts'
import { CreateView, UpdateView, View, ViewPage, type ViewQuery } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
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
import { Answer, endpoint, type EndpointInput } from '../http/endpoint.ts'
import { wantedLanguage } from '../../product/mails/mail-languages.ts'
import { pageOf } from '../http/pages.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { hasScope } from '../../product/organizations/scopes.ts'
import { nextMailAtMs } from '../../product/views/mail-times.ts'
import { shareAddress } from '../../product/views/view-links.ts'
import { requireValidQuery } from '../../product/views/view-queries.ts'

const tag = 'Views'
const collection = '/organizations/:orgId/views'
const one = `${collection}/:id` as const

export const create = endpoint({
  id: 'createView',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'admin',
  tag,
  summary: 'Save a view of the figures, to open, share or mail it.',
  description: `An organization has at most ${limits.viewsMax} views. Keys need the scope admin, because links and mails hand figures to people outside of the organization.`,
  params: OrganizationParams,
  body: CreateView,
  status: 201,
  response: View,
  responseHeaders: { Location: 'URL of the record.' },
  errors: [409],
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

export const list = endpoint({
  id: 'listViews',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'List the saved views of the organization, newest first.',
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: ViewPage,
  handle: async (context, caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listViews(context.db, params.orgId, page)
    return {
      data: await recordsFor(context, caller, rows),
      pagination: paginationOf(total, page),
    }
  },
})

export const read = endpoint({
  id: 'readView',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read a saved view.',
  description: 'Its figures are those of analytics with the parameters of `query`.',
  params: RecordParams,
  status: 200,
  response: View,
  handle: async (context, caller, { params }) => {
    const row = await readView(context.db, { organizationId: params.orgId, id: params.id })
    return recordFor(context, caller, requireFound(row))
  },
})

export const put = endpoint({
  id: 'updateView',
  method: 'PUT',
  path: one,
  role: 'EDITOR',
  scope: 'admin',
  tag,
  summary: 'Update a saved view, its public link or its mail.',
  description:
    'Partial; `query` and `mail` are replaced as a whole, and of `public` the given fields. `public: null` ends the link at once; `public: {"newLink": true}` replaces it.',
  params: RecordParams,
  body: UpdateView,
  status: 200,
  response: View,
  errors: [409],
  prepare: async (context, _caller, { params, body }) => prepareChange(context, params.orgId, body),
  handle: async (context, caller, request, { share }) => {
    const { params, body } = request
    const { name, query, mail } = body
    const key = { organizationId: params.orgId, id: params.id }
    const changes = { name, query, mail, share, ...(await changeOf(context, caller, request)) }
    return recordFor(context, caller, requireFound(await updateView(context.db, key, changes)))
  },
})

export const remove = endpoint({
  id: 'deleteView',
  method: 'DELETE',
  path: one,
  role: 'EDITOR',
  scope: 'admin',
  tag,
  summary: 'Delete a saved view.',
  description: 'Its public link and its mail end at once. Scans and codes stay.',
  params: RecordParams,
  status: 200,
  response: Deleted,
  handle: async ({ db, clock }, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const { id } = requireFound(await deleteView(db, key, { origin, nowMs: clock() }))
    return { id, deleted: true as const }
  },
})

export const sendMail = endpoint({
  id: 'sendViewMail',
  method: 'POST',
  path: `${one}/send-mail`,
  role: 'EDITOR',
  scope: 'admin',
  tag,
  summary: 'Send the mail of a view now.',
  description: `The regular mails stay as they are. \`lastSentAt\` and \`lastError\` of the view tell the outcome, within seconds. An organization sends at most ${limits.viewMailsPerDay} mails of views a day. Addresses that are no confirmed member's, and whose owners did not answer the question for a week, are asked again, three times at most. 409 if the view has no mail, or the installation sends none.`,
  params: RecordParams,
  status: 202,
  response: View,
  errors: [409],
  handle: async (context, caller, { params }) => {
    const { db, clock } = context
    const key = { organizationId: params.orgId, id: params.id }
    const { mail } = requireFound(await readView(db, key))
    if (mail === null) throw new ApiError(409, 'CONFLICT', 'The view has no mail. Set one up first.')
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
  if (atMs === undefined)
    throw validationError([{ path, message: `must be a time that exists, got "${text}"` }])
  if (atMs <= nowMs) throw validationError([{ path, message: `must be in the future, got "${text}"` }])
  return atMs
}

function requireMailer({ accounts }: ApiContext): void {
  if (accounts.mailer !== undefined) return
  const message = 'This installation sends no mails. Its operator can set SMTP_URL.'
  throw new ApiError(409, 'CONFLICT', message)
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
