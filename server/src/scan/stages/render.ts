import type { IncomingMessage } from 'node:http'
import { sentNotice } from '../../files/sent-pages.ts'
import type { Reply, ScanAnswer } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import { readVisitor } from '../scan-visitor.ts'
import type { Visit } from '../visit.ts'

/** A reply as it is sent, and the hit that is recorded before, if any. */
export type RenderedAnswer = { recorded?: ScanAnswer['recorded'] | undefined; reply: Reply }

/**
 * Returns an answer with its reply to a visitor: the prepared one, a page in a language of the
 * visitor, or the contact as a file. Saving the contact is no scan, because the visitor was counted
 * with the page.
 */
export function render(
  _context: ScanContext,
  answer: ScanAnswer,
  { request, asked }: Visit,
): RenderedAnswer | Promise<RenderedAnswer> {
  if (asked === 'contact' && answer.replacesContent !== true) return { reply: contactReply(answer, request) }
  const { recorded, reply: prepared } = answer
  // Nearly every answer is prepared. To return it allocates nothing.
  if (typeof prepared !== 'function') return answer as RenderedAnswer
  const reply = prepared(readVisitor(request.headers))
  if (!(reply instanceof Promise)) return { recorded, reply }
  return reply.then((ready) => ({ recorded, reply: ready }))
}

function contactReply({ isGone, contactFile }: ScanAnswer, { headers }: IncomingMessage): Reply {
  if (contactFile !== undefined) return contactFile()
  // A code that is in use but has no contact is answered like an unknown one.
  return sentNotice(isGone ? 'gone' : 'unknown', readVisitor(headers).language)
}
