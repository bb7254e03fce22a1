import { limits } from '../../schema/limits.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { PrintLabelSheet } from '../../resources/label-sheets.ts'
import { endpoint } from '../endpoint.ts'

export const labelSheets = {
  print: endpoint({
    id: 'printLabelSheet',
    call: 'byHand',
    method: 'POST',
    repeatable: true,
    path: '/organizations/:orgId/qr-codes/label-sheets',
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'QR codes',
    summary: 'Print QR codes on label sheets, as a PDF.',
    description:
      'On a common sheet by its number, or on a custom sheet. Measures are exact: print at 100 %. ' +
      `At most ${limits.batchMax} codes and ${limits.labelsMax} labels; archived codes are printed too. Nothing is drawn if a ` +
      'code is unknown (404), or would be smaller than 10 mm or than half of its `scannability.minPrintMm` (400).',
    params: OrganizationParams,
    body: PrintLabelSheet,
    takes: 'downloads',
    status: 200,
    produces: ['application/pdf'],
    responseHeaders: {
      'Content-Disposition': 'A file name.',
      'Captions-Incomplete': 'Number of codes whose caption lacks characters because they cannot be drawn.',
    },
  }),
}
