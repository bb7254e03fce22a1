import { notices } from '@everscan/contract/endpoints/domains/notices.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { giveNotice, withdrawNotice } from '../../catalogue/domains/domain-notices.ts'
import { readDomain } from '../../catalogue/domains/domains.ts'
import { listFormerCodes } from '../../catalogue/domains/former-codes.ts'
import { shortUrlOf } from '../../product/records/qr-code-records.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import type { ApiContext } from '../http/api-context.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound } from '../../request-errors.ts'
import { recordAlone } from './domains.ts'

export const formerCodes = handler(notices.formerCodes, {
  handle: async ({ db, config, clock }, _caller, { params, query }) => {
    const row = await readDomain(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const page = pageOf(query)
    const { rows, total } = await listFormerCodes(db, row, { ...page, nowMs: clock() })
    const data = rows.map(({ type, destinations, endsAtMs, createdAtMs, ...code }) => ({
      shortUrl: shortUrlOf(code, config.publicUrl),
      type,
      destinations: [...destinations],
      endsAt: endsAtMs === null ? null : timestamp(endsAtMs),
      createdAt: timestamp(createdAtMs),
    }))
    return { data, pagination: paginationOf(total, page) }
  },
})

export const give = handler(notices.give, {
  handle: async (context, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordAlone(context, await giveNotice(context.db, key, changeOf(context, origin)))
  },
})

export const withdraw = handler(notices.withdraw, {
  handle: async (context, { origin }, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    return recordAlone(context, await withdrawNotice(context.db, key, changeOf(context, origin)))
  },
})

function changeOf({ clock, accounts }: ApiContext, origin: ChangeOrigin) {
  return { origin, nowMs: clock(), isMailed: accounts.mailer !== undefined }
}
