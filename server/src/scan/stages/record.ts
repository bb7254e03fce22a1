import { networkOf } from '../../address-networks.ts'
import type { Answer } from '../../journal/answers.ts'
import { scanHints } from '../../journal/raw-scan.ts'
import type { Reply } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import type { Visit } from '../visit.ts'
import { identifyVisitor } from '../visitors/identified-visitor.ts'
import type { RenderedAnswer } from './render.ts'
import { send } from './send.ts'

/** Records the hit, and has the reply sent once it is in the journal. */
export function record(context: ScanContext, { recorded, reply }: RenderedAnswer, visit: Visit): void {
  if (recorded === undefined || visit.request.method === 'HEAD') return send(context, visit, reply)
  const { qrCodeId, ids, isClosed } = recorded
  const { headers, address, visitor } = identifyVisitor(context, visit, qrCodeId)
  const { userAgent, referrerHost, language, app } = headers
  const hints = isClosed === true ? headers.hints | scanHints.closed : headers.hints
  const network = networkOf(address)
  // A journal that cannot write counts the scan, and the answer is sent nevertheless.
  context.journal.append(
    { timeMs: Date.now(), ids, visitor, network, userAgent, referrerHost, language, app, hints },
    new SentWhenRecorded(context, visit, reply),
  )
}

/**
 * A reply that is sent when its scan is recorded. An object instead of a closure saves one
 * allocation for each scan.
 */
class SentWhenRecorded implements Answer {
  readonly #context: ScanContext
  readonly #visit: Visit
  readonly #reply: Reply

  constructor(context: ScanContext, visit: Visit, reply: Reply) {
    this.#context = context
    this.#visit = visit
    this.#reply = reply
  }

  acknowledge(): void {
    send(this.#context, this.#visit, this.#reply)
  }
}
