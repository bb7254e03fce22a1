import { analytics } from '@everscan/contract/endpoints/analytics/analytics.ts'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import {
  isSelection,
  readExportedQrCodes,
  readSelectedQrCodes,
} from '../../catalogue/codes/selected-codes.ts'
import { figuresCsv } from '../../product/figures/figures-csv.ts'
import { readOrganizationFigures, readQrCodeFigures } from '../../product/figures/read-figures.ts'
import { splitSelection } from '../../product/figures/selections.ts'
import { Answer, handler, OtherForm } from '../http/handler.ts'
import { csvType } from '@everscan/contract/endpoints/media-types.ts'
import { contentDisposition } from '../../files/file-names.ts'
import { notFound } from '../../request-errors.ts'
import { streamOf } from '../../files/streams.ts'

export const ofQrCode = handler(analytics.ofQrCode, {
  handle: async ({ db, store, clock }, _caller, { params, query: { format, ...query } }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const found = await readQrCodeFigures({ db, store }, key, { query, nowMs: clock() })
    if (found === undefined) throw notFound()
    return format === 'csv' ? csvOf(found.figures, found.row.name) : found.figures
  },
})

export const ofOrganization = handler(analytics.ofOrganization, {
  handle: async ({ db, store, clock }, _caller, { params, query: { format, ...query } }) => {
    const figures = await readOrganizationFigures({ db, store }, params.orgId, { query, nowMs: clock() })
    return format === 'csv' ? csvOf(figures, 'analytics') : figures
  },
})

export const exportOfOrganization = handler(analytics.exportOfOrganization, {
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { selected, rest } = splitSelection(query)
    const { startDate, endDate, timezone, ...filters } = rest
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const organizationId = params.orgId
    const codes = isSelection(selected) ? await readSelectedQrCodes(db, organizationId, selected) : undefined
    const pieces = store.exportScansOfCodes(
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

export const exportOfQrCode = handler(analytics.exportOfQrCode, {
  handle: async ({ db, store, clock }, _caller, { params, query }) => {
    const { startDate, endDate, timezone, ...filters } = query
    const period = readPeriod({ startDate, endDate, timezone }, clock())
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const { organizationId, id: qrCodeId } = row
    const pieces = store.exportScans({ organizationId, qrCodeId, filters, ...period })
    return new Answer(await streamOf(pieces), {
      'content-type': csvType,
      'content-disposition': contentDisposition('attachment', `${row.name} scans`, 'csv'),
    })
  },
})

function csvOf(figures: QrCodeAnalytics | OrganizationAnalytics, name: string): OtherForm {
  return new OtherForm(figuresCsv(figures), {
    'content-type': csvType,
    'content-disposition': contentDisposition('attachment', name, 'csv'),
  })
}
