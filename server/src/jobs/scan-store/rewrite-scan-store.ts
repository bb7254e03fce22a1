import { setTimeout as sleep } from 'node:timers/promises'
import { readRewrite, rewriteStore } from '../../analytics/store/rewrites.ts'
import type { RewriteState } from '../../analytics/scan-store.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { findProblem, judgePart, type Part } from '../../problems/parts.ts'
import type { OwnMetrics } from '../../processes/metrics.ts'

/** The rewrite of old rows in the background, as the worker reports it. */
export type Rewrite = {
  /** The part `scanStoreUpgrade`, while rows are left. */
  parts: () => Part[]
  /** Resolves when nothing is left, or at the end of the worker. */
  ended: Promise<void>
}

type Options = {
  /** Whether ingest has compared the store: what it deletes then waits for no rewrite. */
  isCompared: () => boolean
  /** Runs the work if no other machine of the installation does it. */
  takeTurn: (run: () => Promise<void>) => Promise<void>
  metrics: OwnMetrics
  log: Log
  signal: AbortSignal
}

/** How often a machine looks whether the one that has the turn is gone. */
export const turnMs = 5_000
const waitMs = 500
const logMs = 60_000

/**
 * Gives old rows what this release derives from rows, without a deadline: one machine orders, the
 * others watch. It never throws: a store that is away is asked again.
 */
export function startRewrite(store: ClickHouse, options: Options): Rewrite {
  let state: RewriteState | undefined
  addRewriteMetrics(options.metrics, () => state)
  const ended = run(store, options, (read) => (state = read))
  return { parts: () => rewriteParts(state), ended }
}

async function run(
  store: ClickHouse,
  { isCompared, takeTurn, log, signal }: Options,
  keep: (state: RewriteState) => void,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined)
  while (!signal.aborted && !isCompared()) await pause(waitMs)
  const tell = createTeller(log)
  const onState = (state: RewriteState): void => {
    keep(state)
    tell(state)
  }
  const done = new AbortController()
  while (!signal.aborted && !done.signal.aborted) {
    try {
      await takeTurn(async () => {
        await rewriteStore(store, { signal, onState })
        done.abort()
      })
      if (!done.signal.aborted) onState(await readRewrite(store))
    } catch (error) {
      log.debug({ error: errorMessage(error) }, 'the rewrite of old rows waits')
    }
    if (!done.signal.aborted) await pause(turnMs)
  }
}

/** Logs the begin, the end, each minute, and each new problem. */
function createTeller(log: Log): (state: RewriteState) => void {
  let logged: { atMs: number; problem: string } | undefined
  return (state) => {
    const { rows, rowsLeft, problem } = state
    if (rowsLeft === 0) {
      if (logged !== undefined) log.info({ rows }, 'the scan store is upgraded, old rows included')
      logged = undefined
      return
    }
    const nowMs = performance.now()
    if (logged !== undefined && nowMs - logged.atMs < logMs && logged.problem === problem) return
    logged = { atMs: nowMs, problem }
    const facts = { rows, rowsLeft, ...(problem !== '' && { problem }) }
    const told = findProblem('scanStoreUpgrade', { ...state, nowMs: Date.now() })
    if (problem === '') log.info(facts, `the scan store ${told?.message}`)
    else log.warn(facts, 'the scan store cannot go on with its upgrade')
  }
}

function rewriteParts(state: RewriteState | undefined): Part[] {
  if (state === undefined || state.rowsLeft === 0) return []
  return [judgePart('scanStoreUpgrade', { ...state, nowMs: Date.now() })]
}

/** `read` returns undefined while nothing is known, or if there is nothing to rewrite. */
export function addRewriteMetrics(metrics: OwnMetrics, read: () => RewriteState | undefined): void {
  metrics.labelled({
    scan_store_rewrite_rows: [
      'Rows of the scan store, by whether an upgrade still has to rewrite them',
      () => {
        const { rows, rowsLeft } = read() ?? {}
        return [
          [{ state: 'done' }, rows === undefined || rowsLeft === undefined ? undefined : rows - rowsLeft],
          [{ state: 'left' }, rowsLeft],
        ]
      },
    ],
    scan_store_rewrite_seconds_left: [
      'Estimate of the time until old rows are rewritten; absent without one',
      () => {
        const endsAtMs = read()?.endsAtMs
        return [[{}, endsAtMs === undefined ? undefined : Math.max(0, (endsAtMs - Date.now()) / 1000)]]
      },
    ],
  })
}
