import type { DoctorContext } from './context.ts'

/** From what needs nothing to what does not work; `unknown`: it could not be found out. */
export const states = ['ok', 'notice', 'warning', 'failed', 'unknown'] as const
export type State = (typeof states)[number]

/** What a check found, in one sentence with figures; whatever is not ok says what mends it: a command, a setting. */
export type Finding =
  | { state: 'ok'; says: string }
  | { state: Exclude<State, 'ok'>; says: string; mend: string }

/**
 * One thing that is looked at. `run` changes nothing and throws `CannotTell` where something is missing that it needs; it is given up at
 * its deadline, when `signal` fires. `fix` does what is safe while the service runs and while it does not, and says what it did.
 */
export type Check = {
  /** Stable: scripts tell checks by it. */
  name: string
  title: string
  run: (context: DoctorContext, signal: AbortSignal) => Promise<Finding> | Finding
  fix?: (context: DoctorContext) => Promise<string> | string
}

export type CheckGroup = { title: string; checks: readonly Check[] }

export function ok(says: string): Finding {
  return { state: 'ok', says }
}

/** Worth knowing; nothing has to be done. */
export function notice(says: string, mend: string): Finding {
  return { state: 'notice', says, mend }
}

/** Works now, and should be changed. */
export function warning(says: string, mend: string): Finding {
  return { state: 'warning', says, mend }
}

/** Does not work, or loses data. */
export function failed(says: string, mend: string): Finding {
  return { state: 'failed', says, mend }
}

export function unknown(says: string, mend: string): Finding {
  return { state: 'unknown', says, mend }
}
