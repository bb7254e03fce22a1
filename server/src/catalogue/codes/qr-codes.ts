import { problem, withGot } from '@everscan/contract/problems/problem.ts'
import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { mergeAccess, type AccessInput } from '@everscan/contract/access/access.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import type { Metadata, QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import {
  codeKey,
  isReservedShortCode,
  shortCodeProblem,
  shortCodeTaken,
} from '@everscan/contract/resources/short-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { freeAdoptedCodes } from '../../db/scans/adopted-codes.ts'
import { ApiError } from '../../errors.ts'
import { conflictIn, validationError } from '../../request-errors.ts'
import { createId, createShortCode } from '../../ids.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { findAndLockDomains, noSuchDomain } from '../domains/code-domains.ts'
import { findAndLockFolders, noSuchFolder, readFolder } from './folders.ts'
import {
  asStored,
  changeableColumns,
  changedFields,
  mergeQrCode,
  type QrCodeChanges,
} from './qr-code-merging.ts'
import { completeQrCodes, selectQrCodes } from './qr-code-rows.ts'
import type { PasswordHash } from '../rows/password-hash.ts'
import type { Picture, QrCodeRow } from '../rows/qr-code-row.ts'
import { recordQrCodeChanges } from './record-qr-code-changes.ts'
import { insertQrCodeRows } from './qr-code-writes.ts'
import { replaceTags } from './tags.ts'

/** Identifies a code. An id of another organization finds no code. */
export type QrCodeKey = { organizationId: string; id: string }

export type NewQrCode = {
  type: QrCodeType
  name: string
  /**
   * The caller has validated this against the schema of the type, and `style` and `metadata` too.
   */
  data: Record<string, unknown>
  /** Also validated, with their ids. Default: none. */
  rules?: readonly Rule[] | undefined
  passQuery?: boolean | undefined
  /** Also validated. Default: always open, for everybody. */
  access?: Omit<AccessInput, 'password'> | null | undefined
  passwordHash?: PasswordHash | null | undefined
  style?: Style | undefined
  /** The result of verifying a picture in that style; absent if no check was made. */
  scannability?: Scannability | undefined
  metadata?: Metadata | undefined
  folderId?: string | null | undefined
  tags?: readonly string[] | undefined
  /** The domain below which the code is; default: PUBLIC_URL. */
  domain?: { id: string; hostname: string } | undefined
  /** Chosen by the client; random by default. */
  shortCode?: string | undefined
  /** ACTIVE by default. */
  status?: QrCodeStatus | undefined
  /**
   * The picture of a given short code. A function runs once per draw, because a random code may be
   * taken.
   */
  picture: Picture | ((shortCode: string) => Picture | Promise<Picture>)
  /** Clicks that another product counted before the code moved here. Default: 0. */
  scansBefore?: number | undefined
  /** When another product created it. Default: now. */
  createdAtMs?: number | undefined
  origin: ChangeOrigin
  nowMs?: number
  /** Draws random short codes; tests use a small space. */
  createShortCode?: () => string
}

/** With `ifVersion` (If-Match), a change of any other version throws ApiError 412. */
export type ChangeOptions = { origin: ChangeOrigin; ifVersion?: number | undefined; nowMs?: number }

export type QrCodeUpdate = QrCodeChanges & ChangeOptions & { action?: 'qr-code.rollback' | undefined }

/**
 * With our seven characters even a second attempt is rare: this many mean that something else is
 * wrong.
 */
const shortCodeAttemptsMax = 100

/**
 * Creates a code. Throws ApiError 409 CONFLICT if the chosen short code was ever assigned on that
 * host name (in any letter case unless its short codes are exact, to any organization, deleted or
 * not), and 400 VALIDATION_ERROR if the organization does not have the folder or the domain.
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
 * Creates many codes with a few statements. Returns the outcome of each in order: the code, or the
 * ApiError that `createQrCode` would throw. Valid codes are created even if others fail. For
 * all-or-nothing, call this inside your own transaction and throw on the first error.
 */
