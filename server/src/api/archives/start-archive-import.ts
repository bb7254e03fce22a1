import type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  readArchiveImport,
  requireEmptyOrganization,
  startArchiveImport,
  type ArchiveImportInput,
} from '../../catalogue/imports/archive-imports.ts'
import { discardImportChunks, saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import {
  createArchivedOrganization,
  discardArchivedOrganization,
  showArchivedOrganization,
} from '../../catalogue/organizations/archived-organizations.ts'
import { requireRoomForOrganization } from '../../catalogue/organizations/own-organizations.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { Database } from '../../db/database.ts'
import { inTransaction } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { archiveImportRecord, checkedArchiveRecord } from '../../records/archive-import-records.ts'
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
  clock: () => number
}

/**
 * Checks an archive and, unless this is a dry run, starts the job that imports it. Throws ApiError
 * 400 for a file that is no archive, and 409 CONFLICT, with the lines in `details`, if some cannot
 * be taken; nothing is written then.
 */
export async function importArchive(db: Database, request: ArchiveRequest): Promise<ArchiveImport> {
  const { target, fileName, dryRun, leaveOut, clock } = request
  await requireRoom(db, target)
  const zip = await ArchiveZip.open(request.path)
  try {
    const survey = await surveyArchive(db, zip, { ...request, nowMs: clock() })
    const { organization: _, codes: __, ...facts } = survey
    const input: ArchiveImportInput = { ...facts, fileName, origin: { ...request.origin, via: 'import' } }
    if (dryRun) return checkedArchiveRecord(input, 'organizationId' in target ? target.organizationId : null)
    if (survey.leftOutCount > 0 && !leaveOut) throw cannotTake(survey)
    return await start(db, zip, { request, survey, input })
  } finally {
    zip.close()
  }
}

/** Returns the state of an import, or undefined if the organization has no such import. */
export async function readArchiveRecord(
  db: Database,
  key: { organizationId: string; id: string },
): Promise<ArchiveImport | undefined> {
  const job = await readArchiveImport(db, key)
  return job && archiveImportRecord(job)
}

async function requireRoom(db: Database, target: ArchiveTarget): Promise<void> {
  if ('organizationId' in target) await requireEmptyOrganization(db, target.organizationId)
  else await requireRoomForOrganization(db, target.owner.id)
}

/**
 * Saves the lines, then starts the job. A new organization has no member before that: nobody sees
 * one whose import did not start.
 */
async function start(
  db: Database,
  zip: ArchiveZip,
  { request, survey, input }: { request: ArchiveRequest; survey: Survey; input: ArchiveImportInput },
): Promise<ArchiveImport> {
  const { target, clock } = request
  const made =
    'owner' in target ? await createArchivedOrganization(db, { ...survey.organization }) : undefined
  const organizationId = 'organizationId' in target ? target.organizationId : (made?.id ?? '')
  const key = { organizationId, id: createId('job') }
  try {
    let number = 0
    for await (const chunk of archiveChunks(zip, survey))
      await saveImportChunk(db, { ...key, chunk: number++, nowMs: clock() }, chunk)
    const nowMs = clock()
    const job = await inTransaction(db, async (tx) => {
      const { publicName, logo } = survey.organization
      const owner = 'owner' in target ? target.owner : undefined
      await showArchivedOrganization(tx, organizationId, {
        publicName,
        logo,
        owner,
        origin: input.origin,
        nowMs,
      })
      return startArchiveImport(tx, key, { input, codes: survey.codes, nowMs })
    })
    return archiveImportRecord(job)
  } catch (error) {
    await discardImportChunks(db, key)
    if (made !== undefined) await discardArchivedOrganization(db, made.id)
    throw error
  }
}

function cannotTake({ leftOut, leftOutCount }: Survey): ApiError {
  const some = leftOutCount > leftOut.length ? `; the first ${limits.archiveLinesListedMax} are listed` : ''
  return new ApiError(
    409,
    'CONFLICT',
    `${leftOutCount} lines of the archive cannot be taken${some}. Nothing was written. Repeat with leaveOut=true to import the rest.`,
    {
      details: leftOut.map(({ file, line, reason }) => ({ path: `${file}:${line}`, message: reason })),
    },
  )
}
