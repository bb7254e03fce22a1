import { organizations } from '@everscan/contract/endpoints/organizations/organizations.ts'
import { type Role } from '@everscan/contract/schema/common.ts'
import type { OrganizationDetails } from '@everscan/contract/resources/organizations.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { readPageLogo } from '@everscan/qr/shapes/logo-intake.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import { hasTwoFactor } from '../../catalogue/accounts/second-factors.ts'
import {
  readOrganization,
  updateOrganization,
  type OrganizationLogo,
  type OrganizationRow,
} from '../../catalogue/organizations/organizations.ts'
import { ApiError } from '../../errors.ts'
import { Answer, handler } from '../http/handler.ts'
import { contentDisposition } from '../../files/file-names.ts'
import { archiveFiles } from '../../product/imports/archives/organization-archive.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { timestamp, timestampOrNull } from '../../product/records/timestamps.ts'
import { staticFolder } from '../../product/static-site/server-settings.ts'
import { staticFiles, type StaticFile } from '../../product/static-site/static-files.ts'
import { zipStream, type ZippedFile } from '../../files/zip-streams.ts'

export const read = handler(organizations.read, {
  handle: async ({ db }, { role }, { params }) => detailsOf(await readOrganization(db, params.orgId), role),
})

export const update = handler(organizations.update, {
  handle: async ({ db, clock }, { origin, role, sessionId, userId }, { params, body }) => {
    const isMember = sessionId !== undefined && userId !== null
    if (body.twoFactorRequired === true && isMember && !(await hasTwoFactor(db, userId)))
      throw new ApiError(409, 'CONFLICT', problem('twoFactorOfOwnFirst'))
    const logo = typeof body.logo === 'string' ? await acceptLogo(body.logo) : body.logo
    const changed = await updateOrganization(db, params.orgId, { ...body, logo, origin, nowMs: clock() })
    return detailsOf(changed, role)
  },
})

export const exportAll = handler(organizations.exportAll, {
  handle: async ({ db, store, config, clock }, _caller, { params, query }) => {
    const organization = await readOrganization(db, params.orgId)
    if (organization === undefined) throw notFound()
    const nowMs = clock()
    const { format = 'archive', language = 'en' } = query
    const files =
      format === 'archive'
        ? await archiveFiles({ db, store, config, organization, nowMs })
        : zippedFiles(
            staticFiles(db, {
              organizationIds: [organization.id],
              publicUrl: config.publicUrl,
              rootUrl: config.rootUrl,
              language,
              folder: staticFolder,
              nowMs,
            }),
          )
    const kind = format === 'archive' ? '' : 'static '
    const name = `${organization.name} ${kind}${new Date(nowMs).toISOString().slice(0, 10)}`
    return new Answer(zipStream(files, new Date(nowMs)), {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', name, 'zip'),
    })
  },
})

function detailsOf(row: OrganizationRow | undefined, role: Role): OrganizationDetails {
  if (row === undefined) throw notFound()
  const { id, name, slug, publicName, logo, twoFactorRequired, isDemo, createdAtMs, updatedAtMs } = row
  return {
    id,
    name,
    slug,
    role,
    twoFactorRequired,
    ...(isDemo && { demo: isDemo }),
    publicName,
    logo: logo?.dataUri ?? null,
    mailsStoppedAt: timestampOrNull(row.mailsStoppedAtMs),
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}

async function acceptLogo(dataUri: string): Promise<OrganizationLogo> {
  try {
    return await readPageLogo(dataUri)
  } catch (error) {
    if (error instanceof PictureError && error.found !== undefined)
      throw validationError([{ path: 'logo', ...error.found }])
    throw error
  }
}

async function* zippedFiles(files: AsyncIterable<StaticFile>): AsyncGenerator<ZippedFile, void, undefined> {
  for await (const { name, text } of files)
    yield {
      name,
      pieces: async function* () {
        yield text
      },
    }
}
