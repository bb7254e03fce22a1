import {
  AnalyticsExportQuery,
  AnalyticsQuery,
  analyticsExportColumns,
  figuresCsvColumns,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
  organizationExportColumns,
  QrCodeAnalytics,
  type MatrixDimension,
} from '@everscan/contract/resources/analytics.ts'
import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { daysOf, readPeriod, type Period } from '../../analytics/figures/period.ts'
import type { Interval } from '../../analytics/figures/calendar.ts'
import {
  mostScannedQrCodes,
  organizationAnalytics,
  qrCodeAnalytics,
} from '../../analytics/figures/queries.ts'
import { exportScans, exportScansOfCodes } from '../../analytics/figures/scan-export.ts'
import { matrixSides, type MatrixSides, type ScanMatrix } from '../../analytics/figures/scan-matrix.ts'
import type { ScanScope } from '../../analytics/figures/scan-scope.ts'
import { countQrCodes } from '../../catalogue/codes/qr-code-lists.ts'
import { readQrCodeNames, type QrCodeName } from '../../catalogue/codes/qr-code-names.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import {
  isSelection,
  readExportedQrCodes,
  readSelectedQrCodes,
} from '../../catalogue/codes/selected-codes.ts'
import { figuresCsv } from './figures-csv.ts'
import { readAnalyticsMarks } from './marks.ts'
import { readSelection, splitSelection, type RequestedSelection } from './selections.ts'
import { Answer, endpoint, OtherForm } from '../http/endpoint.ts'
import type { ApiContext } from '../http/api-context.ts'
import { csvType } from '../http/bodies/write-csv.ts'
import { contentDisposition } from '../../file-names.ts'
import { notFound, queryError } from '../http/request-errors.ts'
import { streamOf } from '../http/bodies/streams.ts'

const tag = 'Analytics'
const defaults = `By default the last 30 days including today, by day, in UTC. With filters, every figure counts only the matching scans. With \`format=csv\`, the columns are ${figuresCsvColumns.join(', ')}.`
export const selectionWords =
  '`folderId`, `tag`, `type` and `ids` together select codes; scans of deleted codes count only without them.'
const exportWords =
  'The rows are exactly the scans that the analytics of the same parameters count. By default the last 30 days including today. A cell that a spreadsheet would run as a formula starts with an apostrophe. Streamed: a response that breaks off is incomplete.'

export const ofQrCode = endpoint({
  id: 'readQrCodeAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/analytics',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read the analytics of a QR code over a period.',
  description: defaults,
  params: QrCodeParams,
  query: AnalyticsQuery,
  status: 200,
  response: QrCodeAnalytics,
  alsoProduces: ['text/csv'],
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, interval = 'day', matrix, format, ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    requireFewDays(period, interval)
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    const scope = { organizationId, qrCodeId, filters, ...period }
    const sides = await sidesOf(store, scope, matrix)
    const figures = await qrCodeAnalytics(store, { ...scope, interval, matrix: sides })
    const named = await withNames(db, { organizationId, figures, sides })
    const result = { ...figures, ...named, marks: await readAnalyticsMarks(db, period) }
    return format === 'csv' ? csvOf(result, row.name) : result
  },
})

export const ofOrganization = endpoint({
  id: 'readOrganizationAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Read the analytics of all QR codes of the organization, or of some, over a period.',
  description: `${defaults} ${selectionWords} \`topQrCodes\` omits deleted codes.`,
  params: OrganizationParams,
  query: OrganizationAnalyticsQuery,
  status: 200,
  response: OrganizationAnalytics,
  alsoProduces: ['text/csv'],
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { startDate, endDate, timezone, interval = 'day', matrix, format, ...filters } = rest
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    requireFewDays(period, interval)
    const organizationId = params.orgId
    const requested = await readSelection({ db, store }, organizationId, selected)
    const scope = { organizationId, selection: requested?.selection, filters, ...period }
    const sides = await sidesOf(store, scope, matrix)
    const names = await topQrCodeNames({ db, store }, scope, rankedIn(sides))
    const topQrCodes = [...names.keys()]
    const figures = await organizationAnalytics(store, { ...scope, interval, topQrCodes, matrix: sides })
    const named = await withNames(db, { organizationId, figures, sides })
    const result = {
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
    return format === 'csv' ? csvOf(result, 'analytics') : result
  },
})

