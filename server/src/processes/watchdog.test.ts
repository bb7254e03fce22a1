import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { Watchdog } from './watchdog.ts'

let nowMs = 0
let ended: { process: string; reason: string; silentMs: number }[] = []
let watchdog: Watchdog

beforeEach(() => {
  nowMs = 1_000_000
  ended = []
  watchdog = new Watchdog({
    clock: () => nowMs,
    onSilent: (process, reason, silentMs) => ended.push({ process, reason, silentMs }),
  })
})

/** Lets time pass in ticks, as in a running `main`. */
function pass(ms: number, eachTick: () => void = () => undefined): void {
  for (let passed = 0; passed < ms; passed += 500) {
    nowMs += 500
    eachTick()
    watchdog.tick()
  }
}

test('a ready child that reports stays alive; a child without a report for 10 s is ended once', () => {
  watchdog.began('api-0')
  watchdog.ready('api-0')
  pass(60_000, () => watchdog.heard('api-0', 'alive'))
  assert.deepEqual(ended, [])
  // The last report came half a second before the last tick.
  pass(9_000)
  assert.deepEqual(ended, [])
  assert.equal(watchdog.silentMs('api-0'), 9_500)
  pass(20_000)
  assert.deepEqual(ended, [{ process: 'api-0', reason: 'hung', silentMs: 10_000 }])
})

test('time in which main did not run does not count: a stop, a blocked loop, a suspended machine', () => {
  watchdog.began('front-0')
  watchdog.ready('front-0')
  pass(2_000, () => watchdog.heard('front-0', 'alive'))
  for (const heldUpMs of [15_000, 3_600_000]) {
    nowMs += heldUpMs
    watchdog.tick()
    assert.deepEqual(ended, [], `held up for ${heldUpMs} ms`)
  }
  // The last report was half a second old, and two late ticks count one second each; the rest has
  // to pass as usual.
  pass(7_000)
  assert.deepEqual(ended, [])
  pass(500)
  assert.equal(ended.length, 1)
})

test('a starting child has 5 min, and 5 more after each progress; a turning event loop is not progress', () => {
  watchdog.began('worker-0')
  pass(299_000, () => watchdog.heard('worker-0', 'alive'))
  watchdog.heard('worker-0', 'progress')
  pass(299_500, () => watchdog.heard('worker-0', 'alive'))
  assert.deepEqual(ended, [])
  pass(500, () => watchdog.heard('worker-0', 'alive'))
  assert.deepEqual(ended, [{ process: 'worker-0', reason: 'stalled', silentMs: 300_000 }])
})

function hangs(process: string): number {
  watchdog.began(process)
  watchdog.ready(process)
  pass(10_000)
  const { reason, pauseMs } = watchdog.ended(process)
  assert.equal(reason, 'hung')
  return pauseMs
}

test('a restart follows the first hang at once, the second in a row after 30 s, then after 5 min; a steady minute resets this', () => {
  assert.deepEqual(
    [hangs('api-0'), hangs('api-0'), hangs('api-0'), hangs('api-0')],
    [0, 30_000, 300_000, 300_000],
  )
  assert.equal(hangs('api-1'), 0, 'each child is counted separately')
  watchdog.began('api-0')
  watchdog.ready('api-0')
  pass(60_500, () => watchdog.heard('api-0', 'alive'))
  pass(10_000)
  assert.equal(watchdog.ended('api-0').pauseMs, 0)
})

test('a child that died by itself did not hang, and is not watched while it is gone', () => {
  watchdog.began('engine-0')
  watchdog.ready('engine-0')
  assert.deepEqual(watchdog.ended('engine-0'), { reason: undefined, pauseMs: 0 })
  pass(600_000)
  assert.deepEqual(ended, [])
})