export async function createQrCodes(
  db: Database,
  organizationId: string,
  inputs: readonly NewQrCode[],
): Promise<(QrCodeRow | ApiError)[]> {
  // Pictures are computed before our own transaction starts: they take longer than the writes.
  const drafts: Draft[] = []
  for (const input of inputs) drafts.push(await withShortCode({ input, row: newRow(organizationId, input) }))
  return inTransaction(db, async (tx) => {
    const folderIds = drafts.flatMap(({ row }) => row.folderId ?? [])
    const folders = await findAndLockFolders(tx, organizationId, folderIds)
    const rejected = new Map<string, ApiError>()
    for (const { row } of drafts)
      if (row.folderId !== null && !folders.has(row.folderId))
        rejected.set(row.id, noSuchFolder(row.folderId))
    const domains = await findAndLockDomains(
      tx,
      organizationId,
      drafts.flatMap(({ row }) => row.domainId ?? []),
    )
    for (const { row, input } of drafts) {
      const refusal = domainProblem(row, { input, domains })
      if (refusal !== undefined) rejected.set(row.id, refusal)
    }
    const assigned = await assignShortCodes(tx, drafts, { domains, rejected })
    await insertQrCodeRows(
      tx,
      assigned.map(({ row }) => row),
    )
    await recordQrCodeChanges(
      tx,
      organizationId,
      assigned.map(({ row, input }) => ({ after: row, origin: input.origin, nowMs: row.updatedAtMs })),
    )
    const rows = new Map(assigned.map(({ row }) => [row.id, row]))
    return drafts.map(({ row: { id } }) => {
      const outcome = rows.get(id) ?? rejected.get(id)
      if (outcome === undefined) throw new Error(`${id} has no outcome`)
      return outcome
    })
  })
}

/** Returns the code, or undefined if the organization has no such code. */
export async function readQrCode(db: Database, key: QrCodeKey): Promise<QrCodeRow | undefined> {
  const selected = await selectQrCodes(db, key.organizationId)
    .where('q.id', '=', key.id)
    .modifyEnd(tag('catalogue.readQrCode'))
    .execute()
  const [row] = await completeQrCodes(db, selected)
  return row
}

/**
 * Changes the given fields of a code and returns the whole code, or undefined if it does not exist.
 * Fields that stay the same change nothing. Throws ApiError 412 PRECONDITION_FAILED if the version
 * is not `ifVersion`, and 400 VALIDATION_ERROR for an unknown folder.
 */
export async function updateQrCode(
  db: Database,
  key: QrCodeKey,
  { origin, action, ifVersion, nowMs = Date.now(), ...changes }: QrCodeUpdate,
): Promise<QrCodeRow | undefined> {
  const write = inTransaction(db, async (tx) => {
    await requireFolder(tx, key.organizationId, changes.folderId)
    // Compare and set: after a concurrent change, this reads the new state and merges into it.
    for (;;) {
      const before = await readQrCode(tx, key)
      if (before === undefined) return undefined
      requireVersion(before, ifVersion)
      const after = mergeQrCode(before, changes, { origin, nowMs })
      if (changedFields(before, after).length === 0) return before
      if (!(await writeQrCode(tx, before, after))) continue
      if (changes.tags !== undefined) await replaceTags(tx, [after])
      await recordQrCodeChanges(tx, key.organizationId, [{ before, after, origin, nowMs, action }])
      return after
    }
  })
  return write.catch((error: unknown) => rethrow(error, changes.folderId))
}

/** Returns a code on a domain that the organization has not proved, which is not stored yet. */
export async function draftWaitingCode(
  organizationId: string,
  input: NewQrCode,
  codes: CodeForm,
): Promise<QrCodeRow> {
  const { row } = await withShortCode({ input, row: newRow(organizationId, input) })
  return { ...row, codeKey: codeKey({ ...row, codes }) }
}

/** A code that is not stored yet. */
type Draft = { input: NewQrCode; row: QrCodeRow }

function newRow(organizationId: string, input: NewQrCode): QrCodeRow {
  const { type, name, status = 'ACTIVE', nowMs = Date.now() } = input
  return {
    organizationId,
    id: createId('qr'),
    type,
    name,
    shortCode: input.shortCode ?? '',
    domainId: input.domain?.id ?? null,
    domain: input.domain?.hostname ?? '',
    // Known with the short code.
    codeKey: '',
    data: asStored(input.data),
    rules: asStored([...(input.rules ?? [])]),
    formerRules: {},
    passQuery: input.passQuery ?? false,
    access: asStored(mergeAccess(null, input.access ?? null)),
    hasPassword: input.passwordHash != null,
    passwordHash: input.passwordHash ?? null,
    scanCount: 0,
    limitResets: 0,
    limitExcesses: [],
    style: asStored(input.style ?? {}),
    metadata: asStored(input.metadata ?? {}),
    status,
    folderId: input.folderId ?? null,
    tags: normalizeTags(input.tags ?? []),
    picture: { version: 1, mask: 0 },
    scannability: input.scannability ?? null,
    scansBefore: input.scansBefore ?? 0,
    totalScans: 0,
    uniqueScans: 0,
    version: 1,
    history: { version: 1, changed: [], changedAtMs: nowMs, changedBy: input.origin.actor },
    createdAtMs: input.createdAtMs ?? nowMs,
    updatedAtMs: nowMs,
  }
}

