import { sentNotice } from '../files/sent-pages.ts'
import type { ScanAnswer } from './scan-answer.ts'
import type { ScanContext } from './scan-context.ts'
import { readVisitor } from './scan-visitor.ts'
import { admit, refuseMethod } from './stages/admit.ts'
import { choose } from './stages/choose.ts'
import { onHost } from './stages/on-host.ts'
import { record } from './stages/record.ts'
import { render } from './stages/render.ts'
import { send } from './stages/send.ts'
import { inOrder } from './stages/stage.ts'
import type { Visit } from './visit.ts'

/**
 * The stages between the answer of a code and its reply, which `send` sends when `record` has
 * recorded the hit. Each takes what the one before gave, and none returns into an earlier one.
 */
const passStages = inOrder(onHost, admit, choose, render, record)

/**
 * Handles a GET or HEAD of a code: looks it up, records the hit, answers. This is the one path that
 * must never be slow.
 */
export function handleScan(context: ScanContext, code: string, visit: Visit): void {
  const { request } = visit
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return send(context, visit, refuseMethod(request))
  const found = context.resolver.resolve(code)
  if (!(found instanceof Promise)) return pass(context, found, visit)
  const sendLater = (): void =>
    send(context, visit, sentNotice('later', readVisitor(request.headers).language))
  found.then((late) => pass(context, late, visit), sendLater).catch(() => visit.response.destroy())
}

function pass(context: ScanContext, found: ScanAnswer, visit: Visit): void {
  const passing = isPlain(found, visit) ? passPlain(context, found, visit) : passStages(context, found, visit)
  if (passing instanceof Promise) passing.catch(() => visit.response.destroy())
}

/** Whether a request has nothing to do at `admit` and `choose`, as nearly every scan. */
function isPlain({ access, ruled }: ScanAnswer, { request, asked }: Visit): boolean {
  return access === undefined && ruled === undefined && asked === 'scan' && request.method !== 'POST'
}

/** The same stages without those two, called directly: it allocates nothing that others need. */
function passPlain(context: ScanContext, found: ScanAnswer, visit: Visit): void | Promise<void> {
  const rendered = render(context, onHost(context, found, visit), visit)
  if (!(rendered instanceof Promise)) return record(context, rendered, visit)
  return rendered.then((ready) => record(context, ready, visit))
}
