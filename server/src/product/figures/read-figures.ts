import { problem } from '@everscan/contract/problems/problem.ts'
import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type {
  AnalyticsQuery,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Interval } from '../../analytics/figures/calendar.ts'
import { daysOf, readPeriod, type Period } from '../../analytics/figures/period.ts'
import type { MatrixSides, ScanMatrix, ScanScope } from '../../analytics/scan-store.ts'
import { countQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import { readQrCodeNames, type QrCodeName } from '../../catalogue/codes/qr-code-names.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { ProductContext } from '../product-context.ts'
import { queryError } from '../../request-errors.ts'
import { readAnalyticsMarks } from './marks.ts'
import { readSelection, splitSelection, type RequestedSelection } from './selections.ts'

type Sources = Pick<ProductContext, 'db' | 'store'>

/**
 * Reads the figures of a code over a period. Returns undefined if the organization has no such
 * code. Throws ApiError 400 for an invalid period.
 */
export async function readQrCodeFigures(
  { db, store }: Sources,
  key: { organizationId: string; id: string },
  { query, nowMs }: { query: Omit<AnalyticsQuery, 'format'>; nowMs: number },
): Promise<{ row: QrCodeRow; figures: QrCodeAnalytics } | undefined> {
  const { startDate, endDate, timezone, interval = 'day', matrix, ...filters } = query
  const period = readPeriod({ startDate, endDate, timezone }, nowMs)
  requireFewDays(period, interval)
  const row = await readQrCode(db, key)
  if (row === undefined) return undefined
  const { organizationId, id: qrCodeId } = row
  const scope = { organizationId, qrCodeId, filters, ...period }
  const sides = await sidesOf(store, scope, matrix)
  const names = ruleNamesOf(row)
  const byDestination = Object.keys(names).length > 0
  const figures = await store.qrCodeAnalytics({ ...scope, interval, matrix: sides, byDestination })
  const destinations = figures.destinations.map(({ ruleId, ...counted }) => ({
    ruleId,
    name: names[ruleId ?? ''] ?? null,
    ...counted,
  }))
  const named = await withNames(db, { organizationId, figures, sides })
  const marks = await readAnalyticsMarks(db, period)
  return { row, figures: { ...figures, ...named, destinations, marks } }
}

/** Returns the names of a code's rules, and the last names of those that it had, by id. */
export function ruleNamesOf({
  rules,
  formerRules,
}: Pick<QrCodeRow, 'rules' | 'formerRules'>): Readonly<Record<string, string>> {
  return { ...formerRules, ...Object.fromEntries(rules.map(({ id, name }) => [id, name])) }
}

/**
 * Reads the figures of all codes of an organization, or of some, over a period. Throws ApiError 400
 * for an invalid period or selection.
 */
export async function readOrganizationFigures(
  { db, store }: Sources,
  organizationId: string,
  { query, nowMs }: { query: Omit<OrganizationAnalyticsQuery, 'format'>; nowMs: number },
): Promise<OrganizationAnalytics> {
  const { selected, rest } = splitSelection(query)
  const { startDate, endDate, timezone, interval = 'day', matrix, ...filters } = rest
  const period = readPeriod({ startDate, endDate, timezone }, nowMs)
  requireFewDays(period, interval)
  const requested = await readSelection(db, organizationId, selected)
  const scope = { organizationId, selection: requested?.selection, filters, ...period }
  const sides = await sidesOf(store, scope, matrix)
  const names = await topQrCodeNames({ db, store }, scope, rankedIn(sides))
  const topQrCodes = [...names.keys()]
  const figures = await store.organizationAnalytics({ ...scope, interval, topQrCodes, matrix: sides })
  const named = await withNames(db, { organizationId, figures, sides })
  return {
    organizationId,
    ...figures,
    ...named,
    summary: { ...figures.summary, ...(await countsOf(db, organizationId, requested)) },
    marks: await readAnalyticsMarks(db, period),
    topQrCodes: figures.topQrCodes.flatMap((code) => {
      const name = names.get(code.qrCodeId)
      return name === undefined ? [] : [{ ...name, ...code }]
    }),
  }
}

/** Throws ApiError 400 if a period is too long to be shown by hour. */
function requireFewDays(period: Period, interval: Interval): void {
  const { first, last } = daysOf(period)
  const days = last - first + 1
  if (interval !== 'hour' || days <= limits.hourlyDaysMax) return
  const found = problem('tooManyDaysByHour', { days, max: limits.hourlyDaysMax })
  throw queryError([{ path: 'interval', ...found }])
}

/** Reads the parameter `matrix`, whose form the schema has checked. */
async function sidesOf(
  store: ProductContext['store'],
  scope: ScanScope,
  matrix: string | undefined,
): Promise<MatrixSides | undefined> {
  if (matrix === undefined) return undefined
  const [row, column] = matrix.split(',') as [MatrixDimension, MatrixDimension]
  return store.matrixSides(scope, [row, column])
}

/** The codes of a matrix are those with the most scans. */
function rankedIn(sides: MatrixSides | undefined): readonly string[] | undefined {
  if (sides === undefined) return undefined
  const { dimensions, rows, columns } = sides
  return [rows, columns][dimensions.indexOf('code')]
}

/** Returns the matrix with the names of the codes among its values. */
async function withNames(
  db: ProductContext['db'],
  {
    organizationId,
    figures: { matrix },
    sides,
  }: { organizationId: string; figures: { matrix?: ScanMatrix }; sides: MatrixSides | undefined },
) {
  if (matrix === undefined || sides === undefined) return {}
  const at = sides.dimensions.indexOf('code')
  if (at < 0) return { matrix }
  const ids = at === 0 ? matrix.rows : matrix.columns
  const names = await readQrCodeNames(db, organizationId, ids)
  return { matrix: { ...matrix, qrCodes: ids.flatMap((id) => names.get(id) ?? []) } }
}

async function countsOf(
  db: ProductContext['db'],
  organizationId: string,
  requested: RequestedSelection | undefined,
): Promise<{ totalQrCodes: number; activeQrCodes: number }> {
  if (requested !== undefined)
    return { totalQrCodes: requested.codes.total, activeQrCodes: requested.codes.active }
  return {
    totalQrCodes: await countQrCodes(db, organizationId, {}),
    activeQrCodes: await countQrCodes(db, organizationId, { status: 'ACTIVE' }),
  }
}

/**
 * The most scanned codes that still exist, highest first. If deleted codes displace them from the
 * first page, the next pages are read too.
 */
async function topQrCodeNames(
  { db, store }: Sources,
  scope: ScanScope,
  /** The first ids, if they are known. */
  ranked: readonly string[] | undefined,
): Promise<Map<string, QrCodeName>> {
  const found = new Map<string, QrCodeName>()
  let limit: number = ranked === undefined ? limits.topQrCodes : limits.matrixSideMax
  for (let offset = 0; ;) {
    const known = offset === 0 ? ranked : undefined
    const ids = known ?? (await store.mostScannedQrCodes(scope, { limit, offset }))
    const names = await readQrCodeNames(db, scope.organizationId, ids)
    for (const id of ids) {
      const name = names.get(id)
      if (name !== undefined && found.size < limits.topQrCodes) found.set(id, name)
    }
    if (found.size === limits.topQrCodes || ids.length < limit) return found
    offset += limit
    limit = 500
  }
}
