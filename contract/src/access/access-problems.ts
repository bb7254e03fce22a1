import { destinationProblem } from '../code-types/destinations.ts'
import { problem } from '../problems/local-problem.ts'
import type { FieldProblem, Problem } from '../problems/problem.ts'
import type { AccessInput, StoredAccess } from './access.ts'

/**
 * Returns the problems of access that matches its schema. `merged` is the access that a code would
 * then have. `leadsBack` returns whether an address leads to this service.
 */
export function accessProblems(
  { startsAt, endsAt, closed }: AccessInput,
  merged: StoredAccess | null,
  { leadsBack, path = 'access' }: { leadsBack: (url: string) => Problem | undefined; path?: string },
): FieldProblem[] {
  const problems: FieldProblem[] = []
  for (const [name, text] of Object.entries({ startsAt, endsAt }))
    if (typeof text === 'string' && Number.isNaN(Date.parse(text)))
      problems.push({ path: `${path}.${name}`, ...problem('noSuchTime', { got: text }) })
  if (closed != null) problems.push(...closedProblems(closed, `${path}.closed`, leadsBack))
  if (problems.length > 0) return problems
  const changesTimes = startsAt !== undefined || endsAt !== undefined
  if (changesTimes && merged?.startsAt !== undefined && merged.endsAt !== undefined)
    if (Date.parse(merged.startsAt) >= Date.parse(merged.endsAt))
      problems.push({
        path: `${path}.endsAt`,
        ...problem('endsBeforeItStarts', { startsAt: merged.startsAt, endsAt: merged.endsAt }),
      })
  return problems
}

function closedProblems(
  { url, message }: NonNullable<AccessInput['closed']>,
  path: string,
  leadsBack: (url: string) => Problem | undefined,
): FieldProblem[] {
  if ((url === undefined) === (message === undefined)) return [{ path, ...problem('closedUrlOrMessage') }]
  if (message !== undefined)
    return message.trim() === '' ? [{ path: `${path}.message`, ...problem('blank') }] : []
  const found = destinationProblem(url ?? '') ?? leadsBack(url ?? '')
  return found === undefined ? [] : [{ path: `${path}.url`, ...found }]
}
