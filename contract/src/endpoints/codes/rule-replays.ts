import { limits } from '../../schema/limits.ts'
import { QrCodeParams } from '../../resources/qr-codes.ts'
import { ReplayRules, RulesReplay } from '../../rules/rule-trials.ts'
import { endpoint } from '../endpoint.ts'

export const ruleReplays = {
  replay: endpoint({
    id: 'replayRules',
    call: 'qrCodes.replayRules',
    method: 'POST',
    repeatable: true,
    path: '/organizations/:orgId/qr-codes/:id/rules/replay',
    role: 'VIEWER',
    scope: 'analytics:read',
    tag: 'QR codes',
    summary: 'Replay the scans of a QR code with other rules.',
    description: `Tells how the scans of a period would have been divided by rules, beside how they were. Changes nothing. At most ${limits.replayDaysMax} days, ${limits.replayScansMax.toLocaleString('en')} scans and ${limits.replayMsMax / 1000} s; otherwise 400 with the longest period that fits. Scans that depend on \`query\`, \`networks\` or \`visit\`, which are not stored, are \`undecided\`. Of the languages of a visitor, the first is stored.`,
    params: QrCodeParams,
    body: ReplayRules,
    takes: 'downloads',
    status: 200,
    response: RulesReplay,
  }),
}
