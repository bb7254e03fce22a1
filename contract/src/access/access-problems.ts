import { destinationProblem } from '../code-types/destinations.ts'
import type { Problem } from '../schema/problems.ts'
import type { AccessInput, StoredAccess } from './access.ts'

/**
 * Returns the problems of access that matches its schema. `merged` is the access that a code would
 * then have. `leadsBack` returns whether an address leads to this service.
 */
export function accessProblems(
  { startsAt, endsAt, closed }: AccessInput,
  merged: StoredAccess | null,
  { leadsBack, path = 'access' }: { leadsBack: (url: string) => string | undefined; path?: string },
): Problem[] {
  const problems: Problem[] = []
  for (const [name, text] of Object.entries({ startsAt, endsAt }))
    if (typeof text === 'string' && Number.isNaN(Date.parse(text)))
      problems.push({ path: `${path}.${name}`, message: `must be a time that exists, got "${text}"` })
  if (closed != null) problems.push(...closedProblems(closed, `${path}.closed`, leadsBack))
  if (problems.length > 0) return problems
  const changesTimes = startsAt !== undefined || endsAt !== undefined
  if (changesTimes && merged?.startsAt !== undefined && merged.endsAt !== undefined)
    if (Date.parse(merged.startsAt) >= Date.parse(merged.endsAt))
      problems.push({
        path: `${path}.endsAt`,
        message: `must be later than startsAt, ${merged.startsAt}, got ${merged.endsAt}`,
      })
  return problems
}

function closedProblems(
  { url, message }: NonNullable<AccessInput['closed']>,
  path: string,
  leadsBack: (url: string) => string | undefined,
): Problem[] {
  if ((url === undefined) === (message === undefined))
    return [{ path, message: 'must have either url or message' }]
  if (message !== undefined)
    return message.trim() === '' ? [{ path: `${path}.message`, message: 'must not be blank' }] : []
  const problem = destinationProblem(url ?? '') ?? leadsBack(url ?? '')
  return problem === undefined ? [] : [{ path: `${path}.url`, message: problem }]
}
