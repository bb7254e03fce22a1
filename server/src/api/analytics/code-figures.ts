import { CodeFiguresPage, CodeFiguresQuery } from '@everscan/contract/resources/analytics-codes.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { countCodes, periodBefore, rankCodes } from '../../analytics/figures/code-tables.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { storeIds } from '../../analytics/figures/selections.ts'
import {
  readQrCodeTableRows,
  readSelectedQrCodes,
  selectedQrCodesByName,
} from '../../catalogue/codes/selected-codes.ts'
import { selectionWords } from './analytics.ts'
import { readSelection, splitSelection } from './selections.ts'
import { endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'

export const list = endpoint({
  id: 'listQrCodeFigures',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics/codes',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag: 'Analytics',
  summary: 'List the QR codes of the organization, or some, with their scans over a period.',
  description: `Codes without scans are listed, too, deleted ones never. By default the last 30 days including today, most scans first. ${selectionWords} Percentages are of all these scans.`,
  params: OrganizationParams,
  query: CodeFiguresQuery,
  status: 200,
  response: CodeFiguresPage,
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { page: _, limit: __, sort = 'scans', order = 'desc', ...others } = rest
    const { startDate, endDate, timezone, ...filters } = others
    const nowMs = clock()
    const period = readPeriod({ startDate, endDate, timezone }, nowMs)
    const organizationId = params.orgId
    const page = pageOf(query)
    const place = { order, limit: page.limit, offset: (page.page - 1) * page.limit }
    const requested = await readSelection({ db, store }, organizationId, selected)
    const { total, ids: all } = requested?.codes ?? (await readSelectedQrCodes(db, organizationId, selected))
    const scope = { organizationId, selection: requested?.selection, filters, ...period }
    const before = periodBefore(period, nowMs)
    const idsOfPage = async (): Promise<string[]> => {
      if (place.offset >= total) return []
      if (sort === 'name') return selectedQrCodesByName(db, organizationId, { query: selected, ...place })
      const codes = await storeIds(store, { ids: all, count: total })
      return rankCodes(store, { scope, before, codes, sort, ...place })
    }
    const ids = await idsOfPage()
    const rows = await readQrCodeTableRows(db, organizationId, ids)
    const counted = await countCodes(store, { scope, before, ids })
    // Skips a code that was deleted a moment ago.
    const data = counted.flatMap(({ qrCodeId, ...figures }) => {
      const row = rows.get(qrCodeId)
      return row === undefined ? [] : [{ ...row, ...figures }]
    })
    return { data, pagination: paginationOf(total, page) }
  },
})
