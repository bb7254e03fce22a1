import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type {
  ArchiveCounts,
  ArchiveIdsKind,
  ArchiveLineLeftOut,
  ArchiveSection,
} from '@everscan/contract/archives/archive-imports.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { ImportKey } from '../rows/import-row.ts'
import { saveArchivedIds, type ArchivedId } from './archive-ids.ts'
import { discardUnbornOrganization } from './unborn-organizations.ts'
import { discardImportChunks } from './import-chunks.ts'
import { insertImportJob, selectImports } from './imports.ts'

export const archiveKind = 'archive'

/** The input of an import of an archive. */
export type ArchiveImportInput = {
  fileName: string | null
  /** Absent: a job of an earlier release, which kept all ids. */
  ids?: ArchiveIdsKind
  organizationName: string
  publicUrl: string
  exportedAtMs: number
  /** Whether codes keep the version and mask of their pictures. */
  samePictures: boolean
  total: ArchiveCounts
  /** Codes that wait for the proof of their host name; absent in jobs of earlier releases. */
  waitingCount?: number
  leftOut: readonly LeftOutLine[]
  leftOutCount: number
  origin: ChangeOrigin
}

/** A line that was left out. Jobs of older releases have the reason only. */
export type LeftOutLine = Omit<ArchiveLineLeftOut, 'path' | 'problem' | 'values'> &
  Partial<Pick<ArchiveLineLeftOut, 'path' | 'problem' | 'values'>>

export type ArchiveImportProgress = {
  done: ArchiveCounts
  /** Hits among them that wait for the proof of a host name, and are not in the scan store yet. */
  waitingHits?: number
  /** Why the last step could not be done; absent after one that could. */
  problem?: string
  /** The same with its name; absent in jobs of an older release. */
  details?: readonly NamedDetail[]
}

export type ArchiveImportRow = ImportKey & {
  status: 'PENDING' | 'PROCESSING' | 'COMPLETED'
  input: ArchiveImportInput
  progress: ArchiveImportProgress
  createdAtMs: number
  completedAtMs: number | null
}

/** Lines of one file of an archive, in the order of the file. Those of hits are of one month. */
export type ArchiveChunk = { section: ArchiveSection; lines: readonly unknown[] }

/** A code of an archive whose short code is to be assigned. */
export type ArchivedCode = {
  id: string
  shortCode: string
  /** The host name of its own domain; empty for PUBLIC_URL. */
  domain: string
  codes: CodeForm
  createdAtMs: number
}

export const noCounts: ArchiveCounts = {
  folders: 0,
  styles: 0,
  domains: 0,
  utmTemplates: 0,
  qrCodes: 0,
  versions: 0,
  hits: 0,
  views: 0,
  webhooks: 0,
}

const codesAtOnce = 1_000

/**
 * Returns which of these keys of codes were ever assigned, without those that an operator handed
 * over to the organization.
 */
export async function takenCodeKeys(
  db: Database,
  keys: readonly string[],
  organizationId = '',
): Promise<Set<string>> {
  const taken = new Set<string>()
  for (let from = 0; from < keys.length; from += codesAtOnce) {
    const rows = await db.kysely
      .selectFrom('short_codes')
      .select('canonical_code')
      .where(isOneOf(db, 'canonical_code', keys.slice(from, from + codesAtOnce)))
      .where((where) =>
        where.or([where('adopted_by', 'is', null), where('adopted_by', '<>', organizationId)]),
      )
      .modifyEnd(tag('catalogue.takenCodeKeys'))
      .execute()
    for (const row of rows) taken.add(row.canonical_code)
  }
  return taken
}

/**
 * Starts the import of the chunks that were saved under this id. Assigns the short codes of all
 * codes below PUBLIC_URL at once, so that no other code can take one meanwhile. Throws ApiError 409
 * CONFLICT if one was assigned since the archive was checked, or if the organization is not empty.
 */
export async function startArchiveImport(
  db: Database,
  { organizationId, id }: ImportKey,
  {
    input,
    codes,
    ids = [],
    nowMs,
  }: {
    input: ArchiveImportInput
    codes: readonly ArchivedCode[]
    ids?: Iterable<ArchivedId>
    nowMs: number
  },
): Promise<ArchiveImportRow> {
  const progress: ArchiveImportProgress = { done: noCounts }
  await inTransaction(db, async (tx) => {
    await lockName(tx, `imports ${organizationId}`)
    await requireEmptyOrganization(tx, organizationId)
    await assignShortCodes(tx, organizationId, codes)
    await insertImportJob(tx, { organizationId, id }, { kind: archiveKind, input, progress, nowMs })
    await saveArchivedIds(tx, { organizationId, id }, ids)
    const target = { id, name: input.fileName }
    await recordAudit(tx, organizationId, [{ action: 'import.start', target, origin: input.origin, nowMs }])
  })
  return { organizationId, id, status: 'PENDING', input, progress, createdAtMs: nowMs, completedAtMs: null }
}

