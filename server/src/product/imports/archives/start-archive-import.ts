import { problem, type FieldProblem, type ProblemName } from '@everscan/contract/problems/problem.ts'
import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { recordAccountEntry, type AccountSource } from '../../../catalogue/accounts/account-log.ts'
import {
  discardUnstartedImport,
  readArchiveImport,
  requireEmptyOrganization,
  startArchiveImport,
  type ArchiveImportInput,
  type LeftOutLine,
} from '../../../catalogue/imports/archive-imports.ts'
import { saveImportChunk } from '../../../catalogue/imports/import-chunks.ts'
import { replaceOrganization, untouchedBootstrap } from '../../../catalogue/installation/replace-bootstrap.ts'
import { recordAudit } from '../../../catalogue/ledger/audit-log.ts'
import {
  createArchivedOrganization,
  showArchivedOrganization,
} from '../../../catalogue/organizations/archived-organizations.ts'
import { requireRoomForOrganization } from '../../../catalogue/organizations/own-organizations.ts'
import type { ChangeOrigin } from '../../../catalogue/rows/change-origins.ts'
import type { ImportKey } from '../../../catalogue/rows/import-row.ts'
import type { Database } from '../../../db/database.ts'
import { inTransaction } from '../../../db/database.ts'
import { ApiError } from '../../../errors.ts'
import { createId } from '../../../ids.ts'
import { archiveImportRecord, checkedArchiveRecord } from '../../records/archive-import-records.ts'
import { ArchiveIds } from './archive-ids.ts'
import { ArchiveZip } from './archive-zip.ts'
import { archiveChunks, surveyArchive, type Survey } from './read-archive.ts'

/** The organization that an archive fills, or the account that gets a new one. */
export type ArchiveTarget = { organizationId: string } | { owner: { id: string; name: string } }

export type ArchiveRequest = {
  /** The archive on the disk, and the name that it was sent under. */
  path: string
  fileName: string | null
  target: ArchiveTarget
  dryRun: boolean
  /** Whether to import without the lines that cannot be taken. */
  leaveOut: boolean
  publicUrl: string
  webhookAllowPrivate: boolean
  privateDomains: boolean
  origin: ChangeOrigin
  /** The client of the owner of a new organization. */
  source: AccountSource
  nowMs: number
  /** The job, and the organization that it fills or creates. Random by default. */
  key?: ImportKey
}

/**
 * How the operator's command keeps ids: those that this function does not return, which were never
 * used in the installation. It keeps no more than ids; all lines are judged alike.
 */
export type KeepIds = { usedOf: (ids: readonly string[]) => Promise<ReadonlySet<string>> }

/** Returns the ids of a new job, and of the organization that its archive goes to. */
export function newImportKey(target: ArchiveTarget): ImportKey {
  const organizationId = 'organizationId' in target ? target.organizationId : createId('org')
  return { organizationId, id: createId('job') }
}

/**
 * Checks an archive and, unless this is a dry run, starts the job that imports it. Throws ApiError
 * 400 for a file that is no archive or exceeds a limit, and 409 CONFLICT, with the lines in
 * `details`, if some cannot be taken; nothing is written then.
 */
export async function importArchive(
  db: Database,
  request: ArchiveRequest,
  keep?: KeepIds,
): Promise<ArchiveImport> {
  const { target, fileName, dryRun, leaveOut, origin } = request
  await requireRoom(db, target)
  const zip = await ArchiveZip.open(request.path)
  try {
    const survey = await surveyArchive(db, zip, request)
    const ids = keep === undefined ? 'new' : 'kept'
    const via = { ...origin, via: 'import' } as const
    const input: ArchiveImportInput = { ...survey.facts, ids, fileName, origin: via }
    if (dryRun) {
      await inTransaction(db, async (tx) => recordDryRun(tx, { ...request, origin: via }))
      return checkedArchiveRecord(input, 'organizationId' in target ? target.organizationId : null)
    }
    if (survey.facts.leftOutCount > 0 && !leaveOut) throw cannotTake(survey)
    return await start(db, zip, { request, survey, input, keep })
  } finally {
    zip.close()
  }
}

/** Returns the state of an import, or undefined if the organization has no such import. */
export async function readArchiveRecord(db: Database, key: ImportKey): Promise<ArchiveImport | undefined> {
  const job = await readArchiveImport(db, key)
  return job && archiveImportRecord(job)
}

