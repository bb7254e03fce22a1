import { OrganizationParams } from '@everscan/contract/common.ts'
import { MyOrganizations } from '@everscan/contract/organizations.ts'
import { readOrganization } from '../catalogue/organizations.ts'
import { Answer, endpoint } from './endpoint.ts'
import { contentDisposition } from '../file-names.ts'
import { archiveFiles } from './organization-archive.ts'
import { notFound } from './request-errors.ts'
import { zipStream } from './zip-streams.ts'

export const listMine = endpoint({
  id: 'listMyOrganizations',
  method: 'GET',
  path: '/users/me/organizations',
  role: 'anyKey',
  tag: 'Organizations',
  summary: 'The organizations of the caller.',
  description: 'A key has exactly one; its `id` is the `:orgId` of the other paths.',
  status: 200,
  response: MyOrganizations,
  handle: async ({ db }, { organizationId, role }) => {
    const organization = await readOrganization(db, organizationId)
    if (organization === undefined) return { organizations: [] }
    const { id, name, slug } = organization
    return { organizations: [{ id, name, slug, role }] }
  },
})

export const exportAll = endpoint({
  id: 'exportOrganization',
  method: 'GET',
  path: '/organizations/:orgId/export',
  role: 'ADMIN',
  tag: 'Organizations',
  summary: 'Everything of the organization, as one zip archive.',
  description:
    'Folders and codes with their short codes, pictures and history as JSON lines, redirect maps for nginx and Caddy, and a README that explains them. Streamed, however many codes there are.',
  params: OrganizationParams,
  status: 200,
  produces: ['application/zip'],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: async ({ db, config, clock }, _caller, { params }) => {
    const organization = await readOrganization(db, params.orgId)
    if (organization === undefined) throw notFound()
    const nowMs = clock()
    const files = archiveFiles({ db, config, organization, nowMs })
    const name = `${organization.name} ${new Date(nowMs).toISOString().slice(0, 10)}`
    return new Answer(zipStream(files, new Date(nowMs)), {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', name, 'zip'),
    })
  },
})
