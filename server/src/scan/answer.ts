import type { ScanTarget } from '../db/scans/scan-lookup.ts'
import { partsOfCodeKey } from '@everscan/contract/resources/short-codes.ts'
import { fieldsOf } from '@everscan/contract/schema/fields.ts'
import type { CreateSplit } from '../rules/splits.ts'
import { guardOf, isGuarded } from './access/guarded-code.ts'
import { contentAnswer, type AnswerParts } from './content-answer.ts'
import { ruledAnswer } from './ruled-answer.ts'
import type { ScanAnswer } from './scan-answer.ts'
import { sentNotice } from '../files/sent-pages.ts'

/**
 * Prepares the answer to a scan; `undefined` is a code that was never assigned. Source: decisions,
 * "What a scan gets".
 */
export function prepareAnswer(
  target: ScanTarget | undefined,
  parts: AnswerParts & { createSplit: CreateSplit },
): ScanAnswer {
  if (target === undefined) return unknownAnswer
  if (target.status !== 'ACTIVE') return goneAnswer
  const answer = guardedAnswer(target, parts)
  return partsOfCodeKey(target.codeKey).domain === '' ? answer : { ...answer, owner: target.organizationId }
}

function guardedAnswer(target: ScanTarget, parts: AnswerParts & { createSplit: CreateSplit }): ScanAnswer {
  const open = openAnswer(target, parts)
  if (!isGuarded(target)) return open
  const brand = parts.brands.stamp(target.organizationId)
  return { ...open, brand, access: guardOf(target, parts.brands) }
}

function openAnswer(target: ScanTarget, parts: AnswerParts & { createSplit: CreateSplit }): ScanAnswer {
  if (target.rules !== undefined || target.passQuery === true) return ruledAnswer(target, parts)
  return contentAnswer(target, { data: fieldsOf(target.data), rule: '', arm: '' }, parts)
}

const unknownAnswer: ScanAnswer = {
  isUnknown: true,
  reply: ({ language }) => sentNotice('unknown', language),
}
/** The answer of a code that ended, or is on a host name that its organization does not have. */
export const goneAnswer: ScanAnswer = { isGone: true, reply: ({ language }) => sentNotice('gone', language) }
