import type { Scan } from '@everscan/contract/resources/scans.ts'
import { scanId } from '../../ids.ts'

/** A hit as a store lists it. */
export type ListedScan = {
  timeMs: number
  writer: string
  /** The sequence, a 64-bit number in decimal. */
  number: string
  class: string
  botReason: string
  rule: string
  arm: string
} & Omit<Scan, 'id' | 'qrCodeId' | 'timestamp' | 'ruleId' | 'arm' | 'isUnique' | 'isBot' | 'botReason'>

/** Returns a hit as the API has it. `isFirst`: whether it is the first one of its visitor. */
export function scanOf(
  { timeMs, writer, number, class: kind, botReason, rule, arm, ...rest }: ListedScan,
  { qrCodeId, isFirst }: { qrCodeId: string; isFirst: boolean },
): Scan {
  const isBot = kind !== 'human'
  return {
    id: scanId({ timeMs, writer, sequence: BigInt(number) }),
    qrCodeId,
    timestamp: new Date(timeMs).toISOString(),
    ...rest,
    ...answerOf({ rule, arm }),
    isUnique: !isBot && isFirst,
    isBot,
    botReason: isBot ? botReason || kind : null,
  }
}

/** Stores have empty texts for what the API says with null. */
export function answerOf({ rule, arm }: Pick<ListedScan, 'rule' | 'arm'>): Pick<Scan, 'ruleId' | 'arm'> {
  return { ruleId: rule === '' ? null : rule, arm: arm === '' ? null : arm }
}
