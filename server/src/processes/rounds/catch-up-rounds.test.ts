import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { CatchUpRounds, roundMsMax } from './catch-up-rounds.ts'
import { sharedRounds } from './shared-rounds.ts'

type Front = { name: string; asked: number[] }

/** Rounds of three fronts, of which the first passes answers on. */
function threeFronts(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const rounds = new CatchUpRounds<Front>((front, id) => void front.asked.push(id))
  const [first, second, third] = ['first', 'second', 'third'].map((name): Front => ({ name, asked: [] }))
  assert.ok(first && second && third)
  for (const front of [first, second, third]) rounds.join(front)
  let ended = 0
  const begin = (): void => rounds.begin(first, () => ended++)
  const answer = (front: Front): void => rounds.caughtUp(front, front.asked.at(-1) ?? 0)
  return {
    rounds,
    second,
    third,
    begin,
    answer,
    ended: () => ended,
    tick: (ms: number) => t.mock.timers.tick(ms),
  }
}

test('a round ends when every other front has caught up', (t) => {
  const { second, third, begin, answer, ended } = threeFronts(t)
  begin()
  answer(second)
  answer(second)
  assert.equal(ended(), 0)
  answer(third)
  assert.equal(ended(), 1)
})

test('a front that ends is not waited for, and one that has not joined has nothing to forget', (t) => {
  const { rounds, second, third, begin, answer, ended } = threeFronts(t)
  begin()
  answer(second)
  rounds.leave(third)
  assert.equal(ended(), 1)
  begin()
  answer(second)
  assert.equal(ended(), 2)
  rounds.leave(second)
  begin()
  assert.equal(ended(), 3, 'alone')
})

test('a front that hangs holds up one answer for a second, and the next ones for 50 ms', (t) => {
  const { second, third, begin, answer, ended, tick } = threeFronts(t)
  begin()
  answer(second)
  tick(roundMsMax - 1)
  assert.equal(ended(), 0)
  tick(1)
  assert.equal(ended(), 1)
  begin()
  tick(50)
  assert.equal(ended(), 1, 'the other one is waited for')
  answer(second)
  assert.equal(ended(), 2)
  answer(third)
  begin()
  answer(second)
  tick(60)
  assert.equal(ended(), 2, 'it goes on, so it is waited for again')
  answer(third)
  assert.equal(ended(), 3)
})

test('calls that come during a round share the next one', async () => {
  const rounds: PromiseWithResolvers<void>[] = []
  const call = sharedRounds(() => {
    const round = Promise.withResolvers<void>()
    rounds.push(round)
    return round.promise
  })
  const first = call()
  const [second, third] = [call(), call()]
  assert.equal(rounds.length, 1)
  rounds[0]?.resolve()
  await first
  await new Promise(setImmediate)
  assert.equal(rounds.length, 2, 'the first may have begun before their change')
  rounds[1]?.resolve()
  await Promise.all([second, third])
  assert.equal(rounds.length, 2)
})
