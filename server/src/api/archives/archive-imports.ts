import { archiveImports } from '@everscan/contract/endpoints/archives/archive-imports.ts'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StartArchiveImportQuery } from '@everscan/contract/archives/archive-imports.ts'
import { archivedIdColumns } from '@everscan/contract/archives/archive-imports.ts'
import { roleAllows } from '@everscan/contract/schema/common.ts'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { AccountSource } from '../../catalogue/accounts/account-log.ts'
import { hasTwoFactor } from '../../catalogue/accounts/second-factors.ts'
import { eachArchivedIdPage, type ArchivedId } from '../../catalogue/imports/archive-ids.ts'
import { listOrganizationsOfUser } from '../../catalogue/organizations/organizations.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { contentDisposition } from '../../files/file-names.ts'
import type { ApiContext } from '../http/api-context.ts'
import { receiveForm } from '../http/forms.ts'
import { csvType } from '@everscan/contract/endpoints/media-types.ts'
import { csvLines } from '../../files/write-csv.ts'
import type { AnyCaller } from '../../catalogue/organizations/callers.ts'
import { Answer, handler } from '../http/handler.ts'
import { accountSource } from '../../product/accounts/request-sources.ts'
import { fileError, notFound, validationError } from '../../request-errors.ts'
import { readArchiveApart } from '../../product/imports/archives/read-apart.ts'
import { createUploadFolder } from '../../product/imports/archives/upload-folders.ts'
import { readArchiveRecord, type ArchiveTarget } from '../../product/imports/archives/start-archive-import.ts'

export const start = handler(archiveImports.start, {
  receive: receiveArchive,
  handle: async ({ db, config, clock, closed }, caller, { body, query }) => {
    const { path, fileName, target, source, remove } = body
    try {
      const { dryRun = false, leaveOut = false } = query
      const { publicUrl, webhookAllowPrivate, privateDomains } = config
      const { origin } = caller
      const settings = { publicUrl, webhookAllowPrivate, privateDomains }
      const asked = { path, fileName, target, dryRun, leaveOut, origin, source, ...settings }
      const holder = 'organizationId' in target ? target.organizationId : target.owner.id
      const waiting = { holder, signal: closed() }
      const record = await readArchiveApart(db, { ...asked, nowMs: clock() }, waiting)
      const location = `/api/v1/organizations/${record.organizationId}/imports/${record.id}`
      return new Answer(record, record.id === null ? {} : { location })
    } finally {
      await remove()
    }
  },
})

export const idsCsv = handler(archiveImports.idsCsv, {
  handle: async ({ db }, _caller, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    if ((await readArchiveRecord(db, key)) === undefined) throw notFound()
    return new Answer(Readable.from(idLines(eachArchivedIdPage(db, key)), { objectMode: false }), {
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', `${key.id}-ids`, 'csv'),
    })
  },
})

async function* idLines(pages: AsyncIterable<readonly ArchivedId[]>): AsyncGenerator<string> {
  yield csvLines([archivedIdColumns])
  for await (const page of pages) yield csvLines(page)
}

export const read = handler(archiveImports.read, {
  handle: async ({ db }, _caller, { params }) => {
    const record = await readArchiveRecord(db, { organizationId: params.orgId, id: params.id })
    if (record === undefined) throw notFound()
    return record
  },
})

type ReceivedArchive = {
  path: string
  fileName: string | null
  target: ArchiveTarget
  source: AccountSource
  remove: () => Promise<void>
}

/** Stores an archive on the disk, because its directory is at its end. */
async function receiveArchive(
  { db, config }: ApiContext,
  caller: AnyCaller,
  request: FastifyRequest,
): Promise<ReceivedArchive> {
  // The schema of the query was checked.
  const target = await targetOf(db, caller, (request.query as StartArchiveImportQuery).organizationId)
  const folder = await createUploadFolder(config.dataDir)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'archive.zip')
    const { fields, file } = await receiveForm(request, {
      fileBytesMax: limits.archiveBytesMax,
      takeFile: async ({ name, bytes }) => {
        await pipeline(bytes, createWriteStream(path, { mode: 0o600 }))
        return { name }
      },
    })
    const [field] = Object.keys(fields)
    if (field !== undefined) throw validationError([{ path: field, ...problem('unknownField') }])
    if (file === undefined) throw fileError(problem('required'))
    const fileName = file.name.slice(0, limits.nameCharsMax) || null
    return { path, fileName, target, source: accountSource(request), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Throws ApiError 400 and 403 for an organization that the caller may not fill. */
async function targetOf(
  db: Database,
  caller: AnyCaller,
  organizationId: string | undefined,
): Promise<ArchiveTarget> {
  if (!('organizationId' in caller)) return sessionTarget(db, caller, organizationId)
  if (organizationId === undefined)
    throw validationError([{ path: 'organizationId', ...problem('targetMissing') }])
  if (organizationId !== caller.organizationId) throw forbidden(problem('apiKeyOfOtherTarget'))
  if (!roleAllows(caller.role, 'ADMIN'))
    throw forbidden(problem('apiKeyRoleTooLow', { needed: 'ADMIN', role: caller.role }))
  return { organizationId }
}

async function sessionTarget(
  db: Database,
  { userId, userName }: { userId: string; userName: string },
  organizationId: string | undefined,
): Promise<ArchiveTarget> {
  if (organizationId === undefined) return { owner: { id: userId, name: userName } }
  const all = await listOrganizationsOfUser(db, userId)
  const organization = all.find(({ id }) => id === organizationId)
  if (organization === undefined) throw forbidden(problem('notMemberOfTarget'))
  if (organization.twoFactorRequired && !(await hasTwoFactor(db, userId)))
    throw forbidden(problem('twoFactorOfOrganization'))
  if (!roleAllows(organization.role, 'ADMIN'))
    throw forbidden(problem('roleTooLow', { needed: 'ADMIN', role: organization.role }))
  return { organizationId }
}

function forbidden(found: Problem): ApiError {
  return new ApiError(403, 'FORBIDDEN', found)
}
