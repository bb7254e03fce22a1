import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { beforeEach, test } from 'node:test'
import { readProcessorUse, Watchdog, type ProcessorUse } from './watchdog.ts'

let nowMs = 0
let ended: { process: string; reason: string; silentMs: number }[] = []
let starved: string[] = []
let use: ProcessorUse | undefined
let watchdog: Watchdog

beforeEach(() => {
  starved = []
  use = undefined
  nowMs = 1_000_000
  ended = []
  watchdog = new Watchdog({
    clock: () => nowMs,
    onSilent: (process, reason, silentMs) => ended.push({ process, reason, silentMs }),
    onStarved: (process) => starved.push(process),
    useOf: () => use,
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

/** Lets a silent child pass time with a share of running and of waiting for a processor. */
function passSilently(ms: number, { ran = 0, waited = 0, isRunnable = false }): void {
  pass(ms, () => {
    const { ranMs, waitedMs } = use ?? { ranMs: 0, waitedMs: 0 }
    use = { ranMs: ranMs + 500 * ran, waitedMs: waitedMs + 500 * waited, isRunnable }
  })
}

test('a child that only lacks the processor is not ended, and is told once; it is if it hangs then', () => {
  watchdog.began('worker-0')
  watchdog.ready('worker-0')
  passSilently(60_000, { ran: 0.05, waited: 0.95 })
  // A waiting time counts only once a thread gets the processor.
  passSilently(60_000, { isRunnable: true })
  assert.deepEqual([ended, starved], [[], ['worker-0']])
  watchdog.heard('worker-0', 'alive')
  passSilently(20_000, { ran: 0.2, waited: 0.8, isRunnable: true })
  assert.deepEqual([ended, starved], [[], ['worker-0', 'worker-0']])
  watchdog.heard('worker-0', 'alive')
  passSilently(10_000, {})
  assert.deepEqual(ended, [{ process: 'worker-0', reason: 'hung', silentMs: 10_000 }])
})

test('a stopped child, an endless loop and one that waits for a disk are ended, also on a busy machine', () => {
  for (const [process, how] of [
    ['stopped', {}],
    ['loop', { ran: 1, isRunnable: true }],
    ['loop beside others', { ran: 0.35, waited: 0.65, isRunnable: true }],
    ['disk', { ran: 0.01, waited: 0.1 }],
  ] as const) {
    watchdog.began(process)
    watchdog.ready(process)
    passSilently(10_000, how)
    assert.deepEqual(
      ended.map((one) => one.process),
      [process],
    )
    watchdog.ended(process)
    ended = []
  }
  assert.deepEqual(starved, [])
})

test('the use of processors is that of the main thread, and unknown of a process that is gone', async () => {
  const script = 'setInterval(() => {}, 1000); process.send(1); process.once("message", () => { for (;;); })'
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const pid = child.pid ?? 0
  await once(child, 'message')
  const idle = readProcessorUse(pid)
  child.send(1)
  // It runs from then on.
  let busy = idle
  while ((busy?.ranMs ?? 0) - (idle?.ranMs ?? 0) < 100) {
    await new Promise(setImmediate)
    busy = readProcessorUse(pid)
  }
  assert.equal(busy?.isRunnable, true)
  child.kill('SIGSTOP')
  while (readProcessorUse(pid)?.isRunnable === true) await new Promise(setImmediate)
  const stopped = readProcessorUse(pid)
  assert.ok((stopped?.waitedMs ?? 0) >= (busy?.waitedMs ?? 0))
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(readProcessorUse(pid), undefined)
})
