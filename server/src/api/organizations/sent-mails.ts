import { sentMails } from '@everscan/contract/endpoints/organizations/sent-mails.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import type { SentMailsPage } from '@everscan/contract/views/sent-mails.ts'
import { operatorOrganization } from '../../catalogue/installation/operator.ts'
import { listMailCounts, type MailCountRow } from '../../catalogue/mails/mail-counts.ts'
import { switchMails } from '../../catalogue/mails/mail-switch.ts'
import type { Database } from '../../db/database.ts'
import { timestampOrNull } from '../../product/records/timestamps.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
const dayMs = 86_400_000

export const list = handler(sentMails.list, {
  handle: async ({ db }, _caller, { params, query }) => {
    await requireOperator(db, params.orgId)
    const page = pageOf(query)
    const { rows, total } = await listMailCounts(db, { ...page, organizationId: query.organizationId })
    return { data: rows.map(recordOf), pagination: paginationOf(total, page) }
  },
})

export const update = handler(sentMails.update, {
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
