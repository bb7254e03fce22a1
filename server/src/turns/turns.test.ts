import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { NoTurn, Turns, type TurnsLimits } from './turns.ts'

/** Turns whose work ends when the test says so. */
function openTurns(limits: Partial<TurnsLimits> = {}) {
  const turns = new Turns('styles', { atOnceMax: 1, waitingMax: 1_000, ...limits })
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    turns,
    begun,
    ask: (holders: readonly string[], signal?: AbortSignal) =>
      turns.run(
        holders,
        async () => {
          begun.push(holders.join(' '))
          await new Promise<void>((resolve) => ends.push(resolve))
        },
        signal,
      ),
    end: async () => {
      ends.shift()?.()
      await setImmediate()
    },
    endAll: async () => {
      for (; ends.length > 0; await setImmediate()) ends.shift()?.()
    },
  }
}

const reasonOf = (error: unknown) => (error instanceof NoTurn ? error.reason : String(error))

test('holders of each level take turns, however much one of them has queued', async () => {
  const { ask, begun, end, endAll } = openTurns()
  const all = [...Array(50).keys()].map(() => ask(['hostile', 'code 1', 'network 1']))
  all.push(ask(['hostile', 'code 1', 'network 2']), ask(['hostile', 'code 2', 'network 1']))
  all.push(ask(['calm', 'code 3', 'network 1']), ask(['calm', 'code 3', 'network 1']))
  await setImmediate()
  for (let ended = 0; ended < 6; ended++) await end()
  assert.deepEqual(begun, [
    'hostile code 1 network 1',
    'hostile code 1 network 1',
    'calm code 3 network 1',
    'hostile code 2 network 1',
    'calm code 3 network 1',
    'hostile code 1 network 2',
    'hostile code 1 network 1',
  ])
  await endAll()
  await Promise.all(all)
})

test('of many holders that queue at random, none waits for more than one turn of each other', async () => {
  const { ask, begun, end, endAll } = openTurns()
  const all = [ask(['first'])]
  for (let at = 0; at < 300; at++) all.push(ask([`holder ${at % 7 === 0 ? at % 5 : 9}`]))
  all.push(ask(['late']))
  for (let ended = 0; ended < 8; ended++) await end()
  assert.ok(begun.includes('late'), String(begun))
  await endAll()
  await Promise.all(all)
})

test('as many run at once as may, and failed work ends its turn', async () => {
  const turns = new Turns('mails', { atOnceMax: 3, waitingMax: 100 })
  let running = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++running)
    await setImmediate()
    running--
    throw new Error('failed')
  }
  const all = await Promise.allSettled([...Array(20).keys()].map((at) => turns.run([String(at)], work)))
  assert.ok(all.every(({ status }) => status === 'rejected'))
  assert.deepEqual([most, turns.stats().running, turns.stats().waiting], [3, 0, 0])
  assert.equal(turns.stats().outcomes.given, 20)
})

test('a full queue refuses the newest of whoever has most in it, and a holder over its own bound', async () => {
  const { ask, begun, turns, endAll } = openTurns({ waitingMax: 10, holderWaitingMax: 9 })
  const refused: string[] = []
  const settle = (name: string, asked: Promise<void>) =>
    asked.catch((error: unknown) => void refused.push(`${name} ${reasonOf(error)}`))
  const all = [...Array(11).keys()].map((at) => settle(`crowd ${at}`, ask(['crowd', 'network'])))
  all.push(...[0, 1, 2].map((at) => settle(`calm ${at}`, ask(['calm', String(at)]))))
  await setImmediate()
  // The first runs, nine wait, and the last but two made room for others.
  assert.deepEqual(refused, ['crowd 10 full', 'crowd 9 full', 'crowd 8 full'])
  assert.equal(turns.stats().waiting, 10)
  await endAll()
  await Promise.all(all)
  assert.equal(begun.filter((holder) => holder.startsWith('calm')).length, 3)
  assert.equal(turns.stats().outcomes.full, 3)
})

test('who waits too long or leaves gets no turn, and takes no place', async () => {
  const { ask, begun, turns, endAll } = openTurns({ waitMsMax: 20 })
  const running = ask(['a'])
  assert.equal(await ask(['b']).catch(reasonOf), 'late')
  const gone = new AbortController()
  const left = ask(['c'], gone.signal).catch(reasonOf)
  gone.abort()
  assert.equal(await left, 'left')
  assert.equal(await ask(['c'], gone.signal).catch(reasonOf), 'left')
  await endAll()
  await running
  assert.deepEqual(begun, ['a'])
  assert.deepEqual(turns.stats().outcomes, { given: 1, full: 0, late: 1, left: 2 })
  assert.deepEqual([turns.stats().running, turns.stats().waiting], [0, 0])
})
