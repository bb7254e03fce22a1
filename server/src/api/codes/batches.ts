import { batches } from '@everscan/contract/endpoints/codes/batches.ts'
import type { BatchDelete, BatchReadQuery } from '@everscan/contract/resources/batches.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { codeKey, isExactShortCode, isShortCode } from '@everscan/contract/resources/short-codes.ts'
import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { fixedForms } from '../../db/scans/host-forms.ts'
import { readQrCodes, readQrCodesByShortCode } from '../../catalogue/codes/batches.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { cloneDrafts, makeQrCodes } from '../../product/codes/batch-changes.ts'
import { planUpdate, writeUpdate } from '../../product/codes/batch-updates.ts'
import {
  attempt,
  batchResult,
  itemsOfIds,
  requireAll,
  requireBatchSize,
  type BatchOutcome,
} from '../../product/codes/batch-results.ts'
import { handler } from '../http/handler.ts'
import type { ApiContext } from '../http/api-context.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'
import { binEndMs, deletedRecord } from '../../product/codes/deleted-records.ts'
import { domainLookup } from '../../product/codes/code-domains.ts'
import { createHashOf } from '../../product/codes/accept-access.ts'
import { newQrCode } from '../../product/codes/new-qr-codes.ts'
import { qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { errorBelow, notFound, queryError, validationError } from '../../request-errors.ts'
import { styleLookup } from '../../product/styles/style-lookup.ts'
import { validatorOf } from '../../product/validation/validator.ts'
import { deleteQrCodes } from '../../catalogue/codes/qr-code-deletion.ts'

export const create = handler(batches.create, {
  prepare: async (request, { origin }, { params, body }) => {
    requireBatchSize(body.qrCodes.length, 'qrCodes')
    const context = withoutSuggestions(request)
    const styleOf = styleLookup(context.db, params.orgId)
    const domainOf = domainLookup(context.db, params.orgId)
    const hashOf = createHashOf(params.orgId)
    const drafts: BatchOutcome<NewQrCode>[] = []
    for (const [index, fields] of body.qrCodes.entries())
      drafts.push({
        item: { name: { index }, path: `qrCodes[${index}]` },
        outcome: await attempt(async () => {
          requireCreateQrCode(fields, `qrCodes[${index}]`)
          return newQrCode(fields, context, { styleOf, domainOf, hashOf, origin })
        }),
      })
    return drafts
  },
  handle: async (context, _caller, { params, query }, drafts) =>
    answer(await makeQrCodes(context.db, params.orgId, { drafts, atomic: query.atomic === true }), context),
})

export const update = handler(batches.update, {
  prepare: (context, _caller, { params, body }) =>
    planUpdate(withoutSuggestions(context), params.orgId, body),
  handle: async (context, { origin }, { params, query }, plan) => {
    const work = { plan, origin, atomic: query.atomic === true }
    const outcomes = await writeUpdate(withoutSuggestions(context), params.orgId, work)
    const result = answer(outcomes, context)
    return query.etags === true ? { ...result, etags: etagsOf(outcomes, context) } : result
  },
})

export const read = handler(batches.read, {
  handle: async (context, _caller, { params, query }) => {
    const outcomes = await readEach(context.db, params.orgId, query)
    return { ...answer(outcomes, context), etags: etagsOf(outcomes, context) }
  },
})

export const clone = handler(batches.clone, {
  prepare: (context, { origin }, { params, body: { ids, ...how } }) =>
    cloneDrafts(withoutSuggestions(context), params.orgId, { items: itemsOfIds(ids), clone: how, origin }),
  handle: async (context, _caller, { params, query }, drafts) =>
    answer(await makeQrCodes(context.db, params.orgId, { drafts, atomic: query.atomic === true }), context),
})

export const remove = handler(batches.remove, {
  handle: async ({ db, clock }, { origin }, { params, query, body }) => {
    const items = itemsOfIds(idsOf(query.ids, body))
    const ids = items.map(({ id }) => id)
    const nowMs = clock()
    const restorableUntilMs = query.bin === true ? binEndMs(nowMs) : undefined
    const outcomes = await inTransaction(db, async (tx) => {
      const deleted = await deleteQrCodes(tx, params.orgId, { ids, origin, nowMs, restorableUntilMs })
      const found = items.map((item) => ({ item, outcome: deleted.has(item.id) ? item.id : notFound() }))
      if (query.atomic === true) requireAll(found)
      return found
    })
    return batchResult(outcomes, (id) => deletedRecord(id, restorableUntilMs))
  },
})

/** Reads the codes of a query. A code that it names twice counts once. */
async function readEach(
  db: Database,
  organizationId: string,
  query: BatchReadQuery,
): Promise<BatchOutcome<QrCodeRow>[]> {
  const [ids, shortCodes] = [listOf(query.ids), listOf(query.shortCodes)]
  const count = ids.length + shortCodes.length
  if (count === 0) throw queryError([{ path: 'ids', ...problem('emptyWithout', { field: 'shortCodes' }) }])
  if (count > limits.batchReadMax) {
    const found = problem('tooManyTogether', { max: limits.batchReadMax, field: 'shortCodes', got: count })
    throw queryError([{ path: 'ids', ...found }])
  }
  const byId = await readQrCodes(db, organizationId, ids)
  const named = shortCodes.map((text) => [text, partsOf(text)] as const)
  const forms = await fixedForms(
    db,
    named.flatMap(([, { domain = '' }]) => (domain === '' ? [] : [domain])),
  )
  const keys = new Map(named.map(([text, parts]) => [text, keyOf(parts, forms)] as const))
  const byCode = await readQrCodesByShortCode(
    db,
    organizationId,
    [...keys.values()].filter((key) => key !== ''),
  )
  const wanted = [
    ...ids.map((id) => ({ item: { name: { id }, path: 'ids' }, row: byId.get(id) })),
    ...shortCodes.map((shortCode) => ({
      item: { name: { shortCode }, path: 'shortCodes' },
      row: byCode.get(keys.get(shortCode) ?? ''),
    })),
  ]
  const seen = new Set<string>()
  return wanted.flatMap(({ item, row }) => {
    const key = row?.id ?? JSON.stringify(item.name)
    if (seen.has(key)) return []
    seen.add(key)
    return [{ item, outcome: row ?? notFound() }]
  })
}

/** Splits a short code, alone or after a host name; undefined: that is none. */
function partsOf(text: string): { shortCode: string; domain: string | undefined } {
  const at = text.indexOf('/')
  return at < 0
    ? { shortCode: text, domain: '' }
    : { shortCode: text.slice(at + 1), domain: normalHostname(text.slice(0, at)) }
}

/** Returns the key of a short code; empty for a text that is none. */
function keyOf(
  { shortCode, domain }: ReturnType<typeof partsOf>,
  forms: ReadonlyMap<string, CodeForm>,
): string {
  if (domain === undefined) return ''
  const codes = forms.get(domain)
  const isCode = codes === 'exact' ? isExactShortCode(shortCode) : isShortCode(shortCode)
  return isCode ? codeKey({ shortCode, domain, codes }) : ''
}

/** Returns the entries of a comma-separated list. */
function listOf(text = ''): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '')
}

