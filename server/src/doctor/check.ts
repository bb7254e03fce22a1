import type { Values } from '@everscan/contract/problems/problem.ts'
import type { DoctorContext } from './context.ts'

/** From fine to broken; `unknown` means that the check could not be made. */
export const states = ['ok', 'notice', 'warning', 'failed', 'unknown'] as const
export type State = (typeof states)[number]

/**
 * The result of a check: `says` is one sentence with figures. Unless the state is ok, `mend` names
 * the remedy: a command or a setting.
 */
export type Finding = { problems?: readonly NamedProblem[] } & (
  | { state: 'ok'; says: string }
  | { state: Exclude<State, 'ok'>; says: string; mend: string }
)

/** A problem of the installation, as `/readyz` names it. */
export type NamedProblem = { problem: string; values: Values }

/**
 * One check. `run` changes nothing, and throws `CannotTell` if something that it needs is missing.
 * At its deadline, `signal` fires and the result is unknown. `fix` does only what is safe whether
 * or not the service runs, and returns a text that says what it did.
 */
export type Check = {
  /** Stable: scripts identify checks by it. */
  name: string
  title: string
  run: (context: DoctorContext, signal: AbortSignal) => Promise<Finding> | Finding
  fix?: (context: DoctorContext) => Promise<string> | string
}

export type CheckGroup = { title: string; checks: readonly Check[] }

export function ok(says: string): Finding {
  return { state: 'ok', says }
}

/** Returns a finding that is worth knowing and needs no action. */
export function notice(says: string, mend: string): Finding {
  return { state: 'notice', says, mend }
}

/** Returns a finding of something that works now but should be changed. */
export function warning(says: string, mend: string): Finding {
  return { state: 'warning', says, mend }
}

/** Returns a finding of something that does not work, or loses data. */
export function failed(says: string, mend: string): Finding {
  return { state: 'failed', says, mend }
}

/** Names the problems that a finding tells, for programs. */
export function naming(finding: Finding, ...found: readonly (NamedProblem | undefined)[]): Finding {
  const problems = found
    .filter((one) => one !== undefined)
    .map(({ problem, values }) => ({ problem, values }))
  return problems.length === 0 ? finding : { ...finding, problems }
}

export function unknown(says: string, mend: string): Finding {
  return { state: 'unknown', says, mend }
}
