import { OrganizationParams } from '../../schema/common.ts'
import { OrganizationDetails, UpdateOrganization, ExportQuery } from '../../resources/organizations.ts'
import { endpoint } from '../endpoint.ts'

export const organizations = {
  read: endpoint({
    id: 'readOrganization',
    method: 'GET',
    path: '/organizations/:orgId',
    role: 'VIEWER',
    scope: 'anyScope',
    tag: 'Organizations',
    summary: 'Read the organization with its settings.',
    params: OrganizationParams,
    status: 200,
    response: OrganizationDetails,
  }),

  update: endpoint({
    id: 'updateOrganization',
    method: 'PUT',
    path: '/organizations/:orgId',
    role: 'ADMIN',
    scope: 'admin',
    tag: 'Organizations',
    summary: 'Update the organization.',
    description:
      'Partial: fields that are not sent stay unchanged, and null removes `publicName` or `logo`. Both appear on the pages of all codes from the next scan on. 409 if a member without two-factor sign-in sets `twoFactorRequired`: they could not enter themselves.',
    params: OrganizationParams,
    body: UpdateOrganization,
    status: 200,
    response: OrganizationDetails,
    errors: [409],
  }),

  exportAll: endpoint({
    id: 'exportOrganization',
    call: 'organizations.export',
    method: 'GET',
    path: '/organizations/:orgId/export',
    role: 'ADMIN',
    scope: 'admin',
    tag: 'Organizations',
    summary: 'Export the data of the organization, or a static site of its codes, as one zip archive.',
    description:
      'Folders, styles, codes with their short codes, pictures and history, views, webhooks without secrets, and all scans as JSON lines, redirect maps for nginx and Caddy, and a README that explains them. With `format=static`, a site with which nginx, Caddy or an object store answers the codes without this service. Streamed, regardless of the number of codes.',
    params: OrganizationParams,
    query: ExportQuery,
    takes: 'downloads',
    status: 200,
    produces: ['application/zip'],
    responseHeaders: { 'Content-Disposition': 'A file name.' },
  }),
}
