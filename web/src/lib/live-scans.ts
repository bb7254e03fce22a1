import type { Scan } from '@everscan/client/create-client.ts'
import { useEffect, useState } from 'react'
import { analyticsKey, type AnalyticsScope } from './analytics.ts'
import { api, queries } from './api.ts'

/** `polling`: the stream cannot be had now, and figures are read again and again instead. `paused`: nobody looks. */
export type LiveState = 'connecting' | 'open' | 'polling' | 'paused'

const scansKept = 6
/** However many scans come, the page is drawn and the figures are read no more often than this. */
const drawnEveryMs = 300
const readEveryMs = 2_000
/** Without a stream after so long, and then as often. */
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
        readAgain(scope)
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

function readAgain(scope: AnalyticsScope): void {
  void queries.invalidateQueries({ queryKey: analyticsKey(scope) }, { cancelRefetch: false })
}

type Listener = { onScans: (scans: readonly Scan[]) => void; onState: (state: LiveState) => void }

/** Follows the stream until the function that it gives is called. */
function follow(scope: AnalyticsScope, { onScans, onState }: Listener): () => void {
  const ending = new AbortController()
  let stopPolling = waitForStream(scope, onState)
  let arrived: Scan[] = []
  let hasUnread = false
  let readAtMs = 0
  const drawing = setInterval(() => {
    if (arrived.length > 0) {
      onScans(arrived.slice(-scansKept))
      arrived = []
      hasUnread = true
    }
    if (!hasUnread || Date.now() - readAtMs < readEveryMs) return
    readAtMs = Date.now()
    hasUnread = false
    readAgain(scope)
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
  // One that is refused for good is not asked for again: polling goes on.
  read().catch(() => undefined)
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
    polling = setInterval(() => readAgain(scope), pollMs)
  }, patienceMs)
  return () => {
    clearTimeout(patience)
    clearInterval(polling)
  }
}
