import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { CodeBrake, type PasswordTry } from './code-brake.ts'
import { NetworkTriesStore } from './network-tries.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = 20_000 * dayMs
const tried = (network: string, of: Partial<PasswordTry> = {}): PasswordTry => ({
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  version: 'v1',
  network,
  ...of,
})

/** Makes a try that ends at once; returns whether it was let through, and its wait. */
function guess(
  brake: CodeBrake,
  nowMs: number,
  { outcome = 'wrong', ...of }: Partial<PasswordTry> & { outcome?: 'right' | 'wrong' } = {},
): number | 'limited' {
  const answer = brake.begin(tried('203.0.113.0', of), nowMs)
  if (answer.kind !== 'go') {
    assert.equal(answer.kind, 'limited')
    if (answer.kind === 'limited')
      assert.ok(answer.retryAfterSeconds >= 1 && answer.retryAfterSeconds <= 600, JSON.stringify(answer))
    return 'limited'
  }
  answer.end(outcome, nowMs)
  return answer.delayMs
}

const networkAt = (region: number, at: number) => `2001:${region.toString(16)}:${at.toString(16)}::`

/** Numbers the networks that guess: none is used twice, as a region has 65,536. */
let guesses = 0

/** Guesses from so many regions until all are refused. Returns how many were let through. */
function exhaust(brake: CodeBrake, nowMs: number, regions: number): number {
  let passed = 0
  for (let refused = 0; refused < regions; guesses++) {
    const network = networkAt(1 + (guesses % regions), Math.floor(guesses / regions) % 65_536)
    if (guess(brake, nowMs, { network }) === 'limited') refused++
    else {
      passed++
      refused = 0
    }
  }
  return passed
}

/** Guesses for some days, every two hours, and returns how many were let through on each. */
function attack(
  brake: CodeBrake,
  { days, regions, each }: { days: number; regions: number; each?: (nowMs: number) => void },
): number[] {
  return [...Array(days).keys()].map((day) => {
    let passed = 0
    for (let hour = 0; hour < 24; hour += 2) {
      const nowMs = startMs + day * dayMs + hour * hourMs
      passed += exhaust(brake, nowMs, regions)
      each?.(nowMs)
    }
    return passed
  })
}

const { accessFreeTriesMax: free, accessTriesPerDay: perDay, accessNewTriesPerDay: newPerDay } = limits

test('one region with 65,536 networks gets 50 guesses, and 156 a day', () => {
  const [first = 0, ...others] = attack(new CodeBrake(), { days: 4, regions: 1 })
  assert.ok(first <= free + perDay + 12, String(first))
  for (const day of others) assert.equal(day, perDay + 12)
})

test('a thousand regions get 50 guesses, and 294 a day: a PIN of four digits stands for 17 days', () => {
  const [first = 0, ...others] = attack(new CodeBrake(), { days: 3, regions: 1_000 })
  assert.ok(first <= free + perDay + newPerDay, String(first))
  for (const day of others) assert.equal(day, perDay + newPerDay)
  assert.equal(Math.floor(10_000 / 2 / (perDay + newPerDay)), 17)
})

test('visitors who know the password get in during an attack from 70 regions, known ones at once', () => {
  const brake = new CodeBrake()
  const known = { network: '198.51.100.0', outcome: 'right' } as const
  assert.equal(guess(brake, startMs, known), 0)
  const waits: (number | 'limited')[] = []
  attack(brake, {
    days: 2,
    regions: 70,
    each: (nowMs) => {
      assert.equal(guess(brake, nowMs, known), 0)
      const network = `192.${waits.length}.2.0`
      waits.push(guess(brake, nowMs, { network, outcome: 'right' }))
      assert.equal(guess(brake, nowMs, { network, outcome: 'right' }), 0, 'it is known then')
    },
  })
  // Twenty right answers make room for one that need not wait.
  assert.equal(waits.length, 24)
  assert.deepEqual(new Set(waits), new Set([0, 2_000]))
  assert.ok(waits.filter((wait) => wait === 0).length <= 4, String(waits))
})

test('a new network may mistype once during an attack, and a known one three times', () => {
  const brake = new CodeBrake()
  const known = '198.51.100.0'
  guess(brake, startMs, { network: known, outcome: 'right' })
  const nowMs = startMs + hourMs
  exhaust(brake, nowMs, 1)
  const network = '192.0.2.0'
  assert.equal(guess(brake, nowMs, { network }), 2_000)
  assert.equal(guess(brake, nowMs, { network, outcome: 'right' }), 2_000)
  const wrongTwice = '198.18.0.0'
  const answers = [1, 2, 3].map(() => guess(brake, nowMs, { network: wrongTwice }))
  assert.deepEqual(answers, [2_000, 2_000, 'limited'], 'its region still has room')
  for (let wrong = 0; wrong < 3; wrong++) assert.equal(guess(brake, nowMs, { network: known }), 0)
  assert.equal(guess(brake, nowMs, { network: known }), 2_000, 'then it is like a new one')
  assert.equal(guess(brake, nowMs, { network: known, outcome: 'right' }), 2_000)
  assert.equal(guess(brake, nowMs, { network: known, outcome: 'right' }), 0)
})

