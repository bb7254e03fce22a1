import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import {
  ListSentMailsQuery,
  MailSwitch,
  MailSwitchParams,
  SentMailsPage,
  SwitchMails,
} from '@everscan/contract/views/sent-mails.ts'
import { operatorOrganization } from '../../catalogue/installation/operator.ts'
import { listMailCounts, type MailCountRow } from '../../catalogue/mails/mail-counts.ts'
import { switchMails } from '../../catalogue/mails/mail-switch.ts'
import type { Database } from '../../db/database.ts'
import { timestampOrNull } from '../../product/records/timestamps.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'

const tag = 'Organizations'
const collection = '/organizations/:orgId/installation/mails'
const dayMs = 86_400_000

export const list = endpoint({
  id: 'listSentMails',
  method: 'GET',
  path: collection,
  role: 'ADMIN',
  scope: 'admin',
  tag,
  summary: 'List which mails the members of all organizations sent, by day, sender, kind and domain.',
  description:
    'For the operator of the installation; other organizations get 404. Counts are kept for 90 days, addresses of recipients not at all. What a mail server returns later is not known here: it goes to the address of MAIL_FROM.',
  params: OrganizationParams,
  query: ListSentMailsQuery,
  status: 200,
  response: SentMailsPage,
  errors: [404],
  handle: async ({ db }, _caller, { params, query }) => {
    await requireOperator(db, params.orgId)
    const page = pageOf(query)
    const { rows, total } = await listMailCounts(db, { ...page, organizationId: query.organizationId })
    return { data: rows.map(recordOf), pagination: paginationOf(total, page) }
  },
})

export const put = endpoint({
  id: 'switchMails',
  method: 'PUT',
  path: `${collection}/:id`,
  role: 'ADMIN',
  scope: 'admin',
  tag,
  summary: 'Stop the mails of an organization at once, or allow them again.',
  description:
    'For the operator of the installation; other organizations get 404. Stopped are invitations, questions for consent and mails of views. Mails about accounts and about domains go on. Both audit logs say so, and the ADMINs of the organization see it.',
  params: MailSwitchParams,
  body: SwitchMails,
  status: 200,
  response: MailSwitch,
  errors: [404],
  handle: async ({ db, clock }, { origin }, { params, body }) => {
    await requireOperator(db, params.orgId)
    const { stopped } = body
    const by = { stopped, operatorId: params.orgId, origin, nowMs: clock() }
    const row = await switchMails(db, params.id, by)
    if (row === undefined) throw notFound()
    const { id, name, stoppedAtMs } = row
    return { id, name, stoppedAt: timestampOrNull(stoppedAtMs) }
  },
})

async function requireOperator(db: Database, organizationId: string): Promise<void> {
  if ((await operatorOrganization(db)) !== organizationId) throw notFound()
}

function recordOf(row: MailCountRow): SentMailsPage['data'][number] {
  const { day, organizationId, organizationName, stoppedAtMs, senderId, senderName, ...counted } = row
  const { kind, domain, mails, refused } = counted
  return {
    day: new Date(day * dayMs).toISOString().slice(0, 10),
    organization: { id: organizationId, name: organizationName, stoppedAt: timestampOrNull(stoppedAtMs) },
    sender: senderId === null ? null : { id: senderId, name: senderName },
    kind,
    domain,
    mails,
    refused,
  }
}
