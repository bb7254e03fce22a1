import type { Scan } from '@everscan/client/create-client.ts'
import type { Query } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { analyticsKey, type AnalyticsScope } from './analytics.ts'
import { api, queries } from '../session/api.ts'

/**
 * `polling`: the stream is unavailable now, and the figures are read repeatedly instead. `paused`:
 * the page is hidden.
 */
export type LiveState = 'connecting' | 'open' | 'polling' | 'paused'

const scansKept = 6
/**
 * Minimum times between redraws of the page and between reads of the figures, however many scans
 * arrive.
 */
const drawnEveryMs = 300
const readEveryMs = 2_000
/** Back off when analytics is slow: wait this many times the duration of the last request. */
const refreshBackoffFactor = 4
/** After `patienceMs` without a stream, the figures are read every `pollMs`. */
const patienceMs = 3_000
const pollMs = 5_000

/**
 * Returns the last scans as they arrive, newest first. New scans also cause a new read of the
 * figures.
 */
export function useLiveScans({ orgId, codeId }: AnalyticsScope): {
  scans: readonly Scan[]
  state: LiveState
} {
  const [scans, setScans] = useState<readonly Scan[]>([])
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    const scope = { orgId, ...(codeId !== undefined && { codeId }) }
    const listener: Listener = {
      onScans: (arrived) => setScans((known) => [...arrived.toReversed(), ...known].slice(0, scansKept)),
      onState: setState,
    }
    let end: (() => void) | undefined
    const pauseOrGoOn = (): void => {
      end?.()
      end = undefined
      if (document.hidden) setState('paused')
      else {
        // Scans that arrived while the page was hidden were not followed.
        void readAgain(scope)
        setState('connecting')
        end = follow(scope, listener)
      }
    }
    if (document.hidden) setState('paused')
    else end = follow(scope, listener)
    document.addEventListener('visibilitychange', pauseOrGoOn)
    return () => {
      document.removeEventListener('visibilitychange', pauseOrGoOn)
      end?.()
      setScans([])
    }
  }, [orgId, codeId])
  return { scans, state }
}

/** Returns whether new scans can change a query. The days before get no new scans. */
const canHaveChanged = ({ queryKey }: Pick<Query, 'queryKey'>) => !queryKey.includes('before')

async function readAgain(scope: AnalyticsScope): Promise<void> {
  // A read in progress may have begun before the scan was stored, so it starts again.
  await queries.invalidateQueries({ queryKey: analyticsKey(scope), predicate: canHaveChanged })
}

type Listener = { onScans: (scans: readonly Scan[]) => void; onState: (state: LiveState) => void }

/** Follows the stream until the returned function is called. */
function follow(scope: AnalyticsScope, { onScans, onState }: Listener): () => void {
  const ending = new AbortController()
  let stopPolling = waitForStream(scope, onState)
  let arrived: Scan[] = []
  let hasUnread = false
  let nextReadAtMs = 0
  const drawing = setInterval(() => {
    if (arrived.length > 0) {
      onScans(arrived.slice(-scansKept))
      arrived = []
      hasUnread = true
    }
    const fromMs = Date.now()
    if (!hasUnread || fromMs < nextReadAtMs) return
    nextReadAtMs = Infinity
    hasUnread = false
    void readAgain(scope).finally(() => {
      nextReadAtMs = Math.max(fromMs + readEveryMs, Date.now() + refreshBackoffFactor * (Date.now() - fromMs))
    })
  }, drawnEveryMs)

  const { orgId, codeId } = scope
  const query = { event: ['qr.scanned' as const], ...(codeId !== undefined && { qrCodeId: [codeId] }) }
  const onConnection = (connection: 'open' | 'lost'): void => {
    stopPolling()
    if (connection === 'open') onState('open')
    else stopPolling = waitForStream(scope, onState)
  }
  const read = async (): Promise<void> => {
    for await (const { data } of api.events.stream(orgId, query, { signal: ending.signal, onConnection }))
      arrived.push(data as Scan)
  }
  // A stream that is refused for good is not requested again. Polling then continues alone.
  read().catch(() => {
    if (!ending.signal.aborted) onConnection('lost')
  })
  return () => {
    ending.abort()
    stopPolling()
    clearInterval(drawing)
  }
}

/** Polls if there is no stream after a while, until the returned function is called. */
function waitForStream(scope: AnalyticsScope, onState: Listener['onState']): () => void {
  let polling: ReturnType<typeof setInterval> | undefined
  const patience = setTimeout(() => {
    onState('polling')
    polling = setInterval(() => {
      if (queries.isFetching({ queryKey: analyticsKey(scope) }) === 0) void readAgain(scope)
    }, pollMs)
  }, patienceMs)
  return () => {
    clearTimeout(patience)
    clearInterval(polling)
  }
}
