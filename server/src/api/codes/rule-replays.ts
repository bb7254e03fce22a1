import { ruleReplays } from '@everscan/contract/endpoints/codes/rule-replays.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { readPeriod, type Period } from '../../analytics/figures/period.ts'
import { PeriodTooLong, type ReplayBounds } from '../../analytics/scan-store.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import type { ApiError } from '../../errors.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { askedColumns, RuleReplay } from '../../rules/replay-rules.ts'
import { handler } from '../http/handler.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { compileListed, listedRules } from '../../product/codes/listed-rules.ts'
import { StoredVisitor } from '../../product/codes/stored-visitor.ts'
import { ReplayTally } from '../../product/codes/replay-tally.ts'

/** Judging these takes some milliseconds. Other requests come in between. */
const judgedPerTurn = 1_000
const dayMs = 86_400_000
const bounds: ReplayBounds = { scansMax: limits.replayScansMax, msMax: limits.replayMsMax }

export const replay = handler(ruleReplays.replay, {
  handle: async ({ db, store, config, clock, rules: tools }, _caller, { params, body }) => {
    const { startDate, endDate } = body
    const period = readPeriod({ startDate, endDate }, clock())
    requireFewDays(period)
    const row = await readQrCode(db, { organizationId: params.orgId, id: params.id })
    if (row === undefined) throw notFound()
    const listed = listedRules(body.rules, row, config.publicUrl)
    const compiled = compileListed(listed, tools.createSplit)
    const columns = askedColumns(compiled)
    const visitor = new StoredVisitor(await tools.loadPlaceReader())
    const rules = new RuleReplay(compiled)
    const tally = new ReplayTally(compiled)
    const scope = { organizationId: row.organizationId, qrCodeId: row.id, filters: {}, ...period }
    try {
      for await (const piece of store.replayScans(scope, { columns, bounds }))
        for (const [at, scans] of piece.entries()) {
          tally.add(scans, rules.judge(visitor.of(scans)))
          if (at % judgedPerTurn === judgedPerTurn - 1) await nextTurn()
        }
    } catch (error) {
      throw error instanceof PeriodTooLong ? tooLong(error) : error
    }
    return {
      startDate: timestamp(period.startMs),
      endDate: timestamp(period.endMs - 1),
      ...tally.result(listed, row.rules),
      undecided: { scans: tally.undecided, conditions: [...rules.openConditions].toSorted() },
    }
  },
})

function requireFewDays({ startMs, endMs }: Period): void {
  const max = limits.replayDaysMax
  if (endMs - startMs <= max * dayMs) return
  throw tooMuch(problem('replayedDays', { max, start: timestamp(endMs - max * dayMs) }))
}

function tooLong({ reason, startMs }: PeriodTooLong): ApiError {
  const start = timestamp(startMs)
  return tooMuch(
    reason === 'scans'
      ? problem('replayedScans', { max: limits.replayScansMax, start })
      : problem('replayedTime', { seconds: limits.replayMsMax / 1000, start }),
  )
}

function tooMuch(found: Problem): ApiError {
  return validationError([{ path: 'startDate', ...found }])
}
