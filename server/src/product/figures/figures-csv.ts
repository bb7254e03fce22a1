import { listIn } from '@everscan/contract/dimensions/answered-lists.ts'
import { listedDimensions, listOf } from '@everscan/contract/dimensions/dimensions.ts'
import {
  figuresCsvColumns,
  type OrganizationAnalytics,
  type QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { csvLines } from '../../files/write-csv.ts'

type Figures = QrCodeAnalytics | OrganizationAnalytics
type Cells = {
  scans: number
  uniqueScans?: number
  percentage?: number
}

/**
 * Formats figures as one table. `key` and `key2` are what a row is about, in the order of the JSON:
 * a region and its country, a weekday and its hour, a rule
 * (`none`: own data) and its name with the arm, a row and a column of the matrix.
 */
export function figuresCsv(figures: Figures): string {
  const { summary, timeline, hours, matrix } = figures
  const { totalScans, uniqueScans, botScans } = summary
  const codes = 'topQrCodes' in figures ? figures.topQrCodes : []
  const destinations = 'destinations' in figures ? figures.destinations : []
  const rows = [
    row('summary', ['totalScans'], { scans: totalScans, uniqueScans }),
    row('summary', ['botScans'], { scans: botScans }),
    ...timeline.map(({ date, start, ...cells }) => row('timeline', [date, start], cells)),
    ...listedDimensions.flatMap((name) =>
      listIn(figures, name).map(({ value, country, ...cells }) =>
        row(listOf(name).section, [value, country], cells),
      ),
    ),
    ...hours.map(({ weekday, hour, ...cells }) => row('hours', [String(weekday), String(hour)], cells)),
    ...codes.map(({ qrCodeId, name, ...cells }) => row('topQrCodes', [qrCodeId, name], cells)),
    ...destinations.map(({ ruleId, name, arm, ...cells }) =>
      row('destinations', [ruleId ?? 'none', [name, arm].filter((part) => part !== null).join(': ')], cells),
    ),
    ...matrixRows(matrix),
  ]
  return csvLines([figuresCsvColumns, ...rows], { escapeFormulas: true })
}

function matrixRows(matrix: Figures['matrix']): string[][] {
  if (matrix === undefined) return []
  const { rows, columns, scans, other } = matrix
  return [
    ...rows.flatMap((key, at) =>
      columns.map((key2, across) => row('matrix', [key, key2], { scans: scans[at]?.[across] ?? 0 })),
    ),
    row('matrixOther', [], { scans: other }),
  ]
}

function row(
  section: string,
  [key = '', key2 = '']: readonly (string | undefined)[],
  { scans, uniqueScans, percentage }: Cells,
): string[] {
  return [section, key, key2, ...[scans, uniqueScans, percentage].map((number) => number?.toString() ?? '')]
}