test('the last try that a known network has is awaited before it counts as a new one', () => {
  const brake = new CodeBrake()
  const network = '198.51.100.0'
  guess(brake, startMs, { network, outcome: 'right' })
  const nowMs = startMs + hourMs
  exhaust(brake, nowMs, 1)
  for (let wrong = 0; wrong < 2; wrong++) assert.equal(guess(brake, nowMs, { network }), 0)
  const last = brake.begin(tried(network), nowMs)
  assert.ok(last.kind === 'go' && last.delayMs === 0)
  assert.equal(brake.begin(tried(network), nowMs).kind, 'undecided')
  last.end('wrong', nowMs)
  assert.equal(guess(brake, nowMs, { network }), 2_000)
})

test('a crowd whose visitors mistype never feels the brake', () => {
  const brake = new CodeBrake()
  // 40,000 visitors of 8,000 networks in two hours: one in ten mistypes, one in a hundred gives up.
  for (let visitor = 0; visitor < 40_000; visitor++) {
    const nowMs = startMs + Math.floor((visitor * 2 * hourMs) / 40_000)
    const network = networkAt(1 + (visitor % 200), Math.floor(visitor / 5) % 8_000)
    if (visitor % 10 === 0) assert.equal(guess(brake, nowMs, { network }), 0, String(visitor))
    if (visitor % 100 !== 0)
      assert.equal(guess(brake, nowMs, { network, outcome: 'right' }), 0, String(visitor))
  }
})

test('a guesser in the network of visitors gets at most six guesses for each right answer', () => {
  const brake = new CodeBrake()
  exhaust(brake, startMs, 1_000)
  const network = '198.51.100.0'
  const day = { wrong: 0, right: 0 }
  for (let minute = 0; minute < 24 * 60; minute++) {
    const nowMs = startMs + minute * minuteMs
    if (minute % 60 === 0 && guess(brake, nowMs, { network, outcome: 'right' }) !== 'limited') day.right++
    while (guess(brake, nowMs, { network }) !== 'limited') day.wrong++
  }
  assert.ok(day.right > 0)
  assert.ok(day.wrong <= perDay + 6 * day.right + 2, JSON.stringify(day))
})

test('ten wrong ones in ten minutes from a network, whatever is free; tries that run may be wrong', () => {
  const brake = new CodeBrake()
  const running = [...Array(10).keys()].map(() => brake.begin(tried('203.0.113.0'), startMs))
  assert.deepEqual(new Set(running.map(({ kind }) => kind)), new Set(['go']))
  assert.equal(brake.begin(tried('203.0.113.0'), startMs).kind, 'undecided')
  for (const one of running) if (one.kind === 'go') one.end('wrong', startMs + 1_000)
  assert.deepEqual(brake.begin(tried('203.0.113.0'), startMs + 1_000), {
    kind: 'limited',
    retryAfterSeconds: 600,
  })
  assert.equal(guess(brake, startMs + 1_000, { network: '203.0.114.0' }), 0)
  assert.equal(guess(brake, startMs + 1_000, { qrCodeId: 'qr_2' }), 0, 'another code')
  assert.equal(guess(brake, startMs + 1_000, { organizationId: 'org_2' }), 0, 'the same id elsewhere')
  assert.equal(guess(brake, startMs + 1_000 + 10 * minuteMs), 0, 'as soon as it said')
})

test('a new password begins anew: who was right before is a stranger, and nothing is used up', () => {
  const brake = new CodeBrake()
  guess(brake, startMs, { network: '198.51.100.0', outcome: 'right' })
  exhaust(brake, startMs, 1_000)
  assert.equal(guess(brake, startMs, { network: '192.0.2.0' }), 'limited')
  const version = 'v2'
  assert.equal(guess(brake, startMs, { network: '192.0.2.0', version }), 0)
  for (let wrong = 1; wrong < free; wrong++) guess(brake, startMs, { network: networkAt(3, wrong), version })
  assert.equal(guess(brake, startMs, { network: '198.51.100.0', version }), 2_000)
})

test('what is not checked counts for nothing', () => {
  const brake = new CodeBrake()
  for (let at = 0; at < 1_000; at++) {
    const answer = brake.begin(tried(networkAt(1, at)), startMs)
    assert.ok(answer.kind === 'go' && answer.delayMs === 0, String(at))
    answer.end('unchecked', startMs)
  }
})

test('memory is bounded, and no organization makes another one forgotten', () => {
  const store = new NetworkTriesStore(1_000)
  const kept = store.of('org_calm', 'qr_1 v1 192.0.2.0')
  for (let at = 0; at < 20_000; at++) store.of(`org_${at % 3}`, `qr_2 v1 ${at}`)
  assert.equal(store.size, 1_000)
  assert.equal(store.of('org_calm', 'qr_1 v1 192.0.2.0'), kept)
  const brake = new CodeBrake()
  const nowMs = startMs
  exhaust(brake, nowMs, 1)
  for (let at = 0; at < 60_000; at++)
    guess(brake, nowMs, { organizationId: 'org_2', qrCodeId: `qr_${at}`, network: networkAt(2, at) })
  assert.ok(brake.networks <= 50_000)
  const stays = [...Array(50).keys()].map((at) => guess(brake, nowMs, { network: networkAt(1, 9_000 + at) }))
  assert.deepEqual(new Set(stays), new Set(['limited']), 'the brake of a code is not forgotten')
})
