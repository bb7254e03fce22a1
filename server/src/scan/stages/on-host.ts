import type { HostRow } from '../../db/scans/host-lookup.ts'
import { goneAnswer } from '../answer.ts'
import { redirectReply } from '../content-answer.ts'
import type { ScanAnswer } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import type { Visit } from '../visit.ts'

/**
 * Returns the answer of a code on a host. A domain may lead elsewhere instead of to our pages. It
 * answers only for organizations that have proved it, and for a former owner until the end of a
 * notice.
 */
export function onHost(
  context: Pick<ScanContext, 'siteHeaders'>,
  found: ScanAnswer,
  { host }: Visit,
): ScanAnswer {
  if (host === undefined) return found
  const answer = found.owner === undefined || answersFor(found.owner, host) ? found : goneAnswer
  const leadsTo = answer.isUnknown === true ? host.notFoundUrl : answer.isGone === true ? host.goneUrl : null
  const reply = leadsTo === null ? undefined : redirectReply(leadsTo, context)
  return reply === undefined ? answer : { replacesContent: true, reply }
}

function answersFor(owner: string, { owners, ends }: HostRow): boolean {
  return owners.has(owner) && (ends.size === 0 || Date.now() < (ends.get(owner) ?? Infinity))
}
