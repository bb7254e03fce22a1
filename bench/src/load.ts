// A load generator in a process of its own: keep-alive connections with one request outstanding each, requests made beforehand.
// It is small so that it is not the slower side: a general HTTP client on one core cannot keep up with the servers measured.
import { connect } from 'node:net'

export type LoadOrder = {
  port: number
  connections: number
  seconds: number
  /** Requests as they go over the wire; each connection takes them in turn. */
  requests: string[]
  /** What every answer must begin with, and how it ends: an empty line without a body. */
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

const samplesMax = 4_000_000

async function runLoad(order: LoadOrder): Promise<LoadResult> {
  const requests = order.requests.map((text) => Buffer.from(text, 'latin1'))
  const expected = Buffer.from(order.expect, 'latin1')
  const expectedEnd = Buffer.from(order.expectEnd, 'latin1')
  const latenciesMs = new Float32Array(samplesMax)
  let done = 0
  let errors = 0
  let running = true
  let next = 0

  const connection = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let sentAtMs = 0
      let begun = false
      const send = (): void => {
        sentAtMs = performance.now()
        begun = false
        socket.write(requests[next++ % requests.length] ?? '')
      }
      const socket = connect({
        port: order.port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer: Buffer.alloc(16_384),
          callback: (bytes, chunk) => {
            const wrong = !begun && expected.compare(chunk, 0, expected.length) !== 0
            if (wrong) errors++
            begun = true
            // An answer of several packets goes on with the next chunk; nobody sends anything until it is whole.
            const from = bytes - expectedEnd.length
            if (!wrong && (from < 0 || expectedEnd.compare(chunk, from, bytes) !== 0)) return true
            if (done < samplesMax) latenciesMs[done] = performance.now() - sentAtMs
            done++
            if (running) send()
            else socket.end()
            return true
          },
        },
      })
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })

  const startedMs = performance.now()
  let stoppedMs = 0
  let doneInTime = 0
  setTimeout(() => {
    running = false
    stoppedMs = performance.now()
    doneInTime = done
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
