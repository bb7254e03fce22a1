import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import { cloneNameSuffix, type BatchClone, type BatchUpdate } from '@everscan/contract/resources/batches.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { mergeMetadata } from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle, type Style } from '@everscan/contract/resources/styles.ts'
import { readQrCodes, updateQrCodes, type QrCodeChange } from '../../catalogue/codes/batches.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { noSuchFolder, readFolder } from '../../catalogue/codes/folders.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { createQrCodes, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { attempt, requireAll, type BatchItem, type BatchOutcome } from '../http/batch-results.ts'
import type { ApiContext } from '../http/api-context.ts'
import { changesTooOften, plannedChanges } from './changes.ts'
import { checkData } from './checks.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../../records/qr-code-records.ts'
import { notFound, validationError } from '../http/request-errors.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup, type StyleLookup } from '../styles/saved-styles.ts'
import type { StyleWork } from '../http/style-work.ts'

const attemptsMax = 20

type Ids = readonly (BatchItem & { id: string })[]
type Outcomes = BatchOutcome<QrCodeRow>[]

/**
 * Changes many codes. Each change is planned from the code as read, and written only if the code is
 * still the same. Codes that changed in between are read and planned again, or all of them if the
 * batch is atomic.
 */
export async function changeQrCodes(
  { db, config, clock, work: styleWork }: ApiContext,
  organizationId: string,
  work: { items: Ids; updates: BatchUpdate['updates']; origin: ChangeOrigin; atomic: boolean },
): Promise<Outcomes> {
  const { items, updates, origin, atomic } = work
  await requireFolder(db, organizationId, { folderId: updates.folderId, path: 'updates.folderId' })
  const styleOf = styleLookup(db, organizationId)
  // An unknown style affects every item alike, so it fails the request, not each code.
  if (updates.styleId !== undefined) await styleOf(updates.styleId)
  const settled = new Map<string, QrCodeRow | ApiError>()
  for (let round = 1; round <= attemptsMax; round++) {
    const waiting = items.filter(({ id }) => !settled.has(id))
    const rows = await readQrCodes(
      db,
      organizationId,
      waiting.map(({ id }) => id),
    )
    const changes: QrCodeChange[] = []
    for (const { id } of waiting) {
      const before = rows.get(id)
      const planned =
        before === undefined
          ? notFound()
          : await attempt(() =>
              planOf(before, updates, { publicUrl: config.publicUrl, styleOf, work: styleWork }),
            )
      if (planned instanceof ApiError) settled.set(id, planned)
      else changes.push(planned)
    }
    if (atomic) requireAll(outcomesOf(items, settled))
    const written = await writeChanges(db, organizationId, {
      changes,
      origin,
      nowMs: clock(),
      atomic,
    })
    for (const [id, row] of written) settled.set(id, row)
    if (settled.size === items.length) return outcomesOf(items, settled)
  }
  throw changesTooOften()
}

/** Creates the codes of drafts; drafts that already failed keep their error. */
export async function makeQrCodes(
  db: Database,
  organizationId: string,
  { drafts, atomic }: { drafts: readonly BatchOutcome<NewQrCode>[]; atomic: boolean },
): Promise<Outcomes> {
  if (atomic) requireAll(drafts)
  const valid = drafts.flatMap(({ outcome }) => (outcome instanceof ApiError ? [] : [outcome]))
  const work = async (source: Database): Promise<Outcomes> => {
    const made = await createQrCodes(source, organizationId, valid)
    let next = 0
    const outcomes = drafts.map(({ item, outcome }) => {
      if (outcome instanceof ApiError) return { item, outcome }
      const row = made[next++]
      if (row === undefined) throw new Error(`${item.path} has no outcome`)
      return { item, outcome: row }
    })
    if (atomic) requireAll(outcomes)
    return outcomes
  }
  return atomic ? inTransaction(db, work) : work(db)
}

/** Creates the drafts of copies of codes. */
export async function cloneDrafts(
  context: ApiContext,
  organizationId: string,
  { items, clone, origin }: { items: Ids; clone: Omit<BatchClone, 'ids'>; origin: ChangeOrigin },
): Promise<BatchOutcome<NewQrCode>[]> {
  const { db } = context
  const folderId = clone.overrides?.folderId
  await requireFolder(db, organizationId, { folderId, path: 'overrides.folderId' })
  const rows = await readQrCodes(
    db,
    organizationId,
    items.map(({ id }) => id),
  )
  const styleId = clone.overrides?.styleId
  const base = styleId === undefined ? undefined : await styleLookup(db, organizationId)(styleId)
  const drafts: BatchOutcome<NewQrCode>[] = []
  for (const item of items) {
    const source = rows.get(item.id)
    const outcome =
      source === undefined
        ? notFound()
        : await attempt(() => cloneOf(source, { ...clone, base, origin }, context))
    drafts.push({ item, outcome })
  }
  return drafts
}

async function cloneOf(
  source: QrCodeRow,
  {
    overrides = {},
    nameSuffix,
    base = source.style,
    origin,
  }: Omit<BatchClone, 'ids'> & { base?: Style | undefined; origin: ChangeOrigin },
  { config: { publicUrl }, clock, work }: ApiContext,
): Promise<NewQrCode> {
  const { data, name, folderId = source.folderId, status = 'ACTIVE', tags = source.tags } = overrides
  if (data !== undefined) checkData(source.type, data, publicUrl)
  const { style, scannability } = await acceptQrCodeStyle(mergeStyle(base, overrides.style ?? {}), {
    publicUrl,
    storedStyles: [base],
    work,
  })
  const suffix = nameSuffix ?? (name === undefined ? cloneNameSuffix : '')
  return {
    type: source.type,
    name: withSuffix(name ?? source.name, suffix),
    data: data ?? source.data,
    style,
    scannability,
    metadata: mergeMetadata(source.metadata, overrides.metadata ?? {}),
    folderId,
    tags,
    status,
    picture: (shortCode) => pictureOf(shortUrlOf(shortCode, publicUrl), style),
    origin,
    nowMs: clock(),
  }
}

/** Cuts the name by characters, never within one. */
function withSuffix(name: string, suffix: string): string {
  const room = limits.nameCharsMax - Array.from(suffix).length
  return Array.from(name).slice(0, room).join('') + suffix
}

async function planOf(
  before: QrCodeRow,
  updates: BatchUpdate['updates'],
  how: { publicUrl: string; styleOf: StyleLookup; work: StyleWork },
): Promise<QrCodeChange> {
  const { addTags, removeTags, ...changes } = updates
  const planned = await plannedChanges(before, changes, how)
  if (addTags === undefined && removeTags === undefined) return { before, changes: planned }
  const removed = new Set(normalizeTags(removeTags ?? []))
  const combined = normalizeTags([...(changes.tags ?? before.tags), ...(addTags ?? [])])
  const tags = combined.filter((tag) => !removed.has(tag))
  if (tags.length > limits.tagsMax)
    throw validationError([
      { path: 'tags', message: `must have at most ${limits.tagsMax} entries, got ${tags.length}` },
    ])
  return { before, changes: { ...planned, tags } }
}

/**
 * Writes the changes and returns the written codes: none if the batch is atomic and a code was
 * changed after it was read.
 */
async function writeChanges(
  db: Database,
  organizationId: string,
  {
    atomic,
    ...work
  }: { changes: readonly QrCodeChange[]; origin: ChangeOrigin; nowMs: number; atomic: boolean },
): Promise<Map<string, QrCodeRow>> {
  const conflict = new Error('a code was changed since it was read')
  const write = inTransaction(db, async (tx) => {
    const written = await updateQrCodes(tx, organizationId, work)
    if (atomic && written.size < work.changes.length) throw conflict
    return written
  })
  return write.catch((error: unknown) => {
    if (error === conflict) return new Map<string, QrCodeRow>()
    throw error
  })
}

/** An unknown folder affects every item alike, so it fails the request, not each code. */
async function requireFolder(
  db: Database,
  organizationId: string,
  { folderId, path }: { folderId: string | null | undefined; path: string },
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  if ((await readFolder(db, { organizationId, id: folderId })) !== undefined) return
  const { details = [] } = noSuchFolder(folderId)
  throw validationError(details.map(({ message }) => ({ path, message })))
}

function outcomesOf(items: Ids, settled: ReadonlyMap<string, QrCodeRow | ApiError>): Outcomes {
  return items.flatMap((item) => {
    const outcome = settled.get(item.id)
    return outcome === undefined ? [] : [{ item, outcome }]
  })
}
