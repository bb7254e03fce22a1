import { problem } from '@everscan/contract/problems/problem.ts'
import { isDeepStrictEqual } from 'node:util'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  computedFieldNames,
  mergeMetadata,
  type UpdateMetadata,
  type QrCodeUpdates,
  type UpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { readQrCodeVersion, type QrCodeVersionRow } from '../../catalogue/codes/qr-code-history.ts'
import type { QrCodeChanges } from '../../catalogue/codes/qr-code-merging.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { type QrCodeKey, readQrCode, updateQrCode } from '../../catalogue/codes/qr-codes.ts'
import { ApiError } from '../../errors.ts'
import type { ProductContext } from '../product-context.ts'
import { accessReplacement, acceptAccess, createHashOf, type HashOf } from './accept-access.ts'
import { acceptRules } from './accept-rules.ts'
import { acceptData } from './checks.ts'
import { ifMatchHoldsFor } from './qr-code-etags.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'
import { validationError } from '../../request-errors.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup, type StyleLookup } from '../styles/style-lookup.ts'
import type { StyleWork } from '../styles/style-work.ts'

const attemptsMax = 20

/**
 * Changes a code, or returns undefined if it does not exist. The permitted changes depend on its
 * current state (its type, the rest of its style), so the write requires the version that was read.
 * If another change came in between, the code is read and planned again.
 */
