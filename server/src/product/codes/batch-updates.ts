import { problem } from '@everscan/contract/problems/problem.ts'
import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import { BatchUpdates, type BatchChange, type BatchUpdate } from '@everscan/contract/resources/batches.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readQrCodes, updateQrCodes, type QrCodeChange } from '../../catalogue/codes/batches.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { findAndLockFolders, noSuchFolder } from '../../catalogue/codes/folders.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import {
  attempt,
  itemsOfIds,
  requireAll,
  requireBatchSize,
  type BatchItem,
  type BatchOutcome,
} from './batch-results.ts'
import type { ProductContext } from '../product-context.ts'
import { createHashOf, type HashOf } from './accept-access.ts'
import { noticesOf, onNotice } from '../../catalogue/domains/domain-notices.ts'
import { requireFolder } from './batch-changes.ts'
import { changesTooOften, plannedChanges, requireMatch } from './changes.ts'
import { errorBelow, notFound, validationError } from '../../request-errors.ts'
import { styleLookup, type StyleLookup } from '../styles/style-lookup.ts'
import { validatorOf } from '../validation/validator.ts'

const attemptsMax = 20

type Outcomes = BatchOutcome<QrCodeRow>[]

/** A code of a batch update and its changes, or the reason why they are invalid. */
type UpdateItem = BatchItem & {
  id: string
  updates: BatchUpdates | ApiError
  ifMatch?: string | undefined
  /** Path of `updates`, if its problems belong to this code alone. */
  updatesPath?: string
}

/** A batch update with the changes that are planned so far. */
export type PlannedUpdate = {
  items: readonly UpdateItem[]
  styleOf: StyleLookup
  hashOf: HashOf
  settled: Map<string, QrCodeRow | ApiError>
  changes: QrCodeChange[]
}

/**
 * Validates a batch update and plans the change of each code from the code as read. A problem that
 * affects every code alike fails the request.
 */
export async function planUpdate(
  context: ProductContext,
  organizationId: string,
  body: BatchUpdate,
): Promise<PlannedUpdate> {
  const items = itemsOf(body)
  const styleOf = styleLookup(context.db, organizationId)
  if (body.updates !== undefined) {
    const { folderId, styleId } = body.updates
    await requireFolder(context.db, organizationId, { folderId, path: 'updates.folderId' })
    if (styleId !== undefined) await styleOf(styleId)
  }
  const plan: PlannedUpdate = {
    items,
    styleOf,
    hashOf: createHashOf(organizationId),
    settled: new Map(),
    changes: [],
  }
  await planWaiting(context, organizationId, plan)
  return plan
}

/**
 * Writes the planned changes, each only if its code is still as read. Codes that changed in between
 * are read and planned again, or all of them if the batch is atomic.
 */
export async function writeUpdate(
  context: ProductContext,
  organizationId: string,
  { plan, origin, atomic }: { plan: PlannedUpdate; origin: ChangeOrigin; atomic: boolean },
): Promise<Outcomes> {
  const { items, settled } = plan
  for (let round = 1; round <= attemptsMax; round++) {
    if (round > 1) await planWaiting(context, organizationId, plan)
    if (atomic) requireAll(outcomesOf(items, settled), items.length)
    const { changes } = plan
    const work = { changes, origin, nowMs: context.clock(), atomic }
    for (const [id, row] of await writeChanges(context.db, organizationId, work)) settled.set(id, row)
    if (settled.size === items.length) return outcomesOf(items, settled)
  }
  throw changesTooOften()
}

function itemsOf({ ids, updates, changes }: BatchUpdate): UpdateItem[] {
  if (changes !== undefined) {
    if (ids !== undefined || updates !== undefined)
      throw validationError([{ path: 'changes', ...problem('changesNotAlone') }])
    requireBatchSize(changes.length, 'changes')
    requireDifferent(changes)
    return changes.map((change, index) => itemOf(change, `changes[${index}]`))
  }
  const missing = Object.entries({ ids, updates }).filter(([, value]) => value === undefined)
  if (ids === undefined || updates === undefined)
    throw validationError(missing.map(([path]) => ({ path, ...problem('requiredWithoutChanges') })))
  return itemsOfIds(ids).map((item) => ({ ...item, updates }))
}

