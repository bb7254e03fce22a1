import { clickHouseScans } from '@everscan/server/analytics/clickhouse-scans.ts'
import { periodBefore } from '@everscan/server/analytics/figures/period.ts'
import type { FileScans } from '@everscan/server/analytics/files/file-scans.ts'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { filledQrCodeId } from '../fill-catalogue.ts'
import { filledPeriod } from '../fill-scans.ts'
import { organizationId } from '../analytics.ts'

/** A question to both stores. Both answer with a number, to be compared. */
export type Question = { name: string; ask: (scans: FileScans) => Promise<number> }

/** Returns what both stores have, of today's. */
export function scansOf(store: ClickHouse): FileScans {
  return clickHouseScans(store)
}

const codes = { large: filledQrCodeId(0), small: filledQrCodeId(500) }
const scope = { organizationId, filters: {}, ...filledPeriod }
const ofLarge = { ...scope, qrCodeId: codes.large }
const pageLimit = 100
/** The codes of a table. */
const tableLimit = 50

export const questions: readonly Question[] = [
  figuresOfCode('code', codes.large),
  figuresOfCode('smallCode', codes.small),
  figuresOfAll('organization', {}),
  figuresOfAll('filtered', { country: ['DE'], deviceType: ['mobile'] }),
  {
    name: 'firstPage',
    ask: async (scans) =>
      (await scans.listScans({ ...ofLarge, page: 1, limit: pageLimit, includeBots: false })).total,
  },
  {
    name: 'distantPage',
    ask: async (scans) => {
      const list = { ...ofLarge, limit: pageLimit, includeBots: false }
      const { total } = await scans.listScans({ ...list, page: 1 })
      const page = await scans.listScans({ ...list, page: Math.floor(total / pageLimit / 2) })
      return total + page.scans.length
    },
  },
  {
    name: 'table',
    ask: async (scans) => {
      const before = periodBefore(scope, scope.endMs)
      const page = { limit: tableLimit, offset: 0 }
      const ids = await scans.rankCodes({ scope, before, sort: 'change', order: 'desc', ...page })
      const rows = await scans.countCodes({ scope, before, ids })
      return rows.reduce((sum, row) => sum + row.scans, 0)
    },
  },
  {
    name: 'export',
    ask: async (scans) => {
      let lines = -1
      for await (const piece of scans.exportScans(ofLarge)) lines += countLines(piece)
      return lines
    },
  },
]

/** All breakdowns of a year by day. */
function figuresOfCode(name: string, qrCodeId: string): Question {
  return {
    name,
    ask: async (scans) => {
      const { summary } = await scans.qrCodeAnalytics({ ...scope, qrCodeId, interval: 'day' })
      return summary.totalScans
    },
  }
}

function figuresOfAll(name: string, filters: { country?: string[]; deviceType?: ['mobile'] }): Question {
  const options = { ...scope, filters, interval: 'day', topQrCodes: [] } as const
  return { name, ask: async (scans) => (await scans.organizationAnalytics(options)).summary.totalScans }
}

function countLines(piece: Buffer): number {
  let lines = 0
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++
  return lines
}
