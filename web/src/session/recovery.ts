import type { EverscanError, FailedCall, User } from '@everscan/client/create-client.ts'
import { signInAgain } from './ended-session.ts'
import { probe, whenReached } from './reachability.ts'

let waitingChanges = 0
const listeners = new Set<() => void>()

/** Returns how many changes wait until the service answers. */
export const readWaitingChanges = () => waitingChanges

/** Calls `listener` at every change. Returns a function that ends that. */
export function watchWaitingChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Resolves when a failed call should be sent again: after the user signed in again, or when the
 * service answers again. Rejects with the failure if neither helps.
 */
export async function recover(
  { method, path, idempotent, error }: FailedCall,
  user: User | undefined,
): Promise<void> {
  // These begin sessions, and their forms show the failure.
  if (path.startsWith('/auth/')) throw error
  const isChange = method !== 'GET'
  if (error.code === 'UNAUTHORIZED') return signInAgain(user, { isChange })
  if (!isLoss(error) || (await probe()) === 'reached') throw error
  // The outcome is unknown. A PUT may be sent twice: it names the version that it changes, or sets
  // the same again. Anything else is left to the user.
  if (!idempotent && method !== 'PUT') throw error
  countWaiting(isChange ? 1 : 0)
  await whenReached()
  countWaiting(isChange ? -1 : 0)
}

const isLoss = ({ status }: EverscanError) =>
  status === 0 || status === 502 || status === 503 || status === 504

function countWaiting(more: number): void {
  waitingChanges += more
  for (const listener of listeners) listener()
}
