import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { MissingStoreError } from '../../analytics/store/store-identity.ts'
import { errorMessage, FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Child } from '../../processes/child.ts'

/** Why the store cannot be used yet, as `/readyz` tells the operator. */
export type ScanStoreState = { told: Problem | undefined }

/**
 * Makes the scan store ready for scans; `onUpgrade` is called before an upgrade begins. Throws a
 * `FatalError` for a store that this release must not use.
 */
export type PrepareStore = (onUpgrade: () => void) => Promise<void>

type Options = {
  child: Pick<Child, 'ready' | 'allReports' | 'progress'>
  state: ScanStoreState
  log: Log
  signal: AbortSignal
}

const waitMsMax = 2_000
/** No log lines in this time: the engine takes a second to start. */
const quietMs = 5_000
const repeatMs = 60_000
/** A refusal of the store within this time stops the start. */
const startMs = 15_000
/**
 * After this time the start is complete without the store: redirects work, so no balancer may wait
 * for it. Clients expect figures once the service is ready, so a busy machine gets some time.
 */
const readyMs = 30_000
const progressMs = 10_000

/**
 * Prepares the scan store once it is up, which may be later than the worker; scans wait in the
 * journal. A store that this release must not use stops the start with a sentence. Later, or after
 * a successful first start, redirects go on, and the store is a part that is down.
 */
export async function prepareScanStore(
  prepare: PrepareStore,
  { child, state, log, signal }: Options,
): Promise<void> {
  let logged = { what: '', atMs: -repeatMs }
  const logOnce = (what: string, write: () => void): void => {
    const nowMs = performance.now()
    if (what === logged.what && nowMs - logged.atMs < repeatMs) return
    logged = { what, atMs: nowMs }
    write()
  }
  // A statement may wait for others in the store, which is no sign of a start that hangs.
  const progress = setInterval(child.progress, progressMs)
  const readying = setTimeout(() => child.ready(), Math.max(0, readyMs - performance.now()))
  const end = (): void => {
    clearInterval(progress)
    clearTimeout(readying)
  }
  for (let waitMs = 50; !signal.aborted; waitMs = Math.min(waitMs * 2, waitMsMax)) {
    child.progress()
    try {
      await prepare(() => (state.told = problem('scanStoreUpgrading')))
      state.told = undefined
      return end()
    } catch (error) {
      const what = errorMessage(error)
      if (error instanceof FatalError) {
        if (!(error instanceof MissingStoreError) && (await isStarting(child))) {
          end()
          throw error
        }
        state.told = error.found ?? problem('scanStoreRefused')
        // The report of a ready process shows the refusal.
        child.ready()
        logOnce(what, () => log.error(`${what}; redirects go on, scans wait in the journal`))
      } else if (performance.now() > quietMs) {
        state.told = undefined
        logOnce(what, () =>
          log.warn({ error: what }, 'waiting for the scan store; scans are safe in the journal'),
        )
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  end()
}

/**
 * Whether this process began a moment ago and the service was not up yet. `main` answers as soon as
 * it starts other processes.
 */
async function isStarting(child: Options['child']): Promise<boolean> {
  if (performance.now() > startMs) return false
  return await child.allReports().then(
    ({ started }) => !started,
    () => false,
  )
}
