import { secondFactorOffer, type SecondFactorOffer } from './second-factor-offer.ts'

/** A request of the user that waits for a second factor. */
export type PendingConfirmation = {
  offer: SecondFactorOffer
  onConfirmed: () => void
  onCancel: () => void
}

type Calls = Readonly<Record<string, (...inputs: never[]) => Promise<unknown>>>

let pending: PendingConfirmation | undefined
/** Settles with `pending`. Requests that are refused in the meantime wait for the same. */
let confirmed: Promise<void> | undefined
const listeners = new Set<() => void>()

export const readPendingConfirmation = () => pending

/** Calls `listener` at every change. Returns a function that ends that. */
export function watchPendingConfirmation(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    // Nobody is left to ask the user.
    if (listeners.size === 0) pending?.onCancel()
  }
}

/**
 * Returns the same calls, for changes that require a confirmed session: they ask the user for a
 * second factor if the service refuses them without one, and are then repeated. They reject with
 * the refusal if the user cancels.
 */
export function confirming<Of extends Calls>(calls: Of): Of {
  const repeating = Object.entries(calls).map(([name, call]) => [
    name,
    async (...inputs: never[]) => {
      try {
        return await call(...inputs)
      } catch (error) {
        const offer = secondFactorOffer(error)
        if (offer === undefined || listeners.size === 0) throw error
        confirmed ??= askUser(offer, error)
        await confirmed
        return call(...inputs)
      }
    },
  ])
  return Object.fromEntries(repeating) as Of
}

async function askUser(offer: SecondFactorOffer, refusal: unknown): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      change({ offer, onConfirmed: resolve, onCancel: () => reject(refusal) })
    })
  } finally {
    confirmed = undefined
    change(undefined)
  }
}

function change(next: PendingConfirmation | undefined): void {
  pending = next
  for (const listener of listeners) listener()
}
