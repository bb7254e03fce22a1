import type { DuckDBConnection } from '@duckdb/node-api'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { exportScans } from '@everscan/server/analytics/figures/scan-export.ts'
import { organizationAnalytics, qrCodeAnalytics } from '@everscan/server/analytics/figures/queries.ts'
import { filledQrCodeId } from '../fill-catalogue.ts'
import { filledPeriod } from '../fill-scans.ts'
import { organizationId } from '../analytics.ts'

/** A question to both stores. Both answer with the number of scans, to be compared. */
export type Question = {
  name: string
  ofStore: (store: ClickHouse) => Promise<number>
  ofFiles: (engine: DuckDBConnection, files: readonly string[]) => Promise<number>
}

const codes = { large: filledQrCodeId(0), small: filledQrCodeId(500) }

export const questions: readonly Question[] = [
  figuresOf('code', `qr_code_id = '${codes.large}'`, { qrCodeId: codes.large }),
  figuresOf('smallCode', `qr_code_id = '${codes.small}'`, { qrCodeId: codes.small }),
  figuresOf('filtered', `country = 'DE' and device_type = 'mobile'`, {
    filters: { country: ['DE'], deviceType: ['mobile'] },
  }),
  {
    name: 'export',
    ofStore: async (store) => {
      const scope = { organizationId, ...filledPeriod, filters: {}, qrCodeId: codes.large }
      let lines = -1
      for await (const piece of exportScans(store, scope)) lines += countLines(piece)
      return lines
    },
    ofFiles: async (engine, files) => {
      const sql = `select epoch_ms(time) as ms, country, city, device_type, os, browser, is_unique
        from ${sourceOf(files)}
        where organization_id = '${organizationId}' and qr_code_id = '${codes.large}' and class = 'human'
        order by time, writer, sequence`
      const result = await engine.stream(
        `select string_agg(concat_ws(',', ms, country, city, device_type, os, browser, is_unique), '\n') as lines, count(*)::int as scans
         from (select *, (row_number() over ()) // 50000 as piece from (${sql})) group by piece`,
      )
      let scans = 0
      for (
        let chunk = await result.fetchChunk();
        chunk !== null && chunk.rowCount > 0;
        chunk = await result.fetchChunk()
      )
        for (const [, count] of chunk.getRows()) scans += Number(count)
      return scans
    },
  },
]

type Scope = { qrCodeId?: string; filters?: object }

/** All breakdowns of a year by day: one pass over the scans, in groups of groups. */
function figuresOf(name: string, where: string, { qrCodeId, filters = {} }: Scope): Question {
  const scope = { organizationId, ...filledPeriod, filters, interval: 'day' } as const
  return {
    name,
    ofStore: async (store) =>
      qrCodeId === undefined
        ? (await organizationAnalytics(store, { ...scope, topQrCodes: [] })).summary.totalScans
        : (await qrCodeAnalytics(store, { ...scope, qrCodeId })).summary.totalScans,
    ofFiles: async (engine, files) => {
      const rows = await engine.runAndReadAll(
        `select
           grouping(hour, country, device_type, referrer, language) as kind, hour, country, region, city,
           device_type, os, browser, referrer, language,
           count(*) filter (where class = 'human')::int as scans,
           count(*) filter (where is_unique)::int as uniques,
           count(*) filter (where class <> 'human')::int as bots
         from (
           select date_trunc('hour', time) as hour, * from ${sourceOf(files)}
           where organization_id = '${organizationId}' and ${where})
         group by grouping sets (
           (hour), (country, region, city), (device_type, os, browser), (referrer), (language))`,
      )
      return rows
        .getRows()
        .filter(([kind]) => Number(kind) === 0b01111)
        .reduce((sum, row) => sum + Number(row[10]), 0)
    },
  }
}

function sourceOf(files: readonly string[]): string {
  return `read_parquet([${files.map((file) => `'${file}'`).join(', ')}])`
}

function countLines(piece: Buffer): number {
  let lines = 0
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines++
  return lines
}
