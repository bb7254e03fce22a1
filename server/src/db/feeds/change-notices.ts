import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { postgresUrl } from '../dialects/postgres.ts'

/** The channel on which a transaction that records changes notifies other processes. */
export const changesChannel = 'everscan_changes'

/** The types omit these. */
type Listener = Client & { processID: number | null; unref: () => void }

const againMs = 1_000
const connectMsMax = 3_000

/**
 * Calls back when PostgreSQL tells that changes were committed, by any machine, until the returned
 * function is called. It needs a connection of its own, and is only a hint: without the connection,
 * or through a pooler, which cannot pass notices on, the caller finds changes when it polls.
 */
export function followChanges(url: string, onChange: () => void): () => Promise<void> {
  const stopping = new AbortController()
  const running = follow(url, onChange, stopping.signal)
  return async () => {
    stopping.abort()
    await running
  }
}

async function follow(url: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const isDirect = await listen(url, onChange, signal).catch(() => true)
    if (!isDirect) return
    await sleep(againMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

/** Listens until the connection ends. Returns false if a pooler is in between. */
async function listen(url: string, onChange: () => void, signal: AbortSignal): Promise<boolean> {
  const client = new Client({
    connectionString: postgresUrl(url),
    application_name: 'everscan notices',
    connectionTimeoutMillis: connectMsMax,
    keepAlive: true,
  })
  const ended = new Promise<void>((resolve) => {
    client.once('end', resolve)
    client.once('error', () => resolve())
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  try {
    await client.connect()
    // It must not keep a process alive that has nothing else to do.
    ;(client as Listener).unref()
    const { rows } = await client.query<{ pid: number }>('/* db.notices */ select pg_backend_pid() as pid')
    // A pooler gives each client a process number of its own: see postgres.ts.
    if (rows[0]?.pid !== (client as Listener).processID) return false
    client.on('notification', onChange)
    await client.query(`listen ${changesChannel}`)
    // Changes since the last poll have no notice here.
    onChange()
    await ended
    return true
  } finally {
    void client.end().catch(() => undefined)
  }
}