function etagsOf(outcomes: readonly BatchOutcome<QrCodeRow>[], { config }: ApiContext): string[] {
  return outcomes.flatMap(({ outcome }) =>
    outcome instanceof ApiError ? [] : [qrCodeEtag(outcome, config.publicUrl)],
  )
}

const validateCreateQrCode = validatorOf(CreateQrCode, 'body')

function requireCreateQrCode(fields: unknown, path: string): asserts fields is CreateQrCode {
  try {
    validateCreateQrCode(fields)
  } catch (error) {
    // A problem of no field is one of the item, and the item is not the body.
    const isOfItem = error instanceof ApiError && error.details?.every((detail) => detail.path === '')
    throw isOfItem === true ? errorBelow(path, error) : error
  }
}

/** Returns the ids of a DELETE, which are either in its query or in its body. */
export function idsOf(inQuery: string | undefined, body: BatchDelete | null | undefined): readonly string[] {
  const inBody = body?.ids
  if ((inQuery === undefined) === (inBody === undefined))
    throw validationError([{ path: 'ids', ...problem('inBodyOrQuery') }])
  const ids = inBody ?? inQuery?.split(',').map((id) => id.trim()) ?? []
  const given = ids.filter((id) => id !== '')
  if (given.length === 0) throw validationError([{ path: 'ids', ...problem('empty') }])
  return given
}

/** A search for the nearest accepted change per item would take minutes. */
function withoutSuggestions(context: ApiContext): ApiContext {
  return { ...context, work: { ...context.work, suggests: false } }
}

function answer(outcomes: readonly BatchOutcome<QrCodeRow>[], { config }: ApiContext) {
  return batchResult(outcomes, (row) => qrCodeRecord(row, config.publicUrl))
}
