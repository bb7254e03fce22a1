import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { waitAwake } from '../../visitors/awake-time.ts'
import { ScanLimits, type LimitCounters } from './scan-limits.ts'

const log = pino({ level: 'silent' })
const limit = { organizationId: 'org_1', qrCodeId: 'qr_1', resets: 0, whenUnknown: 'open' as const }
const stallMs = 400
const never = (): Promise<never> => new Promise(() => undefined)

/** Blocks the event loop of this thread. */
function stall(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs)
}

/** A catalogue with one answer left, that answers over a socket from a thread of its own. */
async function remoteCatalogue(t: { after: (work: () => void) => void }, roundTrips: number) {
  const thread = new Worker(
    `const { createServer } = require('node:net')
    const server = createServer((socket) => socket.on('data', (asked) => socket.write(asked)))
    server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const [port] = (await once(thread, 'message')) as [number]
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  t.after(() => {
    socket.destroy()
    void thread.terminate()
  })
  let asked = 0
  let left = 1
  const ask = async (): Promise<void> => {
    for (let trip = 0; trip < roundTrips; trip++) {
      socket.write('?')
      asked++
      await once(socket, 'data')
    }
  }
  const counters: LimitCounters = {
    take: async () => {
      await ask()
      return { granted: left-- > 0 ? 1 : 0, resets: 0 }
    },
    isFull: async () => {
      await ask()
      return true
    },
    giveBack: async () => undefined,
    addOwed: async () => undefined,
  }
  return { limits: new ScanLimits(counters, log), asked: () => asked }
}

for (const roundTrips of [1, 4])
  for (const when of ['before the question leaves', 'while the answer lies in the socket'] as const)
    test(`a front that stalls ${when} (${roundTrips} round trips) counts, and gives no answer too many`, async (t) => {
      const { limits, asked } = await remoteCatalogue(t, roundTrips)
      const taking = async (): Promise<string> => {
        const answer = limits.take(limit)
        if (when === 'before the question leaves') stall()
        else {
          while (asked() === 0) await new Promise(setImmediate)
          stall()
        }
        return answer
      }
      assert.equal(await taking(), 'open')
      const second = limits.take(limit)
      stall()
      assert.equal(await second, 'full')
      const peeked = limits.peek(limit)
      stall()
      assert.equal(await peeked, 'full')
      assert.deepEqual(limits.stats(), { open: 0, closed: 0, codes: 1, isUnknown: false })
      await limits.close()
    })

test('a catalogue that is silent is not waited for longer than 250 ms of the time of the front', async () => {
  const counters = { take: never, isFull: never, giveBack: never, addOwed: never }
  const limits = new ScanLimits(counters, log)
  const fromMs = performance.now()
  assert.equal(await limits.take(limit), 'open')
  const tookMs = performance.now() - fromMs
  assert.ok(tookMs >= 240 && tookMs < 2_000, `${tookMs} ms`)
  assert.equal(limits.stats().open, 1)
})

test('a wait does not count the time in which the event loop stood still', async () => {
  const { late } = waitAwake(100)
  stall()
  const fromMs = performance.now()
  assert.equal(await late, 'late')
  assert.ok(performance.now() - fromMs >= 80)
})
