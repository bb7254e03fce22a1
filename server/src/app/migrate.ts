import { setTimeout as sleep } from 'node:timers/promises'
import { migrateScanStore, refuseUnusable } from '../analytics/store/migrations.ts'
import { MissingStoreError } from '../analytics/store/store-identity.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Child } from '../processes/child.ts'

/** What `/readyz` says while the store cannot be used: a sentence for the operator. */
export type ScanStoreState = { refusal: string | undefined }

type Options = {
  child: Pick<Child, 'ready' | 'allReports' | 'progress'>
  state: ScanStoreState
  log: Log
  signal: AbortSignal
  /** Before anything is written: throws a `FatalError` for a store that is not this installation's. */
  meet: () => Promise<void>
}

const waitMsMax = 2_000
/** The embedded store takes a second to come up: until then nothing needs a line. */
const quietMs = 5_000
const repeatMs = 60_000
/** A store that is refused this soon stops the start. */
const startMs = 15_000

/**
 * Brings the scan store up to date once it is up, which may be later than the worker: scans wait in the journal. A store that this
 * release must not use stops the start, with its sentence. Later, or after a first start that went well, redirects are being
 * answered: they go on, and the store is a part that is down.
 */
export async function prepareScanStore(
  store: ScanStore,
  { child, state, log, signal, meet }: Options,
): Promise<void> {
  let said = { what: '', atMs: -repeatMs }
  const say = (what: string, write: () => void): void => {
    const nowMs = performance.now()
    if (what === said.what && nowMs - said.atMs < repeatMs) return
    said = { what, atMs: nowMs }
    write()
  }
  for (let waitMs = 50; !signal.aborted; waitMs = Math.min(waitMs * 2, waitMsMax)) {
    child.progress()
    try {
      await refuseUnusable(store)
      await meet()
      await migrateScanStore(store)
      state.refusal = undefined
      return
    } catch (error) {
      const what = errorMessage(error)
      if (error instanceof FatalError) {
        if (!(error instanceof MissingStoreError) && (await isStarting(child))) throw error
        state.refusal = what
        // Its report is what tells of the refusal.
        child.ready()
        say(what, () => log.error(`${what}; redirects go on, scans wait in the journal`))
      } else if (performance.now() > quietMs) {
        state.refusal = undefined
        say(what, () =>
          log.warn({ error: what }, 'waiting for the scan store; scans are safe in the journal'),
        )
      }
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** This process began a moment ago, and the service has not been up. `main` answers from the moment that it starts others. */
async function isStarting(child: Options['child']): Promise<boolean> {
  if (performance.now() > startMs) return false
  return await child.allReports().then(
    ({ started }) => !started,
    () => false,
  )
}
