import type { Installation } from '@everscan/contract/resources/installation.ts'

type Told = Pick<Installation, 'problems' | 'copies' | 'machines' | 'upgrade'>

/**
 * Returns the problems of this machine that no other card of the page tells. A card tells only some
 * of its part: that BACKUP_DIR is missing is known to the machine alone.
 */
export function problemsToShow({ problems, copies, machines, upgrade }: Told): Installation['problems'] {
  const told = [
    ...copies.problemDetails,
    ...(upgrade?.problemDetails ?? []),
    ...machines.flatMap(({ problemDetails }) => problemDetails),
  ].map(({ problem }) => problem)
  const elsewhere = new Set<string>(['hitsLost', ...told])
  return problems.filter(({ severity, problem }) => severity !== 'notice' && !elsewhere.has(problem))
}
