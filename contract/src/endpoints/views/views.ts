import { limits } from '../../schema/limits.ts'
import { OrganizationParams, RecordParams, Deleted } from '../../schema/common.ts'
import { CreateView, View, ViewPage, UpdateView } from '../../views/views.ts'
import { PageQuery } from '../../schema/pages.ts'
import { endpoint } from '../endpoint.ts'
import { location } from '../headers.ts'

const tag = 'Views'
const collection = '/organizations/:orgId/views'
const one = `${collection}/:id` as const

export const views = {
  create: endpoint({
    id: 'createView',
    method: 'POST',
    path: collection,
    role: 'EDITOR',
    scope: 'admin',
    tag,
    summary: 'Save a view of the figures, to open, share or mail it.',
    description: `An organization has at most ${limits.viewsMax} views. Keys need the scope admin, because links and mails hand figures to people outside of the organization.`,
    params: OrganizationParams,
    body: CreateView,
    status: 201,
    response: View,
    responseHeaders: location,
    errors: [409],
  }),

  list: endpoint({
    id: 'listViews',
    method: 'GET',
    path: collection,
    role: 'VIEWER',
    scope: 'analytics:read',
    tag,
    summary: 'List the saved views of the organization, newest first.',
    params: OrganizationParams,
    query: PageQuery,
    status: 200,
    response: ViewPage,
  }),

  read: endpoint({
    id: 'readView',
    method: 'GET',
    path: one,
    role: 'VIEWER',
    scope: 'analytics:read',
    tag,
    summary: 'Read a saved view.',
    description: 'Its figures are those of analytics with the parameters of `query`.',
    params: RecordParams,
    status: 200,
    response: View,
  }),

  update: endpoint({
    id: 'updateView',
    call: 'byHand',
    method: 'PUT',
    path: one,
    role: 'EDITOR',
    scope: 'admin',
    tag,
    summary: 'Update a saved view, its public link or its mail.',
    description:
      'Partial; `query` and `mail` are replaced as a whole, and of `public` the given fields. `public: null` ends the link at once; `public: {"newLink": true}` replaces it.',
    params: RecordParams,
    body: UpdateView,
    status: 200,
    response: View,
    errors: [409],
  }),

  remove: endpoint({
    id: 'deleteView',
    method: 'DELETE',
    path: one,
    role: 'EDITOR',
    scope: 'admin',
    tag,
    summary: 'Delete a saved view.',
    description: 'Its public link and its mail end at once. Scans and codes stay.',
    params: RecordParams,
    status: 200,
    response: Deleted,
  }),

  sendMail: endpoint({
    id: 'sendViewMail',
    method: 'POST',
    path: `${one}/send-mail`,
    role: 'EDITOR',
    scope: 'admin',
    tag,
    summary: 'Send the mail of a view now.',
    description: `The regular mails stay as they are. \`lastSentAt\` and \`lastError\` of the view tell the outcome, within seconds. An organization sends at most ${limits.viewMailsPerDay} mails of views a day. Addresses that are no confirmed member's, and whose owners did not answer the question for a week, are asked again, three times at most. 409 if the view has no mail, or the installation sends none.`,
    params: RecordParams,
    status: 202,
    response: View,
    errors: [409],
  }),
}