export async function changeQrCode(
  { db, config, clock, work }: ProductContext,
  key: QrCodeKey,
  { changes, origin, ifMatch }: { changes: UpdateQrCode; origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<QrCodeRow | undefined> {
  const { publicUrl } = config
  const around = {
    publicUrl,
    styleOf: styleLookup(db, key.organizationId),
    work,
    hashOf: createHashOf(key.organizationId),
  }
  return retryOnConflict(async () => {
    const before = await readQrCode(db, key)
    if (before === undefined) return undefined
    requireMatch(before, ifMatch)
    const updates = requireRepeated(before, changes)
    const planned = await plannedChanges(before, updates, around)
    const how = { origin, ifVersion: before.version, nowMs: clock() }
    return orConflict(updateQrCode(db, key, { ...planned, ...how }))
  })
}

const conflict = Symbol('the code was changed since it was read')

/**
 * Returns the changes of an update that may send back a whole record. Throws ApiError 400 if it
 * changes what cannot change.
 */
export function requireRepeated(before: QrCodeRow, update: UpdateQrCode): QrCodeUpdates {
  const { id, type, shortCode, domainId, createdAt, ...rest } = update
  const { id: sameId, type: sameType, shortCode: sameCode } = before
  const isMoved = createdAt !== undefined && Date.parse(createdAt) !== before.createdAtMs
  const problems = [
    ...(id === undefined || id === sameId ? [] : ['id']),
    ...(type === undefined || type === sameType ? [] : ['type']),
    ...(shortCode === undefined || shortCode === sameCode ? [] : ['shortCode']),
    ...(domainId === undefined || domainId === before.domainId ? [] : ['domainId']),
    ...(isMoved ? ['createdAt'] : []),
  ].map((path) => ({ path, ...problem('unchangeable') }))
  if (problems.length > 0) throw validationError(problems)
  for (const name of computedFieldNames) delete rest[name]
  return rest
}

/** Applies a change to a code as it was read. Reads and tries again after a conflict. */
async function retryOnConflict<Done>(change: () => Promise<Done | typeof conflict>): Promise<Done> {
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const done = await change()
    if (done !== conflict) return done
  }
  throw changesTooOften()
}

async function orConflict<Done>(update: Promise<Done>): Promise<Done | typeof conflict> {
  try {
    return await update
  } catch (error) {
    if (error instanceof ApiError && error.status === 412) return conflict
    throw error
  }
}

/**
 * Rolls a code back to a version of its history, as a new version, or returns undefined if the code
 * does not exist. Changes nothing if the content is already the same. Throws ApiError 404 for an
 * unknown version, and otherwise as any change does: content that was once accepted may no longer
 * be.
 */
export async function rollBackQrCode(
  { db, config, clock, work }: ProductContext,
  key: QrCodeKey,
  { version, origin, ifMatch }: { version: number; origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<QrCodeRow | undefined> {
  return retryOnConflict(async () => {
    const before = await readQrCode(db, key)
    if (before === undefined) return undefined
    requireMatch(before, ifMatch)
    const target = await readQrCodeVersion(db, before, version)
    if (target === undefined) throw new ApiError(404, 'NOT_FOUND', problem('noSuchVersion', { version }))
    const changes = changesTo(before, target)
    if (Object.keys(changes).length === 0) return before
    const { publicUrl } = config
    const styleOf = styleLookup(db, key.organizationId)
    const planned = await plannedChanges(before, changes, {
      publicUrl,
      styleOf,
      work,
      hashOf: createHashOf(key.organizationId),
      rollbackTo: target,
    })
    const how = { origin, action: 'qr-code.rollback', ifVersion: before.version, nowMs: clock() } as const
    return orConflict(updateQrCode(db, key, { ...planned, ...how }))
  })
}

/** The update that restores the content of a version. */
function changesTo(
  before: QrCodeRow,
  { name, data, rules, passQuery, access, style, status }: QrCodeVersionRow,
): QrCodeUpdates {
  return {
    ...(name !== before.name && { name }),
    ...(!isDeepStrictEqual(data, before.data) && { data }),
    ...(!isDeepStrictEqual(rules, before.rules) && { rules }),
    ...(passQuery !== before.passQuery && { passQuery }),
    ...(!isDeepStrictEqual(access, before.access) && { access: accessReplacement(before.access, access) }),
    ...(!isDeepStrictEqual(style, before.style) && { style: styleReplacement(before.style, style) }),
    ...(status !== before.status && { status }),
  }
}

/**
 * Plans the changes to a code in its current state. Throws ApiError 400 or 422 for rules that the
 * schema cannot express.
 */
export async function plannedChanges(
  before: QrCodeRow,
  { styleId, rules: input, access: accessInput, ...changes }: QrCodeUpdates,
  {
    publicUrl,
    styleOf,
    work,
    hashOf,
    rollbackTo,
  }: {
    publicUrl: string
    styleOf: StyleLookup
    work: StyleWork
    hashOf: HashOf
    /** The version that a rollback restores. */
    rollbackTo?: QrCodeVersionRow
  },
): Promise<QrCodeChanges> {
  const { data, style: merged } = changes
  const saved = styleId === undefined ? rollbackTo?.style : await styleOf(styleId)
  const wanted = styleId === undefined ? merged : styleReplacement(before.style, saved, merged)
  const isSame = wanted === undefined || isDeepStrictEqual(mergeStyle(before.style, wanted), before.style)
  const style = isSame ? undefined : wanted
  // Content that stays was accepted once, maybe by looser rules.
  if (data !== undefined && !isDeepStrictEqual(data, before.data)) acceptData(before.type, data, publicUrl)
  const formerIds = rollbackTo?.rules.map(({ id }) => id) ?? []
  const rules = input === undefined ? undefined : acceptRules(input, { ...before, formerIds }, publicUrl)
  requireRoomForMetadata(before, changes.metadata)
  return {
    ...changes,
    ...(await acceptAccess(accessInput, before, { publicUrl, hashOf })),
    ...(rules !== undefined && { rules }),
    ...(style !== undefined &&
      (await restyled(before, style, { publicUrl, storedStyles: [before.style, saved ?? {}], work }))),
  }
}

/** A change within the limit may exceed it together with the existing keys. */
function requireRoomForMetadata(before: QrCodeRow, changes: UpdateMetadata | undefined): void {
  const count = Object.keys(mergeMetadata(before.metadata, changes ?? {})).length
  if (count <= limits.metadataKeysMax) return
  const found = problem('metadataTooLarge', { max: limits.metadataKeysMax, count })
  throw validationError([{ path: 'metadata', ...found }])
}

export function changesTooOften(): ApiError {
  return new ApiError(409, 'CONFLICT', problem('codeKeepsChanging'))
}

/** Throws ApiError 412 if `If-Match` does not name the current version. */
export function requireMatch(row: QrCodeRow, ifMatch: string | undefined): void {
  if (ifMatchHoldsFor(ifMatch, row)) return
  throw new ApiError(412, 'PRECONDITION_FAILED', problem('codeChangedSince'))
}

/** The change that replaces the whole style of a code. */
function styleReplacement(before: Style, style: Style | undefined, changes: UpdateStyle = {}): UpdateStyle {
  const removed = Object.fromEntries(Object.keys(before).map((field) => [field, null]))
  return { ...removed, ...style, ...changes }
}

async function restyled(
  before: QrCodeRow,
  changes: UpdateStyle,
  { publicUrl, storedStyles, work }: { publicUrl: string; storedStyles: readonly Style[]; work: StyleWork },
): Promise<Pick<QrCodeChanges, 'style' | 'scannability' | 'picture'>> {
  const { shortCode, domain, picture } = before
  const code = { shortCode, domain, publicUrl, picture, storedStyles, work }
  const { style, scannability } = await acceptQrCodeStyle(mergeStyle(before.style, changes), code)
  return {
    // The logo as it is stored.
    style: changes.logo && style.logo ? { ...changes, logo: style.logo } : changes,
    scannability,
    picture: pictureOf(shortUrlOf(before, publicUrl), style, picture),
  }
}
