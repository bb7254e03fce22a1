import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../errors.ts'
import { AccountBrake, type BrakedAttempt } from './account-brake.ts'

const secondMs = 1_000
const dayMs = 86_400_000
/** A day begins here. */
const startMs = 20_000 * dayMs

/** Seconds that an attempt has to wait, or the attempt. */
function attempt(
  brake: AccountBrake,
  { account = 'ada', network = 'n', nowMs = startMs },
): BrakedAttempt | number {
  try {
    return brake.begin(account, network, nowMs)
  } catch (error) {
    assert.equal((error as ApiError).status, 429)
    return Number((error as ApiError).headers['retry-after'])
  }
}

/** A brake on an account that is under attack at this time, from networks of their own. */
function braked(nowMs = startMs): AccountBrake {
  const brake = new AccountBrake()
  for (let i = 0; i < 50; i++) assert.equal(typeof attempt(brake, { network: `first ${i}`, nowMs }), 'object')
  return brake
}

test('fifty attempts are free, from however many networks; then one in five seconds', () => {
  const brake = braked()
  assert.equal(attempt(brake, { network: 'new' }), 10)
  assert.equal(typeof attempt(brake, { account: 'eve', network: 'new' }), 'object', 'others are free')
  let passed = 0
  // Always new networks, ten in each second, for ten minutes.
  for (let i = 1; i <= 6_000; i++)
    if (typeof attempt(brake, { network: `bot ${i}`, nowMs: startMs + i * 100 }) === 'object') passed++
  assert.equal(passed, 600 / 5)
  assert.equal(typeof attempt(brake, { nowMs: startMs + 3_600_000 }), 'object', 'a pause frees the account')
})

test('a network gets through within ten seconds, whatever thousands of others do meanwhile', () => {
  const brake = braked()
  assert.equal(attempt(brake, { network: 'owner' }), 10)
  for (let second = 0; second <= 10; second++) {
    const nowMs = startMs + second * secondMs
    for (let i = 0; i < 300; i++) attempt(brake, { network: `bot ${i}`, nowMs })
    if (second < 10) assert.equal(attempt(brake, { network: 'owner', nowMs }), 10 - second)
  }
  assert.equal(typeof attempt(brake, { network: 'owner', nowMs: startMs + 10 * secondMs }), 'object')
})

test('a network has three turns a day, each for five minutes, and never waits more than a minute', () => {
  const brake = braked()
  // Without places to get by chance: other networks take them as soon as they are free.
  const busy = (nowMs: number) => {
    for (let i = 0; i < 60; i++) attempt(brake, { network: `bot ${nowMs} ${i}`, nowMs })
  }
  let nowMs = startMs
  for (let turn = 0; turn < 3; turn++) {
    assert.equal(attempt(brake, { network: 'slow', nowMs }), 10)
    nowMs += 10 * secondMs
    busy(nowMs)
    assert.equal(typeof attempt(brake, { network: 'slow', nowMs }), 'object')
  }
  busy(nowMs)
  assert.equal(attempt(brake, { network: 'slow', nowMs }), 60)
  assert.equal(attempt(brake, { network: 'late', nowMs }), 10)
  nowMs += 10 * secondMs + 5 * 60 * secondMs
  busy(nowMs)
  assert.equal(attempt(brake, { network: 'late', nowMs }), 10, 'the turn is lost, the next one is given')
  nowMs = startMs + dayMs
  busy(nowMs)
  assert.equal(attempt(brake, { network: 'slow', nowMs }), 10)
})

test('a right password costs nothing, and its network need not wait for the request with the code', () => {
  const brake = new AccountBrake()
  for (let i = 0; i < 500; i++) {
    const one = attempt(brake, { network: `office ${i}` })
    assert.ok(typeof one === 'object')
    void one.succeed()
  }
  const other = braked()
  attempt(other, { network: 'owner' })
  const nowMs = startMs + 10 * secondMs
  for (let i = 0; i < 60; i++) attempt(other, { network: `bot ${i}`, nowMs })
  for (let i = 0; i < 10; i++) {
    const one = attempt(other, { network: 'owner', nowMs })
    assert.ok(typeof one === 'object', `request ${i}`)
    void one.succeed()
  }
  assert.equal(attempt(other, { network: 'bot', nowMs }), 10, 'the brake is still on for others')
})

test('the guesses of a day are bounded, however many networks take turns', () => {
  const brake = braked()
  let passed = 0
  const later = startMs + 10 * secondMs
  for (let i = 0; i < 12_000; i++) attempt(brake, { network: `bot ${i}` })
  for (let i = 0; i < 12_000; i++)
    if (typeof attempt(brake, { network: `bot ${i}`, nowMs: later }) === 'object') passed++
  // Two of them are the places of ten seconds, whose networks kept their turns.
  assert.equal(passed, 10_000)
})

test('no flood of other accounts makes the process forget an account', () => {
  const brake = braked()
  for (let i = 0; i < 200_000; i++) attempt(brake, { account: `other ${i}`, network: 'flood' })
  assert.equal(attempt(brake, { network: 'new' }), 10)
})

test('a clock that was set back does not prolong the wait', () => {
  const brake = braked(startMs + dayMs)
  assert.equal(attempt(brake, { network: 'owner', nowMs: startMs + dayMs }), 10)
  assert.equal(typeof attempt(brake, { network: 'owner' }), 'object')
  for (let i = 1; i < 50; i++) assert.equal(typeof attempt(brake, { network: `bot ${i}` }), 'object')
  assert.equal(attempt(brake, { network: 'owner' }), 10)
  assert.equal(attempt(brake, { network: 'other', nowMs: startMs - secondMs }), 10, 'a second is no escape')
})
