import { ruleTrials } from '@everscan/contract/endpoints/codes/rule-trials.ts'
import { stateOf } from '@everscan/contract/access/access.ts'
import { type SimulatedAccess } from '@everscan/contract/rules/rule-trials.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { findArm, judgeRules, type CompiledRule } from '../../rules/compile-rules.ts'
import { conditionName } from '../../rules/conditions.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { handler } from '../http/handler.ts'
import { notFound } from '../../request-errors.ts'
import { tryAccess } from '../../product/codes/accept-access.ts'
import { compileListed, listedRules, type ListedRule } from '../../product/codes/listed-rules.ts'
import { checkVisitor, visitorFacts } from '../../product/codes/rule-visitors.ts'

export const simulate = handler(ruleTrials.simulate, {
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