/**
 * Returns the draft with its chosen short code or a newly drawn one, and with the matching picture.
 */
async function withShortCode({ input, row }: Draft): Promise<Draft> {
  const draw = input.createShortCode ?? createShortCode
  let shortCode = input.shortCode ?? draw()
  while (input.shortCode === undefined && isReservedShortCode(shortCode)) shortCode = draw()
  const picture = typeof input.picture === 'function' ? await input.picture(shortCode) : input.picture
  return { input, row: { ...row, shortCode, picture } }
}

/** Returns why a new code cannot be on its domain, or have its chosen short code there. */
function domainProblem(
  { domainId }: QrCodeRow,
  {
    input: { shortCode },
    domains,
  }: { input: Pick<NewQrCode, 'shortCode'>; domains: ReadonlyMap<string, CodeForm> },
): ApiError | undefined {
  if (domainId === null) return undefined
  const codes = domains.get(domainId)
  if (codes === undefined) return noSuchDomain(domainId)
  const found = shortCode === undefined ? undefined : shortCodeProblem(shortCode, codes)
  if (found === undefined || shortCode === undefined) return undefined
  return validationError([{ path: 'shortCode', ...withGot(found, shortCode) }])
}

/**
 * Assigns each draft its short code for ever. Draws again if a random code is taken; rejects a
 * taken code that the client chose.
 */
async function assignShortCodes(
  tx: Database,
  drafts: readonly Draft[],
  { domains, rejected }: { domains: ReadonlyMap<string, CodeForm>; rejected: Map<string, ApiError> },
): Promise<Draft[]> {
  const assigned: Draft[] = []
  const keyed = ({ input, row }: Draft): Draft => {
    const key = codeKey({ ...row, codes: domains.get(row.domainId ?? '') })
    return { input, row: { ...row, codeKey: key } }
  }
  let waiting = drafts.filter(({ row }) => !rejected.has(row.id)).map(keyed)
  for (let attempt = 1; waiting.length > 0; attempt++) {
    if (attempt > shortCodeAttemptsMax)
      throw new Error(`no free short code in ${shortCodeAttemptsMax} attempts`)
    const free = await insertShortCodes(
      tx,
      waiting.map(({ row }) => row),
    )
    const again: Draft[] = []
    for (const draft of waiting) {
      const { id, shortCode } = draft.row
      if (free.has(id)) assigned.push(draft)
      else if (draft.input.shortCode === undefined) again.push(keyed(await withShortCode(draft)))
      else rejected.set(id, conflictIn('shortCode', shortCodeTaken(shortCode)))
    }
    waiting = again
  }
  return assigned
}

/**
 * Returns the ids of the codes whose short code was free. The first of several equal short codes
 * wins.
 */
async function insertShortCodes(tx: Database, rows: readonly QrCodeRow[]): Promise<Set<unknown>> {
  const values = rows.map((row) => ({
    canonical_code: row.codeKey,
    short_code: row.shortCode,
    organization_id: row.organizationId,
    qr_code_id: row.id,
    created_at_ms: row.updatedAtMs,
    deleted_at_ms: null,
  }))
  // Every caller uses this order, so that two transactions rarely wait for each other. The sort is
  // stable for equal codes.
  values.sort((a, b) =>
    a.canonical_code < b.canonical_code ? -1 : a.canonical_code > b.canonical_code ? 1 : 0,
  )
  await freeAdoptedCodes(
    tx,
    rows[0]?.organizationId ?? '',
    values.map((value) => value.canonical_code),
  )
  return new Set(
    await insertRows(tx, 'short_codes', { rows: values, skipTaken: true, returning: 'qr_code_id' }),
  )
}

/**
 * Writes a changed code. Returns false and writes nothing if the code has another version by now.
 */
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

/** Throws ApiError 412 PRECONDITION_FAILED if the code has another version than `ifVersion`. */
export function requireVersion(row: QrCodeRow, ifVersion: number | undefined): void {
  if (ifVersion !== undefined && row.version !== ifVersion)
    throw new ApiError(412, 'PRECONDITION_FAILED', problem('codeChangedSince'))
}

async function requireFolder(
  tx: Database,
  organizationId: string,
  folderId: string | null | undefined,
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  if ((await readFolder(tx, { organizationId, id: folderId })) === undefined) throw noSuchFolder(folderId)
}

/** The foreign key catches a folder that was deleted after the check. */
function rethrow(error: unknown, folderId: string | null | undefined): never {
  if (typeof folderId === 'string' && isForeignKeyViolation(error)) throw noSuchFolder(folderId, error)
  throw error
}
