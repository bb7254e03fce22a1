import { qrCodes } from '@everscan/contract/endpoints/codes/qr-codes.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import type {
  ListQrCodesQuery,
  QrCode,
  QrCodePage,
  QrCodeParams,
  UpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { listQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import { readWaitingCode } from '../../catalogue/waiting/change-waiting-codes.ts'
import { codeOrWaiting } from '../../catalogue/waiting/code-or-waiting.ts'
import { listWaitingCodes, type WaitingQrCode } from '../../catalogue/waiting/waiting-codes.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { createQrCode, readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { Answer, handler, type EndpointInput } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
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

export const create = handler(qrCodes.create, {
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

export const list = handler(qrCodes.list, {
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
  if (other !== undefined) throw validationError([{ path: other, ...problem('filterOfWaiting') }])
  const page = pageOf(query)
  const { domainId } = query
  const { rows, total } = await listWaitingCodes(db, organizationId, { ...page, domainId })
  const data = rows.map((row) => waitingRecord(row, config.publicUrl, clock()))
  return { data, pagination: paginationOf(total, page) }
}

export const read = handler(qrCodes.read, {
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

async function applyUpdate(
  context: ApiContext,
  { origin }: Caller,
  { params, body, headers }: EndpointInput<QrCodeParams, undefined, UpdateQrCode>,
): Promise<Answer<QrCode>> {
  const key = { organizationId: params.orgId, id: params.id }
  const change = { changes: body, origin, ifMatch: headers['if-match'] }
  const { config, clock } = context
  const changed = await codeOrWaiting(
    async () => codeAnswer(await changeQrCode(context, key, change), config),
    async () => waitingAnswer(await changeWaitingCode(context, key, change), config, clock()),
  )
  if (changed === undefined) throw notFound()
  return changed
}

export const update = handler(qrCodes.update, { handle: applyUpdate })
export const patch = handler(qrCodes.patch, { handle: applyUpdate })

export const remove = handler(qrCodes.remove, {
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
