import { limits } from '@everscan/contract/schema/limits.ts'
import { PageQuery, paginationOf } from '@everscan/contract/schema/pages.ts'
import { QrCodeHistory, RollbackQrCode } from '@everscan/contract/resources/qr-code-history.ts'
import { QrCode, QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { listQrCodeVersions } from '../../catalogue/codes/qr-code-history.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { pageOf } from '../http/pages.ts'
import { rollBackQrCode } from '../../product/codes/changes.ts'
import { qrCodeEtag } from '../../product/codes/qr-code-etags.ts'
import { limitExcessRecords, qrCodeRecord } from '../../product/records/qr-code-records.ts'
import { notFound } from '../../request-errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'

const one = '/organizations/:orgId/qr-codes/:id'

export const list = endpoint({
  id: 'listQrCodeHistory',
  method: 'GET',
  path: `${one}/history`,
  role: 'VIEWER',
  scope: 'codes:read',
  tag: 'QR codes',
  summary: 'List the versions of a QR code, newest first.',
  description: `A change of name, content, rules, access, style or status creates a version; changes of folder, tags and metadata do not. The newest ${limits.historyVersionsMax} versions are kept. Deleting the code deletes them.`,
  params: QrCodeParams,
  query: PageQuery,
  status: 200,
  response: QrCodeHistory,
  handle: async ({ db }, _caller, { params, query }) => {
    const code = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (code === undefined) throw notFound()
    const page = pageOf(query)
    const { rows, total } = await listQrCodeVersions(db, code, page)
    const data = rows.map(({ changed, changedAtMs, ...row }) => ({
      ...row,
      changed: [...changed],
      changedAt: timestamp(changedAtMs),
    }))
    return { data, pagination: paginationOf(total, page), limitExcesses: limitExcessRecords(code) }
  },
})

export const rollBack = endpoint({
  id: 'rollBackQrCode',
  method: 'POST',
  path: `${one}/rollback`,
  role: 'EDITOR',
  scope: 'codes:write',
  tag: 'QR codes',
  summary: 'Roll a QR code back to a version of its history.',
  description:
    'Creates a new version with the name, content, rules, access, style and status of the old one; its password stays as it is. Changes nothing if the code is already the same. 404 if the version is unknown.',
  params: QrCodeParams,
  body: RollbackQrCode,
  status: 200,
  response: QrCode,
  responseHeaders: { ETag: 'Identifies this version of the record, for If-Match.' },
  requestHeaders: { 'If-Match': 'The ETag of the record as you read it; 412 if it has changed since.' },
  errors: [409, 412, 422],
  handle: async (context, { origin }, { params, body, headers }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const how = { version: body.version, origin, ifMatch: headers['if-match'] }
    const row = await rollBackQrCode(context, key, how)
    if (row === undefined) throw notFound()
    const { publicUrl } = context.config
    return new Answer(qrCodeRecord(row, publicUrl), { etag: qrCodeEtag(row, publicUrl) })
  },
})
