import { problem, type Problem, type ProblemName, type Values } from '@everscan/contract/problems/problem.ts'
import type { Severity } from '@everscan/contract/resources/installation.ts'
import type { Facts, PartKind } from './facts.ts'
import { problemTable, type KnownProblem } from './problem-table.ts'

/**
 * A part of the service as one process sees it, shown by `/readyz`. `detail` tells its problem, or
 * how it is.
 */
export type Part = { name: string; ok: boolean; detail?: string; problem?: string; values?: Values }

/** A problem of a part, told by its name. */
export type PresentProblem = { part: string; severity: Severity } & Omit<Problem, 'problem'> & {
    problem: string
  }

/** Returns the problem that facts of a part show; undefined if they show none. */
export function findProblem<Kind extends PartKind>(kind: Kind, facts: Facts[Kind]): Problem | undefined {
  for (const { name, find } of problemTable[kind]) {
    const values = find(facts)
    if (values !== undefined) return problem(name as never, values as never)
  }
  return undefined
}

/** Returns a part with the problem that its facts show. `note` says how it is without one. */
export function judgePart<Kind extends PartKind>(
  kind: Kind,
  facts: Facts[Kind],
  { name = kind, note }: { name?: string; note?: string | undefined } = {},
): Part {
  const found = findProblem(kind, facts)
  if (found === undefined) return { name, ok: true, ...(note !== undefined && { detail: note }) }
  return partWith(name, found)
}

/** Returns a part that has a problem. */
export function partWith(name: string, { problem: named, values, message: detail }: Problem): Part {
  return { name, ok: knownProblem(named)?.severity === 'notice', detail, problem: named, values }
}

/** Returns the problem of a part, as a sentence of its own; null without one. */
export function problemOf(part: Part | undefined): Problem | null {
  if (part?.problem === undefined) return null
  const { name, problem: named, values = {}, detail = '' } = part
  return { problem: named as ProblemName, values, message: `${name}: ${detail}` }
}

const known = new Map<string, KnownProblem>(
  Object.values(problemTable)
    .flat()
    .map((entry) => [entry.name, entry as unknown as KnownProblem]),
)

/** Returns what is known of a problem; undefined for one of another release. */
export function knownProblem(name: string): KnownProblem | undefined {
  return known.get(name)
}

/** All names of the table. */
export const knownNames: readonly ProblemName[] = [...known.values()].map(({ name }) => name)

/** Returns the problems of parts as `/readyz` shows them. */
export function presentProblems(parts: Readonly<Record<string, Omit<Part, 'name'>>>): PresentProblem[] {
  return Object.entries(parts).flatMap(([part, { ok, detail = '', problem: named, values = {} }]) => {
    if (named === undefined) return []
    const severity = knownProblem(named)?.severity ?? (ok ? 'notice' : 'failing')
    return [{ part, severity, problem: named, values, message: detail }]
  })
}