/** Two changes of one code could contradict each other. */
function requireDifferent(changes: readonly BatchChange[]): void {
  const places = new Map<string, number>()
  const details = changes.flatMap(({ id }, index) => {
    const first = places.get(id)
    if (first === undefined) places.set(id, index)
    return first === undefined
      ? []
      : [{ path: `changes[${index}].id`, ...problem('sameCodeAsChange', { index: first }) }]
  })
  if (details.length > 0) throw validationError(details)
}

const validateUpdates = validatorOf(BatchUpdates, 'body')

function requireUpdates(updates: unknown): asserts updates is BatchUpdates {
  validateUpdates(updates)
}

function itemOf({ id, updates, ifMatch }: BatchChange, path: string): UpdateItem {
  const updatesPath = `${path}.updates`
  const item = { id, name: { id }, path, ifMatch, updatesPath }
  try {
    requireUpdates(updates)
    return { ...item, updates }
  } catch (error) {
    if (error instanceof ApiError) return { ...item, updates: errorBelow(updatesPath, error) }
    throw error
  }
}

/** Plans the changes of the codes that have no outcome yet. */
async function planWaiting(
  { db, config, work }: ProductContext,
  organizationId: string,
  plan: PlannedUpdate,
): Promise<void> {
  const { items, styleOf, hashOf, settled } = plan
  const waiting = items.filter(({ id }) => !settled.has(id))
  const rows = await readQrCodes(
    db,
    organizationId,
    waiting.map(({ id }) => id),
  )
  const folders = await foldersOf(db, organizationId, waiting)
  const notices = await noticesOf(
    db,
    organizationId,
    [...rows.values()].map(({ domainId }) => domainId),
  )
  plan.changes = []
  for (const { id, updates, ifMatch, updatesPath } of waiting) {
    const before = rows.get(id)
    const planned =
      before === undefined
        ? notFound()
        : updates instanceof ApiError
          ? updates
          : await attempt(async () => {
              requireMatch(before, ifMatch)
              return attemptBelow(updatesPath, async () => {
                const { folderId } = updates
                const endsAtMs = notices.get(before.domainId ?? '')
                if (endsAtMs !== undefined && !onlyArchives(updates)) throw onNotice(before.domain, endsAtMs)
                if (typeof folderId === 'string' && !folders.has(folderId)) throw noSuchFolder(folderId)
                return planOf(before, updates, { publicUrl: config.publicUrl, styleOf, work, hashOf })
              })
            })
    if (planned instanceof ApiError) settled.set(id, planned)
    else plan.changes.push(planned)
  }
}

function onlyArchives({ status, ...others }: BatchUpdates): boolean {
  return status === 'ARCHIVED' && Object.keys(others).length === 0
}

/** Runs `work`. Errors that it throws name their fields below `path`. */
async function attemptBelow<Made>(path: string | undefined, work: () => Promise<Made>): Promise<Made> {
  try {
    return await work()
  } catch (error) {
    throw path !== undefined && error instanceof ApiError ? errorBelow(path, error) : error
  }
}

/** Returns which of the folders in these updates the organization has. */
async function foldersOf(
  db: Database,
  organizationId: string,
  items: readonly UpdateItem[],
): Promise<ReadonlySet<string>> {
  const ids = items.flatMap(({ updates }) => (updates instanceof ApiError ? [] : (updates.folderId ?? [])))
  return findAndLockFolders(db, organizationId, ids)
}

async function planOf(
  before: QrCodeRow,
  updates: BatchUpdates,
  how: Parameters<typeof plannedChanges>[2],
): Promise<QrCodeChange> {
  const { addTags, removeTags, ...changes } = updates
  const planned = await plannedChanges(before, changes, how)
  if (addTags === undefined && removeTags === undefined) return { before, changes: planned }
  const removed = new Set(normalizeTags(removeTags ?? []))
  const combined = normalizeTags([...(changes.tags ?? before.tags), ...(addTags ?? [])])
  const tags = combined.filter((tag) => !removed.has(tag))
  if (tags.length > limits.tagsMax)
    throw validationError([
      { path: 'tags', ...problem('tooManyEntries', { max: limits.tagsMax, got: tags.length }) },
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

function outcomesOf(
  items: readonly UpdateItem[],
  settled: ReadonlyMap<string, QrCodeRow | ApiError>,
): Outcomes {
  return items.flatMap((item) => {
    const outcome = settled.get(item.id)
    return outcome === undefined ? [] : [{ item, outcome }]
  })
}
