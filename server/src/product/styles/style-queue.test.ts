import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../../errors.ts'
import { ClientGone } from '../../turns/client-gone.ts'
import { StyleQueue, styleWorkLimits, type RunTimedStyleJob } from './style-queue.ts'

const signal = new AbortController().signal

/** A queue whose jobs end when the test says so. A job is known by its logo. */
function openQueue() {
  let nowMs = 0
  const begun: string[] = []
  const ends: ((processorMs: number) => void)[] = []
  const run = (async (_name: string, logo: string, spend: (processorMs: number) => void) => {
    begun.push(logo)
    spend(await new Promise<number>((resolve) => ends.push(resolve)))
    return { dataUri: logo }
  }) as unknown as RunTimedStyleJob
  const queue = new StyleQueue(run, () => nowMs)
  return {
    begun,
    ask: (holder: string, logo: string, how: { signal?: AbortSignal } = {}) =>
      queue.for({ holder, signal, ...how })('readLogo', logo),
    wait: (ms: number) => {
      nowMs += ms
    },
    /** Ends the running job after so much time, of which it had a processor for a part. */
    end: async (tookMs = 0, processorMs = tookMs) => {
      await setImmediate()
      nowMs += tookMs
      ends.shift()?.(processorMs)
      await setImmediate()
    },
  }
}

test('organizations take turns, however many jobs one of them has queued', async () => {
  const { ask, begun, end } = openQueue()
  const all = [...Array(20).keys()].map((at) => ask('org_hostile', `hostile ${at}`))
  all.push(ask('org_calm', 'calm 0'), ask('org_calm', 'calm 1'))
  for (let jobs = 0; jobs < 5; jobs++) await end()
  assert.deepEqual(begun, ['hostile 0', 'hostile 1', 'calm 0', 'hostile 2', 'calm 1', 'hostile 3'])
  for (let jobs = 0; jobs < 20; jobs++) await end()
  assert.equal((await Promise.all(all)).length, 22)
})

test('429 when an organization has used its time; others go on, and it does after a while', async () => {
  const { ask, end, wait } = openQueue()
  const first = ask('org_hostile', 'long')
  const second = ask('org_hostile', 'waiting')
  const refusal = second.catch((error: unknown) => error)
  await end(styleWorkLimits.budgetMsMax + 1_000)
  await first
  const refused = await refusal
  assert.ok(refused instanceof ApiError)
  assert.equal(refused.status, 429)
  // 1 s too much and 2 s to resume with, at half a second per second.
  assert.equal(refused.headers['retry-after'], '6')
  const calm = ask('org_calm', 'calm')
  await end(10)
  assert.deepEqual(await calm, { dataUri: 'calm' })
  await assert.rejects(ask('org_hostile', 'too early'), { status: 429 })
  wait(6_000)
  const later = ask('org_hostile', 'later')
  await end()
  assert.deepEqual(await later, { dataUri: 'later' })
})

test('what a job waits for a processor on a busy machine uses up no budget', async () => {
  const { ask, end } = openQueue()
  const slow = ask('org_calm', 'slow')
  await end(10 * styleWorkLimits.budgetMsMax, 50)
  await slow
  const next = ask('org_calm', 'next')
  await end()
  assert.deepEqual(await next, { dataUri: 'next' })
})

test('the jobs of a client that left are not begun', async () => {
  const { ask, begun, end } = openQueue()
  const gone = new AbortController()
  const running = ask('org_a', 'running')
  const left = assert.rejects(ask('org_b', 'of the client that left', { signal: gone.signal }), ClientGone)
  const other = ask('org_b', 'of another client')
  gone.abort()
  await end()
  await left
  await end()
  await Promise.all([running, other])
  assert.deepEqual(begun, ['running', 'of another client'])
})

test('429 for more waiting jobs than an organization may have', async () => {
  const { ask, end } = openQueue()
  const all = [...Array(styleWorkLimits.waitingMax + 1).keys()].map((at) => ask('org_a', String(at)))
  await assert.rejects(ask('org_a', 'one too many'), { status: 429, message: /already has 100 checks/ })
  for (let jobs = 0; jobs <= styleWorkLimits.waitingMax; jobs++) await end()
  await Promise.all(all)
})
