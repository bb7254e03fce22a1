import type { Scan } from '@everscan/client/create-client.ts'
import type { Query } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { analyticsKey, type AnalyticsScope } from './analytics.ts'
import { api, queries } from '../session/api.ts'

/** `polling`: the stream cannot be had now, and figures are read again and again instead. `paused`: nobody looks. */
export type LiveState = 'connecting' | 'open' | 'polling' | 'paused'

const scansKept = 6
/** However many scans come, the page is drawn and the figures are read no more often than this. */
const drawnEveryMs = 300
const readEveryMs = 2_000
/** Back off when analytics is slow: wait this many times the duration of the last request. */
const refreshBackoffFactor = 4
/** Without a stream for so long, figures are read every so often. */
const patienceMs = 3_000
const pollMs = 5_000

/** The last scans as they arrive, newest first; each also has the figures read again. */
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
        // What came meanwhile was not followed.
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

/** Not of the days before, in which no scan arrives. */
const canHaveChanged = ({ queryKey }: Pick<Query, 'queryKey'>) => !queryKey.includes('before')

async function readAgain(scope: AnalyticsScope): Promise<void> {
  // What is being read now may have begun before the scan was there: it is read anew.
  await queries.invalidateQueries({ queryKey: analyticsKey(scope), predicate: canHaveChanged })
}

type Listener = { onScans: (scans: readonly Scan[]) => void; onState: (state: LiveState) => void }

/** Follows the stream until the function that it gives is called. */
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
  // One that is refused for good is not asked for again: then it is polling alone.
  read().catch(() => {
    if (!ending.signal.aborted) onConnection('lost')
  })
  return () => {
    ending.abort()
    stopPolling()
    clearInterval(drawing)
  }
}

/** Polls when there is no stream after a while, until the function that it gives is called. */
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
