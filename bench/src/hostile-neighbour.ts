// A hostile tenant in a separate process: it attacks until it is told to end, and reports how often
// each attack was answered, by status. Status 0 is a request that got no answer.
import { randomBytes } from 'node:crypto'
import { Agent, get, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export type HostileOrder = { port: number; orgId: string; apiKey: string; logo: string }
export type HostileResult = Record<string, Record<string, number>>

/** Another network than that of the calm tenant. */
const localAddress = '127.9.9.9'
const idleConnections = 5_000
const streams = 1_100
const atOnce = 6
const counts: HostileResult = {}
const ending = new AbortController()
let made = 0

// Attackers have machines of their own. Here they take what the service leaves of the processors.
setPriority(constants.priority.PRIORITY_LOW)

process.on('message', (message: HostileOrder | 'end') => {
  if (message === 'end') {
    ending.abort()
    process.send?.(counts, () => process.exit(0))
  } else attack(message)
})

function attack({ port, orgId, apiKey, logo }: HostileOrder): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 200, localAddress })
  const call = (what: string, method: string, path: string, options: CallOptions = {}): Promise<void> =>
    send(what, { port, agent, method, path: `/api/v1${path}`, ...options })
  const key = { 'x-api-key': apiKey }
  /** A style that no reader can read, each another one. */
  const unreadable = () => ({
    foregroundColor: `#${(0x101010 + made++).toString(16)}`,
    errorCorrection: 'L',
    logo: { dataUri: logo, scale: 0.3, margin: 4 },
  })
  const code = () => ({
    type: 'URL',
    name: 'x',
    data: { url: 'https://example.com/' },
    style: unreadable(),
  })
  const collection = `/organizations/${orgId}/qr-codes`
  repeat(() => call('styles', 'POST', collection, { headers: { ...key, ...newKey() }, body: code() }))
  repeat(() => {
    const body = { qrCodes: Array.from({ length: 20 }, code) }
    const headers = { ...key, ...newKey() }
    return call('batches of styles, left after 1 s', 'POST', `${collection}/batch`, {
      headers,
      body,
      leaveMs: 1_000,
    })
  })
  repeat(() => {
    const body = { email: `${randomBytes(4).toString('hex')}@example.com`, password: 'a wrong password' }
    return call('sign-ins', 'POST', '/auth/sign-in', { body })
  })
  repeat(() =>
    call('unknown keys', 'GET', collection, {
      headers: { 'x-api-key': `evs_${randomBytes(19).toString('hex')}` },
    }),
  )
  openStreams({ port, path: `/api/v1/organizations/${orgId}/events`, headers: key })
  void openIdle(port)
}

/** Does some work again and again, a few at once. */
function repeat(work: () => Promise<unknown>): void {
  for (let loop = 0; loop < atOnce; loop++)
    void (async () => {
      while (!ending.signal.aborted) await work().catch(() => undefined)
    })()
}

function newKey(): Record<string, string> {
  return { 'idempotency-key': randomBytes(8).toString('hex') }
}

type CallOptions = { headers?: Record<string, string>; body?: object; leaveMs?: number }

function send(
  what: string,
  { body, leaveMs, ...options }: CallOptions & { port: number; agent: Agent; method: string; path: string },
): Promise<void> {
  return new Promise((resolve) => {
    const done = (status: number): void => {
      count(what, status)
      resolve()
    }
    const text = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      ...options.headers,
      ...(text !== '' && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const asked = request({ ...options, headers, host: '127.0.0.1' }, (answer) => {
      answer.resume().once('close', () => done(answer.statusCode ?? 0))
    })
    asked.once('error', () => done(0))
    if (leaveMs !== undefined) setTimeout(() => asked.destroy(), leaveMs)
    asked.end(text)
  })
}

/** Opens as many event streams as it gets. */
function openStreams({ port, path, headers }: { port: number; path: string; headers: object }): void {
  for (let stream = 0; stream < streams; stream++)
    get({ host: '127.0.0.1', port, path, headers: { ...headers }, agent: false, localAddress }, (answer) => {
      count('streams', answer.statusCode ?? 0)
      answer.resume().on('error', () => undefined)
    }).on('error', () => count('streams', 0))
}

/** Opens connections that ask nothing, again when they are closed. */
async function openIdle(port: number): Promise<void> {
  const open = new Set<Socket>()
  while (!ending.signal.aborted) {
    for (let fresh = 0; fresh < 250 && open.size < idleConnections; fresh++) {
      const socket = connect({ host: '127.0.0.1', port, localAddress })
      open.add(socket)
      socket.once('connect', () => count('idle connections', 200))
      socket.on('error', () => undefined).once('close', () => open.delete(socket))
    }
    await sleep(50)
  }
}

function count(what: string, status: number): void {
  const of = (counts[what] ??= {})
  of[status] = (of[status] ?? 0) + 1
}
