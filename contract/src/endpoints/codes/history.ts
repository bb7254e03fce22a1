import { limits } from '../../schema/limits.ts'
import { QrCodeParams, QrCode } from '../../resources/qr-codes.ts'
import { PageQuery } from '../../schema/pages.ts'
import { QrCodeHistory, RollbackQrCode } from '../../resources/qr-code-history.ts'
import { endpoint } from '../endpoint.ts'
import { etag, ifMatch } from '../headers.ts'

const one = '/organizations/:orgId/qr-codes/:id'

export const qrCodeHistory = {
  list: endpoint({
    id: 'listQrCodeHistory',
    call: 'qrCodes.history',
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
  }),

  rollBack: endpoint({
    id: 'rollBackQrCode',
    call: 'qrCodes.rollBack',
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
    responseHeaders: etag,
    requestHeaders: ifMatch,
    errors: [409, 412, 422],
  }),
}
