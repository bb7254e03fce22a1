import { isDeepStrictEqual } from 'node:util'
import { cloneNameSuffix, type BatchClone } from '@everscan/contract/resources/batches.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { mergeMetadata } from '@everscan/contract/resources/qr-codes.ts'
import { mergeStyle, type Style } from '@everscan/contract/resources/styles.ts'
import { readQrCodes } from '../../catalogue/codes/batches.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { noSuchFolder, readFolder } from '../../catalogue/codes/folders.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { createQrCodes, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { attempt, requireAll, type BatchItem, type BatchOutcome } from './batch-results.ts'
import type { ProductContext } from '../product-context.ts'
import { mergeAccess } from '@everscan/contract/access/access.ts'
import { acceptAccess, createHashOf, type HashOf } from './accept-access.ts'
import { acceptRules, copyRules } from './accept-rules.ts'
import { acceptData } from './checks.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf } from '../records/qr-code-records.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { acceptQrCodeStyle } from '../styles/qr-code-styles.ts'
import { styleLookup } from '../styles/style-lookup.ts'

type Ids = readonly (BatchItem & { id: string })[]
type Outcomes = BatchOutcome<QrCodeRow>[]

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
  context: ProductContext,
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
  const hashOf = createHashOf(organizationId)
  const drafts: BatchOutcome<NewQrCode>[] = []
  for (const item of items) {
    const source = rows.get(item.id)
    const outcome =
      source === undefined
        ? notFound()
        : await attempt(() => cloneOf(source, { ...clone, base, origin, hashOf }, context))
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
    hashOf,
  }: Omit<BatchClone, 'ids'> & { base?: Style | undefined; origin: ChangeOrigin; hashOf: HashOf },
  { config: { publicUrl }, clock, work }: ProductContext,
): Promise<NewQrCode> {
  const { data, name, folderId = source.folderId, status = 'ACTIVE', tags = source.tags } = overrides
  if (data !== undefined && !isDeepStrictEqual(data, source.data)) acceptData(source.type, data, publicUrl)
  const rules = overrides.rules === undefined ? source.rules : acceptRules(overrides.rules, source, publicUrl)
  const changed = await acceptAccess(overrides.access, source, { publicUrl, hashOf })
  const { style, scannability } = await acceptQrCodeStyle(mergeStyle(base, overrides.style ?? {}), {
    domain: source.domain,
    publicUrl,
    storedStyles: [base],
    work,
  })
  const domain = source.domainId === null ? undefined : { id: source.domainId, hostname: source.domain }
  const suffix = nameSuffix ?? (name === undefined ? cloneNameSuffix : '')
  return {
    type: source.type,
    name: withSuffix(name ?? source.name, suffix),
    data: data ?? source.data,
    rules: copyRules(rules),
    passQuery: overrides.passQuery ?? source.passQuery,
    access: changed.access === undefined ? source.access : mergeAccess(source.access, changed.access),
    passwordHash: changed.passwordHash === undefined ? source.passwordHash : changed.passwordHash,
    style,
    scannability,
    metadata: mergeMetadata(source.metadata, overrides.metadata ?? {}),
    folderId,
    tags,
    status,
    domain,
    picture: (shortCode) => pictureOf(shortUrlOf({ shortCode, domain: source.domain }, publicUrl), style),
    origin,
    nowMs: clock(),
  }
}

/** Cuts the name by characters, never within one. */
function withSuffix(name: string, suffix: string): string {
  const room = limits.nameCharsMax - Array.from(suffix).length
  return Array.from(name).slice(0, room).join('') + suffix
}

/** An unknown folder affects every item alike, so it fails the request, not each code. */
export async function requireFolder(
  db: Database,
  organizationId: string,
  { folderId, path }: { folderId: string | null | undefined; path: string },
): Promise<void> {
  if (folderId === undefined || folderId === null) return
  if ((await readFolder(db, { organizationId, id: folderId })) !== undefined) return
  const { details = [] } = noSuchFolder(folderId)
  throw validationError(details.map((detail) => ({ ...detail, path })))
}
