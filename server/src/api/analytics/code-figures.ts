import { codeFigures } from '@everscan/contract/endpoints/analytics/code-figures.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { periodBefore, readPeriod } from '../../analytics/figures/period.ts'
import type { CodeRanking } from '../../analytics/scan-store.ts'
import { countQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import {
  readQrCodeTableRows,
  readSelectedQrCodes,
  selectedQrCodesByName,
} from '../../catalogue/codes/selected-codes.ts'
import { readSelection, splitSelection } from '../../product/figures/selections.ts'
import type { ApiContext } from '../http/api-context.ts'
import { handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'

export const list = handler(codeFigures.list, {
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { page: _, limit: __, sort = 'scans', order = 'desc', ...others } = rest
    const { startDate, endDate, timezone, ...filters } = others
    const nowMs = clock()
    const period = readPeriod({ startDate, endDate, timezone }, nowMs)
    const organizationId = params.orgId
    const page = pageOf(query)
    const place = { order, limit: page.limit, offset: (page.page - 1) * page.limit }
    const requested = await readSelection(db, organizationId, selected)
    const total = requested?.codes.total ?? (await countQrCodes(db, organizationId, {}))
    const scope = { organizationId, selection: requested?.selection, filters, ...period }
    const before = periodBefore(period, nowMs)
    const listedCodes = async () =>
      requested?.codes ?? (await readSelectedQrCodes(db, organizationId, selected))
    const idsOfPage = async (): Promise<string[]> => {
      if (place.offset >= total) return []
      if (sort === 'name') return selectedQrCodesByName(db, organizationId, { query: selected, ...place })
      const ranking = { scope, before, sort, ...place }
      return (
        (await firstWithScans({ db, store }, ranking)) ??
        store.rankCodes({ ...ranking, codes: await listedCodes() })
      )
    }
    const ids = await idsOfPage()
    const rows = await readQrCodeTableRows(db, organizationId, ids)
    const counted = await store.countCodes({ scope, before, ids })
    // Skips a code that was deleted a moment ago.
    const data = counted.flatMap(({ qrCodeId, ...figures }) => {
      const row = rows.get(qrCodeId)
      return row === undefined ? [] : [{ ...row, ...figures }]
    })
    return { data, pagination: paginationOf(total, page) }
  },
})

/** Rows that are ranked without a list of the codes. */
const firstMax = 1_000
/** Deleted codes that may be ranked among them. */
const deletedMax = 200

/**
 * Returns the ids of a page, or undefined if only a list of the codes can tell. The first pages of
 * many codes have scans, and the store knows these, with deleted ones among them; to read, store
 * and group a million ids takes seconds.
 */
async function firstWithScans(
  { db, store }: Pick<ApiContext, 'db' | 'store'>,
  ranking: Omit<CodeRanking, 'codes'>,
): Promise<string[] | undefined> {
  const { sort, order, limit, offset, scope } = ranking
  const end = offset + limit
  if (sort === 'change' || order === 'asc' || end > firstMax) return undefined
  // Without the list, all other codes would be ranked, too.
  if (scope.selection?.mode === 'except') return undefined
  // Some more, in place of deleted ones.
  const ranked = await store.rankCodes({ ...ranking, offset: 0, limit: end + deletedMax })
  const rows = await readQrCodeTableRows(db, scope.organizationId, ranked)
  const ids = ranked.filter((id) => rows.has(id)).slice(offset, end)
  return ids.length === limit ? ids : undefined
}