/**
 * Deletes the lines that were saved for an import, and the organization that was created for it,
 * unless it has started. Waits for a start that is
 * under way, even if its process is dead: a server ends what it was sent.
 */
export async function discardUnstartedImport(db: Database, { organizationId, id }: ImportKey): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockName(tx, `imports ${organizationId}`)
    if ((await readArchiveImport(tx, { organizationId, id })) !== undefined) return
    await discardImportChunks(tx, { organizationId, id })
    await discardUnbornOrganization(tx, organizationId)
  })
}

/** Returns the import, or undefined if the organization has no such import. */
export async function readArchiveImport(
  db: Database,
  { organizationId, id }: ImportKey,
): Promise<ArchiveImportRow | undefined> {
  const row = await selectImports(db, organizationId, archiveKind)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readArchiveImport'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    ...row,
    // No job of this kind fails or is cancelled.
    status: row.status as ArchiveImportRow['status'],
    input: JSON.parse(row.input),
    progress: JSON.parse(row.progress),
  }
}

/** Tables in which an organization has no rows if an archive may fill it. */
const contents = [
  'qr_codes',
  'binned_qr_codes',
  'folders',
  'styles',
  'utm_templates',
  'views',
  'webhooks',
  'domains',
] as const

/**
 * Throws ApiError 409 CONFLICT if the organization has codes or anything else that an archive has,
 * or an import that has not ended.
 */
export async function requireEmptyOrganization(db: Database, organizationId: string): Promise<void> {
  const found = await fullnessOf(db, organizationId)
  if (found !== undefined) throw new ApiError(409, 'CONFLICT', found)
}

/** Whether an archive may fill the organization. */
export async function isEmptyOrganization(db: Database, organizationId: string): Promise<boolean> {
  return (await fullnessOf(db, organizationId)) === undefined
}

/** Returns why an archive cannot fill the organization, or undefined if it can. */
async function fullnessOf(db: Database, organizationId: string): Promise<Problem | undefined> {
  for (const table of contents) {
    const found = await db.kysely
      .selectFrom(table)
      .select('organization_id')
      .where('organization_id', '=', organizationId)
      .limit(1)
      .modifyEnd(tag('catalogue.requireEmptyOrganization'))
      .executeTakeFirst()
    if (found !== undefined) return problem('organizationNotEmpty', { records: table.replaceAll('_', ' ') })
  }
  const job = await db.kysely
    .selectFrom('jobs')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('status', 'in', ['PENDING', 'PROCESSING'])
    .limit(1)
    .modifyEnd(tag('catalogue.requireEmptyOrganization'))
    .executeTakeFirst()
  return job && problem('importNotEnded')
}

/** An archive assigns nothing on host names: none of them is proved, so their codes wait. */
async function assignShortCodes(
  tx: Database,
  organizationId: string,
  codes: readonly ArchivedCode[],
): Promise<void> {
  const rows = codes
    .filter(({ domain }) => domain === '')
    .map(({ id, shortCode, createdAtMs, ...host }) => ({
      canonical_code: codeKey({ shortCode, ...host }),
      short_code: shortCode,
      organization_id: organizationId,
      qr_code_id: id,
      created_at_ms: createdAtMs,
      deleted_at_ms: null,
    }))
    // The order of every caller that assigns short codes.
    .sort((a, b) => (a.canonical_code < b.canonical_code ? -1 : 1))
  for (let from = 0; from < rows.length; from += codesAtOnce) {
    const some = rows.slice(from, from + codesAtOnce)
    const assigned = new Set(
      await insertRows(tx, 'short_codes', { rows: some, skipTaken: true, returning: 'canonical_code' }),
    )
    const taken = some.find(({ canonical_code }) => !assigned.has(canonical_code))
    if (taken !== undefined)
      throw new ApiError(409, 'CONFLICT', problem('shortCodeAssignedNow', { shortCode: taken.short_code }))
  }
}