async function recordDryRun(
  tx: Database,
  { target, fileName, origin, source, nowMs }: ArchiveRequest,
): Promise<void> {
  if ('owner' in target) {
    const actor = origin.actor.id === target.owner.id ? undefined : origin.actor
    return recordAccountEntry(tx, target.owner.id, { action: 'import.dry-run', actor, source, nowMs })
  }
  const { organizationId } = target
  const file = { id: organizationId, name: fileName }
  const entry = { action: 'import.start', target: file, fields: ['dryRun'], origin, nowMs } as const
  await recordAudit(tx, organizationId, [entry])
}

async function requireRoom(db: Database, target: ArchiveTarget): Promise<void> {
  if ('organizationId' in target) await requireEmptyOrganization(db, target.organizationId)
  else await requireRoomForOrganization(db, target.owner.id)
}

/**
 * Saves the lines, then starts the job. A new organization is created with the first lines, and has
 * no member before the job has started: nobody sees one whose import did not start.
 */
async function start(
  db: Database,
  zip: ArchiveZip,
  {
    request,
    survey,
    input,
    keep,
  }: { request: ArchiveRequest; survey: Survey; input: ArchiveImportInput; keep: KeepIds | undefined },
): Promise<ArchiveImport> {
  const { target, nowMs } = request
  const used = await keep?.usedOf([survey.organization.id, ...survey.ids])
  const { key, isNew, replaced } = await placeOf(db, { request, survey, used })
  const { organizationId } = key
  const kept = used && new Set(survey.ids.filter((id) => !used.has(id)))
  const ids = new ArchiveIds({ ids: survey.ids, kept, seed: key.id, nowMs })
  const pairs = {
    *[Symbol.iterator]() {
      yield [survey.organization.id, organizationId] as const
      yield* ids.pairs()
    },
  }
  const { publicName, logo, createdAtMs, ...named } = survey.organization
  const times = { createdAtMs: keep === undefined ? nowMs : createdAtMs }
  const organization = { ...named, ...times, id: organizationId }
  try {
    let number = 0
    for await (const chunk of archiveChunks(zip, survey, ids))
      await inTransaction(db, async (tx) => {
        if (isNew && number === 0) await createArchivedOrganization(tx, organization)
        await saveImportChunk(tx, { ...key, chunk: number, nowMs }, chunk)
      }).then(() => number++)
    const codes = survey.codes.map((code) => ({ ...code, id: ids.of(code.id) }))
    const job = await inTransaction(db, async (tx) => {
      const owner = 'owner' in target ? target.owner : undefined
      if (isNew && number === 0) await createArchivedOrganization(tx, organization)
      if (replaced !== undefined) await replaceOrganization(tx, replaced, organization)
      const shown = { publicName, logo, owner, origin: input.origin, nowMs }
      await showArchivedOrganization(tx, organizationId, shown)
      return startArchiveImport(tx, key, { input, codes, ids: pairs, nowMs })
    })
    return archiveImportRecord(job)
  } catch (error) {
    await discardUnstartedImport(db, key)
    throw error
  }
}

type Place = { key: ImportKey; isNew: boolean; replaced?: string }

/**
 * Returns the organization that an archive goes to. Where ids are kept, an untouched organization
 * of the first start gives way to that of the archive.
 */
async function placeOf(
  db: Database,
  {
    request: { target, key = newImportKey(target) },
    survey: { organization },
    used,
  }: { request: ArchiveRequest; survey: Survey; used: ReadonlySet<string> | undefined },
): Promise<Place> {
  const isNew = 'owner' in target
  if (used === undefined || used.has(organization.id)) return { key, isNew }
  const keptKey = { ...key, organizationId: organization.id }
  const replaced = await untouchedBootstrap(db)
  if (replaced !== undefined && (isNew || replaced === key.organizationId))
    return { key: keptKey, isNew: true, replaced }
  return isNew ? { key: keptKey, isNew } : { key, isNew }
}

function detailOf({ file, line, reason, problem: name, values }: LeftOutLine): FieldProblem {
  return {
    path: `${file}:${line}`,
    ...(name == null
      ? problem('lineRefused', { reason })
      : { problem: name as ProblemName, values: values ?? {} }),
    message: reason,
  }
}

function cannotTake({ facts: { leftOut, leftOutCount } }: Survey): ApiError {
  return new ApiError(409, 'CONFLICT', problem('linesNotTaken', { count: leftOutCount }), {
    details: leftOut.map(detailOf),
  })
}
