import { QrCodeParams } from '@everscan/contract/resources/qr-codes.ts'
import { stateOf } from '@everscan/contract/access/access.ts'
import { SimulateRules, SimulatedAnswer, type SimulatedAccess } from '@everscan/contract/rules/rule-trials.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { findArm, judgeRules, type CompiledRule } from '../../rules/compile-rules.ts'
import { conditionName } from '../../rules/conditions.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { endpoint } from '../http/endpoint.ts'
import { notFound } from '../../request-errors.ts'
import { tryAccess } from '../../product/codes/accept-access.ts'
import { compileListed, listedRules, type ListedRule } from '../../product/codes/listed-rules.ts'
import { checkVisitor, visitorFacts } from '../../product/codes/rule-visitors.ts'

const path = '/organizations/:orgId/qr-codes/:id/rules'

export const simulate = endpoint({
  id: 'simulateRules',
  method: 'POST',
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
  handle: async ({ db, config, clock, rules: tools }, _caller, { params, body }) => {
    checkVisitor(body.visitor)
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const listed = listedRules(body.rules, row, config.publicUrl)
    const compiled = compileListed(listed, tools.createSplit)
    const facts = await visitorFacts(body.visitor, { compiled, qrCodeId: row.id, nowMs: clock() }, tools)
    const tried = tryAccess(body.access, row, config.publicUrl)
    const judged = judgeRules(compiled, facts)
    const last = judged.at(-1)
    const answering = last !== undefined && last.failed.length === 0 ? last.compiled : undefined
    return {
      access: accessOf(tried, row.status, facts.timeMs),
      ...answerOf(answering, listed, { row, arm: answering === undefined ? 0 : findArm(answering, facts) }),
      steps: judged.map((one) => ({
        ...placeOf(one.compiled.rule, listed),
        matched: one.failed.length === 0,
        failed: [...new Set(one.failed.map(conditionName))],
      })),
    }
  },
})

function accessOf(
  { access, hasPassword, scanCount }: ReturnType<typeof tryAccess>,
  status: QrCodeRow['status'],
  atMs: number,
): SimulatedAccess {
  return {
    state: stateOf({ status, access, scanCount }, atMs),
    asksPassword: hasPassword,
    answersLeft: access?.scanLimit === undefined ? null : Math.max(0, access.scanLimit - scanCount),
    closed: access?.closed ?? null,
  }
}

function placeOf(
  rule: Rule,
  listed: readonly ListedRule[],
): { ruleId: string | null; index: number; name: string } {
  const found = listed.find((one) => one.rule === rule)
  return { ruleId: found?.ruleId ?? null, index: found?.index ?? 0, name: rule.name }
}

function answerOf(
  answering: CompiledRule | undefined,
  listed: readonly ListedRule[],
  { row, arm }: { row: QrCodeRow; arm: number },
) {
  if (answering === undefined) return { ruleId: null, index: null, name: null, arm: null, data: row.data }
  const { rule } = answering
  const chosen = rule.split?.[arm]
  return {
    ...placeOf(rule, listed),
    arm: chosen?.name ?? null,
    data: chosen?.data ?? rule.data ?? {},
  }
}
