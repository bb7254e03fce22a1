import { QrCodeParams } from '../../resources/qr-codes.ts'
import { SimulateRules, SimulatedAnswer } from '../../rules/rule-trials.ts'
import { endpoint } from '../endpoint.ts'

const path = '/organizations/:orgId/qr-codes/:id/rules'

export const ruleTrials = {
  simulate: endpoint({
    id: 'simulateRules',
    call: 'qrCodes.simulateRules',
    method: 'POST',
    repeatable: true,
    path: `${path}/simulate`,
    role: 'VIEWER',
    scope: 'codes:read',
    tag: 'QR codes',
    summary: 'Simulate what a visitor of a QR code would get.',
    description:
      'Judges the rules and access of the code, or those of the request, with the code that answers scans. Changes nothing, and records no scan. With `ip`, the place is looked up as for a scan.',
    params: QrCodeParams,
    body: SimulateRules,
    status: 200,
    response: SimulatedAnswer,
  }),
}
