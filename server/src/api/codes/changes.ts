import { isDeepStrictEqual } from 'node:util'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  mergeMetadata,
  type UpdateMetadata,
  type UpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { readQrCodeVersion, type QrCodeVersionRow } from '../../catalogue/codes/qr-code-history.ts'
import type { QrCodeChanges } from '../../catalogue/codes/qr-code-merging.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { type QrCodeKey, readQrCode, updateQrCode } from '../../catalogue/codes/qr-codes.ts'
import { ApiError } from '../../errors.ts'
import type { ApiContext } from '../http/api-context.ts'
import { checkData } from './checks.ts'
import { ifMatchHoldsFor } from './qr-code-etags.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'
import { validationError } from '../http/request-errors.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup, type StyleLookup } from '../styles/saved-styles.ts'

const attemptsMax = 20

/**
 * Changes a code, or gives undefined when there is none. What may be changed depends on what is there (its type, the rest
 * of its style), so the version that was looked at is the version that is written; when another change came between, the
 * look is taken again.
 */
export async function changeQrCode(
  { db, config, clock }: ApiContext,
  key: QrCodeKey,
  { changes, origin, ifMatch }: { changes: UpdateQrCode; origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<QrCodeRow | undefined> {
  const styleOf = styleLookup(db, key.organizationId)
  return retryOnConflict(async () => {
    const before = await readQrCode(db, key)
    if (before === undefined) return undefined
    requireMatch(before, ifMatch)
    const planned = await plannedChanges(before, changes, { publicUrl: config.publicUrl, styleOf })
    const how = { origin, ifVersion: before.version, nowMs: clock() }
    return orConflict(updateQrCode(db, key, { ...planned, ...how }))
  })
}

const conflict = Symbol('the code was changed since it was read')

/** Makes a change of a code as it was read; when another change came between, reads and tries again. */
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
 * Takes a code back to a version of its history, as a new version; undefined: there is no such code. Nothing changes when it is so already.
 * Throws ApiError 404 for a version that it doesn't have, and else as any change does: what was accepted once may be no longer.
 */
export async function rollBackQrCode(
  { db, config, clock }: ApiContext,
  key: QrCodeKey,
  { version, origin, ifMatch }: { version: number; origin: ChangeOrigin; ifMatch: string | undefined },
): Promise<QrCodeRow | undefined> {
  return retryOnConflict(async () => {
    const before = await readQrCode(db, key)
    if (before === undefined) return undefined
    requireMatch(before, ifMatch)
    const target = await readQrCodeVersion(db, before, version)
    if (target === undefined)
      throw new ApiError(404, 'NOT_FOUND', `This QR code has no version ${version}, or no longer.`)
    const changes = changesTo(before, target)
    if (Object.keys(changes).length === 0) return before
    const { publicUrl } = config
    const styleOf = styleLookup(db, key.organizationId)
    const planned = await plannedChanges(before, changes, { publicUrl, styleOf, kept: target.style })
    const how = { origin, action: 'qr-code.rollback', ifVersion: before.version, nowMs: clock() } as const
    return orConflict(updateQrCode(db, key, { ...planned, ...how }))
  })
}

/** The update that makes a code what it was in a version. */
function changesTo(before: QrCodeRow, { name, data, style, status }: QrCodeVersionRow): UpdateQrCode {
  return {
    ...(name !== before.name && { name }),
    ...(!isDeepStrictEqual(data, before.data) && { data }),
    ...(!isDeepStrictEqual(style, before.style) && { style: replacing(before.style, style) }),
    ...(status !== before.status && { status }),
  }
}

/** What is to change of a code as it is. Throws ApiError 400 or 422 for what the schema cannot say. */
export async function plannedChanges(
  before: QrCodeRow,
  { styleId, ...changes }: UpdateQrCode,
  {
    publicUrl,
    styleOf,
    kept,
  }: {
    publicUrl: string
    styleOf: StyleLookup
    /** The style of the code that the change comes from, when it comes from one. */
    kept?: Style
  },
): Promise<QrCodeChanges> {
  const { data, style: merged } = changes
  const saved = styleId === undefined ? kept : await styleOf(styleId)
  const style = styleId === undefined ? merged : replacing(before.style, saved, merged)
  if (data !== undefined) checkData(before.type, data, publicUrl)
  requireRoomForMetadata(before, changes.metadata)
  return {
    ...changes,
    ...(style !== undefined &&
      (await restyled(before, style, { publicUrl, kept: [before.style, saved ?? {}] }))),
  }
}

/** What a change adds may fit by itself and be too much with what is there. */
function requireRoomForMetadata(before: QrCodeRow, changes: UpdateMetadata | undefined): void {
  const count = Object.keys(mergeMetadata(before.metadata, changes ?? {})).length
  if (count <= limits.metadataKeysMax) return
  const message = `must have at most ${limits.metadataKeysMax} keys, would have ${count} with those that are there`
  throw validationError([{ path: 'metadata', message }])
}

export function changesTooOften(): ApiError {
  return new ApiError(409, 'CONFLICT', 'The QR code is being changed by others all the time. Try again.')
}

/** Throws 412 when `If-Match` names another version than this. */
export function requireMatch(row: QrCodeRow, ifMatch: string | undefined): void {
  if (ifMatchHoldsFor(ifMatch, row)) return
  throw new ApiError(
    412,
    'PRECONDITION_FAILED',
    'The QR code was changed since the version that If-Match names. Read it again.',
  )
}

/** The change that takes a code from its style to another one. */
function replacing(before: Style, style: Style | undefined, changes: UpdateStyle = {}): UpdateStyle {
  const removed = Object.fromEntries(Object.keys(before).map((field) => [field, null]))
  return { ...removed, ...style, ...changes }
}

async function restyled(
  before: QrCodeRow,
  changes: UpdateStyle,
  { publicUrl, kept }: { publicUrl: string; kept: readonly Style[] },
): Promise<Pick<QrCodeChanges, 'style' | 'scannability' | 'picture'>> {
  const { shortCode, picture } = before
  const code = { shortCode, publicUrl, picture, kept }
  const { style, scannability } = await acceptQrCodeStyle(mergeStyle(before.style, changes), code)
  return {
    // The logo as it is kept.
    style: changes.logo && style.logo ? { ...changes, logo: style.logo } : changes,
    scannability,
    picture: pictureOf(shortUrlOf(shortCode, publicUrl), style, picture),
  }
}
