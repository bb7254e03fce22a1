import { networkOf } from '../../address-networks.ts'
import type { LoadedSources } from '../../visitors/visitor-sources.ts'
import type { RuledAnswer, ScanAnswer } from '../scan-answer.ts'
import type { ScanContext } from '../scan-context.ts'
import type { Visit } from '../visit.ts'
import { identifyVisitor, memoryKey } from '../visitors/identified-visitor.ts'
import { queryOf, ScanFacts } from '../visitors/scan-facts.ts'
import { passQuery } from './passed-query.ts'

/**
 * Returns the answer that the rules of a code choose for a visitor, with the query of the scan if
 * it reaches the destination. Waits if a source that the rules ask is not loaded yet.
 */
export function choose(
  context: ScanContext,
  answer: ScanAnswer,
  visit: Visit,
): ScanAnswer | Promise<ScanAnswer> {
  const { ruled } = answer
  if (ruled === undefined) return answer
  const { sources } = context
  const loading =
    ruled.sources.length === 0
      ? undefined
      : sources.require(ruled.sources, networkFor(context, answer, visit))
  if (loading === undefined) return chosenAnswer(context, { answer, ruled, loaded: sources.loaded }, visit)
  return loading.then((loaded) => chosenAnswer(context, { answer, ruled, loaded }, visit))
}

/** The answer of a code with rules, and the sources that are loaded. */
type Choice = { answer: ScanAnswer; ruled: RuledAnswer; loaded: LoadedSources }

function chosenAnswer(context: ScanContext, choice: Choice, visit: Visit): ScanAnswer {
  const { answer, ruled } = choice
  const chosen = ruled.hasRules ? chooseByRules(context, choice, visit) : answer
  const query = ruled.passesQuery ? queryOf(visit.request) : ''
  return query === '' ? chosen : passQuery(chosen, query)
}

/** The one step of a scan that depends on facts of the visitor. */
function chooseByRules(context: ScanContext, { answer, ruled, loaded }: Choice, visit: Visit): ScanAnswer {
  const { visits } = context
  const { request, asked } = visit
  const { organizationId, qrCodeId } = answer.recorded ?? { organizationId: '', qrCodeId: '' }
  const { headers, address, visitor } = identifyVisitor(context, visit, qrCodeId)
  const { userAgent, app, hints } = headers
  const visitKey = memoryKey({ organizationId }, visitor)
  const parts = { request, address, userAgent, app, hints, visitor, visitKey, timeMs: Date.now() }
  const chosen = ruled.choose(new ScanFacts(parts, loaded, visits))
  if (ruled.asksVisit && asked === 'scan' && request.method === 'GET') visits.set(visitKey, true)
  return chosen
}

function networkFor(context: ScanContext, { recorded }: ScanAnswer, visit: Visit): string {
  return networkOf(identifyVisitor(context, visit, recorded?.qrCodeId ?? '').address)
}