export const exportOfOrganization = endpoint({
  id: 'exportOrganizationAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/analytics/export',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Export the scans of all QR codes of the organization, or of some, over a period as CSV.',
  description: `The columns are ${organizationExportColumns.join(', ')}. One scan per line, code by code, those of a code oldest first. ${selectionWords} The name of a deleted code is empty. ${exportWords}`,
  params: OrganizationParams,
  query: OrganizationExportQuery,
  takes: 'downloads',
  status: 200,
  produces: ['text/csv'],
  responseHeaders: { 'Content-Disposition': 'A file name.' },
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { startDate, endDate, timezone, ...filters } = rest
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const organizationId = params.orgId
    const codes = isSelection(selected) ? await readSelectedQrCodes(db, organizationId, selected) : undefined
    const pieces = exportScansOfCodes(
      store,
      { organizationId, filters, ...period },
      {
        ids: codes?.ids.split(',').filter((id) => id !== ''),
        readCodes: (ids) => readExportedQrCodes(db, organizationId, ids),
      },
    )
    return new Answer(await streamOf(pieces), {
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', 'scans', 'csv'),
    })
  },
})

export const exportOfQrCode = endpoint({
  id: 'exportQrCodeAnalytics',
  method: 'GET',
  path: '/organizations/:orgId/qr-codes/:id/analytics/export',
  role: 'VIEWER',
  scope: 'analytics:read',
  tag,
  summary: 'Export the scans of a QR code over a period as CSV, one per line, oldest first.',
  description: `The columns are ${analyticsExportColumns.join(', ')}. ${exportWords}`,
  params: QrCodeParams,
  query: AnalyticsExportQuery,
  takes: 'downloads',
  status: 200,
  produces: ['text/csv'],
  responseHeaders: { 'Content-Disposition': "A file name derived from the code's name." },
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    const pieces = exportScans(store, { organizationId, qrCodeId, filters, ...period })
    return new Answer(await streamOf(pieces), {
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', `${row.name} scans`, 'csv'),
    })
  },
})

/** Throws ApiError 400 if a period is too long to be shown by hour. */
function requireFewDays(period: Period, interval: Interval): void {
  const { first, last } = daysOf(period)
  const days = last - first + 1
  if (interval !== 'hour' || days <= limits.hourlyDaysMax) return
  const message = `must be day, week or month for a period of ${days} days; hour is for at most ${limits.hourlyDaysMax}`
  throw queryError([{ path: 'interval', message }])
}

/** Reads the parameter `matrix`, whose form the schema has checked. */
async function sidesOf(
  store: ApiContext['store'],
  scope: ScanScope,
  matrix: string | undefined,
): Promise<MatrixSides | undefined> {
  if (matrix === undefined) return undefined
  const [row, column] = matrix.split(',') as [MatrixDimension, MatrixDimension]
  return matrixSides(store, scope, [row, column])
}

/** The codes of a matrix are those with the most scans. */
function rankedIn(sides: MatrixSides | undefined): readonly string[] | undefined {
  if (sides === undefined) return undefined
  const { dimensions, rows, columns } = sides
  return [rows, columns][dimensions.indexOf('code')]
}

/** Returns the matrix with the names of the codes among its values. */
async function withNames(
  db: ApiContext['db'],
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
  db: ApiContext['db'],
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

function csvOf(figures: QrCodeAnalytics | OrganizationAnalytics, name: string): OtherForm {
  return new OtherForm(figuresCsv(figures), {
    'content-type': csvType,
    'content-disposition': contentDisposition('attachment', name, 'csv'),
  })
}

/**
 * The most scanned codes that still exist, highest first. If deleted codes displace them from the
 * first page, the next pages are read too.
 */
async function topQrCodeNames(
  { db, store }: Pick<ApiContext, 'db' | 'store'>,
  scope: ScanScope,
  /** The first ids, if they are known. */
  ranked: readonly string[] | undefined,
): Promise<Map<string, QrCodeName>> {
  const found = new Map<string, QrCodeName>()
  let limit: number = ranked === undefined ? limits.topQrCodes : limits.matrixSideMax
  for (let offset = 0; ;) {
    const known = offset === 0 ? ranked : undefined
    const ids = known ?? (await mostScannedQrCodes(store, scope, { limit, offset }))
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
