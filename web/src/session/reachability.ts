/**
 * Whether this page reaches the service. `offline`: the device has no network. `unreached`: it has
 * one, but the service does not answer, for example while it restarts.
 */
export type Reach = 'reached' | 'offline' | 'unreached'

/** Public, and answered by the process that answers all other calls. */
const probePath = '/api/v1/auth/options'
const probeTimeoutMs = 10_000
const firstPauseMs = 1_000
const pauseMsMax = 10_000
/** Of a proxy or of our front, if nothing behind it answers. */
const absentStatuses: ReadonlySet<number> = new Set([502, 503, 504])

let reach: Reach = 'reached'
let probing: Promise<void> | undefined
let pauseMs = firstPauseMs
let next: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

export const readReach = () => reach

/** Calls `listener` at every change. Returns a function that ends that. */
export function watchReach(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Looks whether the service answers, until it does and the device has a network. */
export async function probe(): Promise<Reach> {
  probing ??= probeOnce().finally(() => (probing = undefined))
  await probing
  return reach
}

/** Resolves as soon as the service answers. */
export async function whenReached(): Promise<void> {
  if (reach === 'reached') return
  await new Promise<void>((resolve) => {
    const end = watchReach(() => {
      if (reach !== 'reached') return
      end()
      resolve()
    })
  })
}

/**
 * Loads a part of the dashboard, as soon as the service answers. Without this, a page in use would
 * fail because a part of it was not loaded yet.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  await whenReached()
  try {
    return await load()
  } catch (error) {
    if ((await probe()) === 'reached') throw error
    await whenReached()
    return load()
  }
}

/** Follows the network of the device. Without one, a service on this machine still answers. */
export function watchNetwork(): void {
  addEventListener('online', () => void probe())
  addEventListener('offline', () => void probe())
  if (!navigator.onLine) void probe()
}

async function probeOnce(): Promise<void> {
  clearTimeout(next)
  const answers = await fetch(probePath, {
    cache: 'no-store',
    signal: AbortSignal.timeout(probeTimeoutMs),
  }).then(
    ({ status }) => !absentStatuses.has(status),
    () => false,
  )
  // The last answers may still arrive when the device says that it has no network.
  if (answers && navigator.onLine) pauseMs = firstPauseMs
  else {
    next = setTimeout(() => void probe(), pauseMs)
    pauseMs = Math.min(pauseMs * 1.5, pauseMsMax)
  }
  show(answers ? 'reached' : navigator.onLine ? 'unreached' : 'offline')
}

function show(now: Reach): void {
  if (now === reach) return
  reach = now
  for (const listener of listeners) listener()
}
