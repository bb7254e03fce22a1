import type { ReferenceHit } from '../../analytics/testing/reference-analytics.ts'
import type { ScanClass } from '../../analytics/insert/scan-row.ts'
import type { DemoPlan } from '../demo-plan.ts'
import { demoHitsOf } from '../demo-scans.ts'

/** A hit as every figure must show it. */
export type LedgerHit = ReferenceHit & { class: ScanClass; language: string; rule: string; arm: string }

/**
 * Returns what the figures of a demo must be made of, oldest first. Nothing here reads a user
 * agent, a network or a journal: a hit was made with its country and browser, and a visitor is a
 * made-up person on a device.
 */
export function demoLedger(plan: DemoPlan): LedgerHit[] {
  const planned = new Map(plan.codes.map((code) => [code.key, code]))
  const met = new Set<string>()
  return demoHitsOf(plan).map(({ timeMs, code, place, address, agent, referrer, language, answer }) => {
    const isProgram = 'class' in agent
    const visitor = `${code} ${address} ${agent.userAgent}`
    const isUnique = !isProgram && !met.has(visitor)
    if (isUnique) met.add(visitor)
    const { country, city } = place
    const device = isProgram
      ? { deviceType: 'desktop' as const, os: '', browser: '' }
      : { deviceType: agent.deviceType, os: agent.os, browser: agent.browser }
    return {
      timeMs,
      qrCodeId: planned.get(code)?.id ?? '',
      country,
      // The ledger does not know regions.
      region: '',
      city,
      ...device,
      referrer: referrer?.referrer ?? '',
      language,
      rule: (answer && planned.get(code)?.rules?.[answer.rule]) ?? '',
      arm: answer?.arm ?? '',
      class: isProgram ? agent.class : 'human',
      isBot: isProgram,
      isUnique,
    }
  })
}
