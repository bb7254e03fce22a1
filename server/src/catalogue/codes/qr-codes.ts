import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import type { QrCodeType } from '@everscan/contract/code-types/qr-code-data.ts'
import type { Metadata, QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import { canonicalShortCode, isReservedShortCode } from '@everscan/contract/resources/short-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { refreshStatistics } from '../../db/lists/statistics.ts'
import { ApiError } from '../../errors.ts'
import { createId, createShortCode } from '../../ids.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { keepFolders, noSuchFolder, readFolder } from './folders.ts'
import { asStored, changeableColumns, mergeQrCode, type QrCodeChanges } from './qr-code-merging.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { Picture, QrCodeRow } from '../rows/qr-code-row.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import { insertTags, replaceTags } from './tags.ts'

/** Names one code: an id of another organization is an id of nothing. */
export type QrCodeKey = { organizationId: string; id: string }

export type NewQrCode = {
  type: QrCodeType
  name: string
  /** Checked by the caller against the schema of the type, as `style` and `metadata` are. */
  data: Record<string, unknown>
  style?: Style | undefined
  /** What came of reading back a picture of that style; absent: nobody did. */
  scannability?: Scannability | undefined
  metadata?: Metadata | undefined
  folderId?: string | null | undefined
  tags?: readonly string[] | undefined
  /** Chosen by the client; a random one otherwise. */
  shortCode?: string | undefined
  /** ACTIVE unless given. */
  status?: QrCodeStatus | undefined
  /** Of the short URL of the code that is tried: a random one may be taken, then the next one is drawn. */
  picture: Picture | ((shortCode: string) => Picture | Promise<Picture>)
  origin: ChangeOrigin
  nowMs?: number
  /** Random short codes; tests make the space small. */
  createShortCode?: () => string
}

/** `ifVersion`: change only this version of the code (If-Match); otherwise ApiError 412. */
export type ChangeOptions = { origin: ChangeOrigin; ifVersion?: number | undefined; nowMs?: number }

export type QrCodeUpdate = QrCodeChanges & ChangeOptions & { action?: 'qr-code.rollback' | undefined }

/** With the seven characters of ours even the second try is rare; many mean that something else is wrong. */
const shortCodeAttemptsMax = 100

/**
 * Makes a code. Throws ApiError 409 CONFLICT when the chosen short code was ever assigned (in any letter case, to anyone, deleted
 * or not), and 400 VALIDATION_ERROR when the organization doesn't have the folder.
 */
export async function createQrCode(
  db: Database,
  organizationId: string,
  input: NewQrCode,
): Promise<QrCodeRow> {
  const [outcome] = await createQrCodes(db, organizationId, [input])
  if (outcome === undefined) throw new Error('no outcome')
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/**
 * Makes many codes with a few statements and gives the outcome of each, in their order: the code, or the ApiError for which `createQrCode`
 * would throw. The good ones are made; who wants all or none throws in a transaction of its own.
 */
export async function createQrCodes(
  db: Database,
  organizationId: string,
  inputs: readonly NewQrCode[],
): Promise<(QrCodeRow | ApiError)[]> {
  // Outside the transaction, when it is ours: drawing takes longer than writing.
  const drafts: Draft[] = []
  for (const input of inputs) drafts.push(await drawn({ input, row: newRow(organizationId, input) }))
  return inTransaction(db, async (tx) => {
    const folderIds = drafts.flatMap(({ row }) => row.folderId ?? [])
    const folders = await keepFolders(tx, organizationId, folderIds)
    const refused = new Map<string, ApiError>()
    for (const { row } of drafts)
      if (row.folderId !== null && !folders.has(row.folderId)) refused.set(row.id, noSuchFolder(row.folderId))
    const assigned = await assignShortCodes(tx, drafts, refused)
    await insertQrCodes(tx, organizationId, assigned)
    const rows = new Map(assigned.map(({ row }) => [row.id, row]))
    return drafts.map(({ row: { id } }) => {
      const outcome = rows.get(id) ?? refused.get(id)
      if (outcome === undefined) throw new Error(`${id} has no outcome`)
      return outcome
    })
  })
}

/** Undefined: the organization has no such code. */
export async function readQrCode(db: Database, key: QrCodeKey): Promise<QrCodeRow | undefined> {
  const selected = await selectQrCodes(db, key.organizationId)
    .where('q.id', '=', key.id)
    .modifyEnd(tag('catalogue.readQrCode'))
    .execute()
  const [row] = await completeQrCodes(db, selected)
  return row
}

/**
 * Changes what is given of a code and gives the whole of it; undefined: there is no such code. Nothing given changes nothing. Throws ApiError
 * 412 PRECONDITION_FAILED for another version than `ifVersion`, and 400 VALIDATION_ERROR for an unknown folder.
 */
export async function updateQrCode(
  db: Database,
  key: QrCodeKey,
  { origin, action, ifVersion, nowMs = Date.now(), ...changes }: QrCodeUpdate,
): Promise<QrCodeRow | undefined> {
  const write = inTransaction(db, async (tx) => {
    await requireFolder(tx, key.organizationId, changes.folderId)
    // Compare and set: when another change came between, its result is read and this one is merged into that.
    for (;;) {
      const before = await readQrCode(tx, key)
      if (before === undefined) return undefined
      requireVersion(before, ifVersion)
      if (Object.values(changes).every((change) => change === undefined)) return before
      const after = mergeQrCode(before, changes, { origin, nowMs })
      if (!(await writeQrCode(tx, before, after))) continue
      if (changes.tags !== undefined) await replaceTags(tx, [after])
      await recordQrCodeChanges(tx, key.organizationId, [{ before, after, origin, nowMs, action }])
      return after
    }
  })
  return write.catch((error: unknown) => rethrow(error, changes.folderId))
}

/**
 * Deletes a code for good and gives what it was; undefined: there is no such code. Its short code stays assigned for ever, its scans stay
 * in the scan store. Throws ApiError 412 as `updateQrCode` does.
 */
export async function deleteQrCode(
  db: Database,
  key: QrCodeKey,
  { origin, ifVersion, nowMs = Date.now() }: ChangeOptions,
): Promise<QrCodeRow | undefined> {
  return inTransaction(db, async (tx) => {
    for (;;) {
      const before = await readQrCode(tx, key)
      if (before === undefined) return undefined
      requireVersion(before, ifVersion)
      const { numDeletedRows } = await tx.kysely
        .deleteFrom('qr_codes')
        .where('organization_id', '=', key.organizationId)
        .where('id', '=', key.id)
        .where('version', '=', before.version)
        .modifyEnd(tag('catalogue.deleteQrCode'))
        .executeTakeFirst()
      if (numDeletedRows === 0n) continue
      await tx.kysely
        .updateTable('short_codes')
        .set({ deleted_at_ms: nowMs })
        .where('canonical_code', '=', canonicalShortCode(before.shortCode))
        .execute()
      await recordQrCodeChanges(tx, key.organizationId, [{ before, origin, nowMs }])
      return before
    }
  })
}

/** A code that has no place in the catalogue yet. */
type Draft = { input: NewQrCode; row: QrCodeRow }

function newRow(organizationId: string, input: NewQrCode): QrCodeRow {
  const { type, name, status = 'ACTIVE', nowMs = Date.now() } = input
  return {
    organizationId,
    id: createId('qr'),
    type,
    name,
    shortCode: input.shortCode ?? '',
    data: asStored(input.data),
    style: asStored(input.style ?? {}),
    metadata: asStored(input.metadata ?? {}),
    status,
    folderId: input.folderId ?? null,
    tags: normalizeTags(input.tags ?? []),
    picture: { version: 1, mask: 0 },
    scannability: input.scannability ?? null,
    totalScans: 0,
    uniqueScans: 0,
    version: 1,
    history: { version: 1, changed: [], changedAtMs: nowMs, changedBy: input.origin.actor },
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
}

/** A draft with its short code, chosen or drawn anew, and with the picture of that. */
async function drawn({ input, row }: Draft): Promise<Draft> {
  const draw = input.createShortCode ?? createShortCode
  let shortCode = input.shortCode ?? draw()
  while (input.shortCode === undefined && isReservedShortCode(shortCode)) shortCode = draw()
  const picture = typeof input.picture === 'function' ? await input.picture(shortCode) : input.picture
  return { input, row: { ...row, shortCode, picture } }
}

/** Gives each draft its short code for ever; a random one that is taken is drawn again, a chosen one is refused. */
async function assignShortCodes(
  tx: Database,
  drafts: readonly Draft[],
  refused: Map<string, ApiError>,
): Promise<Draft[]> {
  const assigned: Draft[] = []
  let waiting = drafts.filter(({ row }) => !refused.has(row.id))
  for (let attempt = 1; waiting.length > 0; attempt++) {
    if (attempt > shortCodeAttemptsMax)
      throw new Error(`no free short code was found in ${shortCodeAttemptsMax} tries`)
    const free = await insertShortCodes(
      tx,
      waiting.map(({ row }) => row),
    )
    const again: Draft[] = []
    for (const draft of waiting) {
      const { id, shortCode } = draft.row
      if (free.has(id)) assigned.push(draft)
      else if (draft.input.shortCode === undefined) again.push(await drawn(draft))
      else
        refused.set(id, new ApiError(409, 'CONFLICT', `shortCode: "${shortCode}" is taken, choose another`))
    }
    waiting = again
  }
  return assigned
}

/** Gives the ids of the codes whose short code was free. Of several that want the same, the first gets it. */
async function insertShortCodes(tx: Database, rows: readonly QrCodeRow[]): Promise<Set<unknown>> {
  const wanted = rows.map((row) => ({
    canonical_code: canonicalShortCode(row.shortCode),
    short_code: row.shortCode,
    organization_id: row.organizationId,
    qr_code_id: row.id,
    created_at_ms: row.createdAtMs,
    deleted_at_ms: null,
  }))
  // In one order everywhere, so that two transactions rarely wait for each other; equal codes stay in theirs.
  wanted.sort((a, b) =>
    a.canonical_code < b.canonical_code ? -1 : a.canonical_code > b.canonical_code ? 1 : 0,
  )
  return new Set(
    await insertRows(tx, 'short_codes', { rows: wanted, skipTaken: true, returning: 'qr_code_id' }),
  )
}

async function insertQrCodes(tx: Database, organizationId: string, drafts: readonly Draft[]): Promise<void> {
  const rows = drafts.map(({ row }) => row)
  await insertRows(tx, 'qr_codes', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      id: row.id,
      canonical_code: canonicalShortCode(row.shortCode),
      type: row.type,
      created_at_ms: row.createdAtMs,
      ...changeableColumns(row),
    })),
  })
  await refreshStatistics(tx, ['qr_codes'], { rowsInserted: rows.length })
  await insertTags(tx, rows)
  await insertRows(tx, 'scan_counters', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      qr_code_id: row.id,
      total_scans: 0,
      unique_scans: 0,
    })),
  })
  await refreshStatistics(tx, ['qr_code_tags', 'scan_counters'], { rowsInserted: rows.length })
  await recordQrCodeChanges(
    tx,
    organizationId,
    drafts.map(({ row, input }) => ({ after: row, origin: input.origin, nowMs: row.createdAtMs })),
  )
}

/** False, and nothing written: the code is no longer as it was before. */
async function writeQrCode(tx: Database, before: QrCodeRow, after: QrCodeRow): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('qr_codes')
    .set(changeableColumns(after))
    .where('organization_id', '=', before.organizationId)
    .where('id', '=', before.id)
    .where('version', '=', before.version)
    .modifyEnd(tag('catalogue.updateQrCode'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function requireVersion(row: QrCodeRow, ifVersion: number | undefined): void {
  if (ifVersion !== undefined && row.version !== ifVersion)
    throw new ApiError(
      412,
      'PRECONDITION_FAILED',
      'The QR code was changed since the version that If-Match names; read it again.',
    )
}

async function requireFolder(
  tx: Database,
  organizationId: string,
  folderId: string | null | undefined,
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  if ((await readFolder(tx, { organizationId, id: folderId })) === undefined) throw noSuchFolder(folderId)
}

/** A folder that was deleted after the look at it is met by the foreign key. */
function rethrow(error: unknown, folderId: string | null | undefined): never {
  if (typeof folderId === 'string' && isForeignKeyViolation(error)) throw noSuchFolder(folderId, error)
  throw error
}
