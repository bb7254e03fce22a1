import type { IncomingMessage } from 'node:http'
import { sentNotice } from '../../files/sent-pages.ts'
import { guard, type GuardDecision } from '../access/guard.ts'
import type { CodeGuard } from '../access/guarded-code.ts'
import { isRepeated, postedAnswer } from '../access/posted-answer.ts'
import type { Reply, ScanAnswer } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import { readVisitor } from '../scan-visitor.ts'
import type { Visit } from '../visit.ts'
import { identifyVisitor, memoryKey } from '../visitors/identified-visitor.ts'

/**
 * Returns the answer of a code without what stands before it, or the one that a visitor gets in its
 * place: a closed code, the form of a password, a title for programs.
 */
export function admit(
  context: ScanContext,
  answer: ScanAnswer,
  visit: Visit,
): ScanAnswer | Promise<ScanAnswer> {
  const { access } = answer
  if (access !== undefined) return admitGuarded(context, { answer, access }, visit)
  // Only a code with a password takes a POST.
  return visit.request.method === 'POST' ? inPlace(refuseMethod(visit.request)) : answer
}

/** Returns the reply to a method that what is asked for does not take. */
export function refuseMethod(request: IncomingMessage): Reply {
  request.resume()
  return sentNotice('method', readVisitor(request.headers).language)
}

/** Admits to a code that is not always open, for everybody. */
function admitGuarded(
  context: ScanContext,
  { answer, access }: { answer: ScanAnswer; access: CodeGuard },
  visit: Visit,
): Promise<ScanAnswer> {
  const { request, asked } = visit
  const { access: _, ...open } = answer
  const { headers, address, visitor } = identifyVisitor(context, visit, access.qrCodeId)
  const { userAgent, hints } = headers
  const isThere = asked === 'scan' || open.contactFile !== undefined
  const guarded = { request, asked, isThere, visitor, address, userAgent, hints }
  return guard(context, access, guarded).then((decision) => {
    if (decision.kind !== 'open') return refusedAnswer(decision, open, visit)
    if (!decision.byPassword) return open
    return postedAnswer(open, isRepeated(context.posted, memoryKey(access, visitor)))
  })
}

function refusedAnswer(
  decision: Exclude<GuardDecision, { kind: 'open' }>,
  { recorded }: ScanAnswer,
  { request, asked }: Visit,
): ScanAnswer {
  switch (decision.kind) {
    case 'method':
      return inPlace(refuseMethod(request))
    case 'title':
      return inPlace(decision.reply, recorded)
    case 'closed': {
      const isCounted = decision.isCounted && asked === 'scan' && request.method === 'GET'
      return inPlace(decision.reply, isCounted && recorded ? { ...recorded, isClosed: true } : undefined)
    }
    default:
      return decision satisfies never
  }
}

function inPlace(reply: Reply, recorded?: ScanAnswer['recorded']): ScanAnswer {
  return { replacesContent: true, reply, ...(recorded !== undefined && { recorded }) }
}
