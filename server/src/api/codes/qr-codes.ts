import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  CreateQrCode,
  DeleteQrCodeQuery,
  DeletedQrCode,
  ListQrCodesQuery,
  QrCode,
  QrCodePage,
  QrCodeParams,
  UpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import { listQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import { readWaitingCode } from '../../catalogue/waiting/change-waiting-codes.ts'
import { codeOrWaiting } from '../../catalogue/waiting/code-or-waiting.ts'
import { listWaitingCodes, type WaitingQrCode } from '../../catalogue/waiting/waiting-codes.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { createQrCode, readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { Answer, endpoint, type EndpointInput } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { domainLookup } from '../../product/codes/code-domains.ts'
import { createHashOf } from '../../product/codes/accept-access.ts'
import { newQrCode } from '../../product/codes/new-qr-codes.ts'
import { pageOf } from '../http/pages.ts'
import { changeQrCode, requireMatch } from '../../product/codes/changes.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'
import { qrCodePath, qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { binEndMs, deletedRecord } from '../../product/codes/deleted-records.ts'
import { styleLookup } from '../../product/styles/style-lookup.ts'
import { changeWaitingCode, removeWaitingCode, waitingRecord } from '../../product/codes/waiting-codes.ts'
import { deleteQrCode } from '../../catalogue/codes/qr-code-deletion.ts'

const tag = 'QR codes'
const collection = '/organizations/:orgId/qr-codes'
const one = `${collection}/:id` as const
const responseHeaders = { ETag: 'Identifies this version of the record, for If-Match.' }
const requestHeaders = { 'If-Match': 'The ETag of the record as you read it; 412 if it has changed since.' }

export const create = endpoint({
  id: 'createQrCode',
  method: 'POST',
  path: collection,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Create a QR code.',
  params: OrganizationParams,
  body: CreateQrCode,
  idempotent: true,
  requestHeaders: {
    'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
  },
  status: 201,
  response: QrCode,
  responseHeaders: {
    ...responseHeaders,
    Location: 'URL of the record.',
    'Idempotent-Replayed': 'true if this repeats the first response.',
  },
  errors: [409, 422],
  prepare: (context, { origin }, { params, body }) =>
    newQrCode(body, context, {
      styleOf: styleLookup(context.db, params.orgId),
      domainOf: domainLookup(context.db, params.orgId),
      hashOf: createHashOf(params.orgId),
      origin,
    }),
  handle: async ({ db, config }, _caller, { params }, draft) => {
    const row = await createQrCode(db, params.orgId, draft)
    return answer(row, config, { location: qrCodePath(row) })
  },
})

export const list = endpoint({
  id: 'listQrCodes',
  method: 'GET',
  path: collection,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'List the QR codes of the organization, newest first by default.',
  params: OrganizationParams,
  query: ListQrCodesQuery,
  readsMuch: true,
  status: 200,
  response: QrCodePage,
  handle: async ({ db, config, clock }, _caller, { params, query }) => {
    const page = pageOf(query)
    if (query.waiting === true) return waitingPage({ db, config, clock }, params.orgId, query)
    const { waiting: _, ...filters } = query
    const { rows, total } = await listQrCodes(db, params.orgId, {
      ...filters,
      ...page,
      publicUrl: config.publicUrl,
      nowMs: clock(),
    })
    const data = rows.map((row) => qrCodeRecord(row, config.publicUrl, clock()))
    return { data, pagination: paginationOf(total, page) }
  },
})

/** Filters that need indexes of codes, and codes that wait are none yet. */
const filtersOfCodes = ['q', 'search', 'type', 'folderId', 'status', 'state', 'tag'] as const

async function waitingPage(
  { db, config, clock }: Pick<ApiContext, 'db' | 'config' | 'clock'>,
  organizationId: string,
  query: ListQrCodesQuery,
): Promise<QrCodePage> {
  const other = filtersOfCodes.find((name) => query[name] !== undefined)
  if (other !== undefined)
    throw validationError([
      { path: other, message: 'must be absent with waiting=true, which takes domainId, page and limit' },
    ])
  const page = pageOf(query)
  const { domainId } = query
  const { rows, total } = await listWaitingCodes(db, organizationId, { ...page, domainId })
  const data = rows.map((row) => waitingRecord(row, config.publicUrl, clock()))
  return { data, pagination: paginationOf(total, page) }
}

export const read = endpoint({
  id: 'readQrCode',
  method: 'GET',
  path: one,
  role: 'VIEWER',
  scope: 'codes:read',
  tag,
  summary: 'Read a QR code.',
  params: QrCodeParams,
  status: 200,
  response: QrCode,
  responseHeaders,
  handle: async ({ db, config, clock }, _caller, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const found = await codeOrWaiting(
      async () => codeAnswer(await readQrCode(db, key), config),
      async () => waitingAnswer((await readWaitingCode(db, key))?.row, config, clock()),
    )
    if (found === undefined) throw notFound()
    return found
  },
})

const update = {
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Update a QR code.',
  description:
    'Partial: fields that are not sent stay unchanged. `data` is replaced as a whole and must match the type of the code; `rules` too, and a rule keeps its id if it is sent back; `style`, `metadata` and `access` merge by key, and null removes a key.',
  params: QrCodeParams,
  body: UpdateQrCode,
  status: 200,
  response: QrCode,
  responseHeaders,
  requestHeaders,
  errors: [409, 412, 422],
  handle: async (
    context: ApiContext,
    { origin }: Caller,
    { params, body, headers }: EndpointInput<QrCodeParams, undefined, UpdateQrCode>,
  ) => {
    const key = { organizationId: params.orgId, id: params.id }
    const change = { changes: body, origin, ifMatch: headers['if-match'] }
    const { config, clock } = context
    const changed = await codeOrWaiting(
      async () => codeAnswer(await changeQrCode(context, key, change), config),
      async () => waitingAnswer(await changeWaitingCode(context, key, change), config, clock()),
    )
    if (changed === undefined) throw notFound()
    return changed
  },
} as const

export const put = endpoint({ ...update, id: 'updateQrCode', method: 'PUT' })
export const patch = endpoint({ ...update, id: 'patchQrCode', method: 'PATCH' })

export const remove = endpoint({
  id: 'deleteQrCode',
  method: 'DELETE',
  path: one,
  role: 'EDITOR',
  scope: 'codes:write',
  tag,
  summary: 'Delete a QR code.',
  description: `Its short URL stops working and is never reused. The deletion is final, except with \`bin=true\`: the code can then be restored for ${limits.binDays} days. A code that waits is deleted for good.`,
  params: QrCodeParams,
  query: DeleteQrCodeQuery,
  status: 200,
  response: DeletedQrCode,
  requestHeaders,
  errors: [412],
  handle: async ({ db, clock }, { origin }, { params, query, headers }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const ifMatch = headers['if-match']
    const nowMs = clock()
    const restorableUntilMs = query.bin === true ? binEndMs(nowMs) : undefined
    const removed = await codeOrWaiting(
      async () => {
        const before = ifMatch === undefined ? undefined : await readQrCode(db, key)
        if (before !== undefined) requireMatch(before, ifMatch)
        const how = { origin, ifVersion: before?.version, nowMs, restorableUntilMs }
        const row = await deleteQrCode(db, key, how)
        return row && deletedRecord(row.id, restorableUntilMs)
      },
      async () => removeWaitingCode({ db, clock }, key, { origin, ifMatch }),
    )
    if (removed === undefined) throw notFound()
    return removed
  },
})

function codeAnswer(row: QrCodeRow | undefined, config: ApiContext['config']): Answer<QrCode> | undefined {
  return row && answer(row, config)
}

function answer(row: QrCodeRow, { publicUrl }: ApiContext['config'], headers: Record<string, string> = {}) {
  return new Answer(qrCodeRecord(row, publicUrl), {
    etag: qrCodeEtag(row, publicUrl),
    ...headers,
  })
}

function waitingAnswer(
  row: WaitingQrCode | undefined,
  { publicUrl }: ApiContext['config'],
  nowMs: number,
): Answer<QrCode> | undefined {
  if (row === undefined) return undefined
  return new Answer(waitingRecord(row, publicUrl, nowMs), { etag: qrCodeEtag(row, publicUrl) })
}
