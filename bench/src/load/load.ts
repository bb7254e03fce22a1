// A load generator in a separate process. It uses keep-alive connections with one outstanding
// request each and prepares the requests in advance. It sends as many as the server can answer, or
// a fixed number per second. It is small so that it is never the bottleneck: a general HTTP client
// on one core cannot keep up with the servers under test.
import { connect } from 'node:net'

export type LoadOrder = {
  to: { port: number } | { socketPath: string }
  connections: number
  seconds: number
  /** The paths to request, in turn. */
  paths: string[]
  /** Header lines in turn, and bodies, exactly as they follow the request line on the wire. */
  heads: string[]
  /** By default GET. */
  method?: 'POST'
  /**
   * Requests per second, however long responses take. If absent, a connection sends its next
   * request after each response.
   */
  perSecond?: number
  /** The start of every valid response, and its end: an empty line if there is no body. */
  expect: string
  expectEnd: string
}
export type LoadResult = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  requests: number
  errors: number
}

/** A connection without a request in flight. */
type Idle = { send: (sinceMs: number) => void; end: () => void }

const samplesMax = 4_000_000
const paceMs = 1

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const requests = order.paths.map((path, i) =>
    Buffer.from(
      `${order.method ?? 'GET'} ${path} HTTP/1.1\r\n${order.heads[i % order.heads.length]}`,
      'latin1',
    ),
  )
  const expected = Buffer.from(order.expect, 'latin1')
  const expectedEnd = Buffer.from(order.expectEnd, 'latin1')
  const latenciesMs = new Float32Array(samplesMax)
  let done = 0
  let errors = 0
  let running = true
  let next = 0
  /** With a fixed pace: the idle connections, and the times since which requests wait for one. */
  const idle: Idle[] = []
  const waitingSinceMs: number[] = []

  const sendNext = (connection: Idle): void => {
    if (!running) return connection.end()
    if (order.perSecond === undefined) return connection.send(performance.now())
    const sinceMs = waitingSinceMs.shift()
    if (sinceMs === undefined) idle.push(connection)
    else connection.send(sinceMs)
  }

  const connection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAtMs = 0
      let begun = false
      const self: Idle = {
        send: (sinceMs) => {
          sentAtMs = sinceMs
          begun = false
          socket.write(requests[next++ % requests.length] ?? '')
        },
        end: () => void socket.end(),
      }
      const socket = connect({
        ...('port' in order.to
          ? { port: order.to.port, host: '127.0.0.1', noDelay: true }
          : { path: order.to.socketPath }),
        onread: {
          buffer: Buffer.alloc(16_384),
          callback: (bytes, chunk) => {
            const wrong = !begun && expected.compare(chunk, 0, expected.length) !== 0
            if (wrong) errors++
            begun = true
            // A response of several packets continues in the next chunk. The connection sends
            // nothing before it is complete.
            const from = bytes - expectedEnd.length
            if (!wrong && (from < 0 || expectedEnd.compare(chunk, from, bytes) !== 0)) return true
            if (done < samplesMax) latenciesMs[done] = performance.now() - sentAtMs
            done++
            sendNext(self)
            return true
          },
        },
      })
      socket.on('connect', () => sendNext(self))
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })

  const startedMs = performance.now()
  let due = 0
  const tick = (perSecond: number): void => {
    const nowMs = performance.now()
    for (; due < ((nowMs - startedMs) * perSecond) / 1000; due++) {
      const free = idle.shift()
      if (free === undefined) waitingSinceMs.push(nowMs)
      else free.send(nowMs)
    }
  }
  const { perSecond } = order
  const pace = perSecond === undefined ? undefined : setInterval(() => tick(perSecond), paceMs)
  let stoppedMs = 0
  let doneInTime = 0
  setTimeout(() => {
    running = false
    clearInterval(pace)
    stoppedMs = performance.now()
    doneInTime = done
    for (const free of idle) free.end()
  }, order.seconds * 1000)
  await Promise.all(Array.from({ length: order.connections }, connection))
  const sorted = latenciesMs.subarray(0, Math.min(done, samplesMax)).sort()
  return {
    requestsPerSecond: doneInTime / ((stoppedMs - startedMs) / 1000),
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    requests: done,
    errors,
  }
}

if (process.argv[1] === import.meta.filename)
  process.once('message', (order: LoadOrder) => {
    runLoad(order).then(
      (result) => process.send?.(result, () => process.disconnect()),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
