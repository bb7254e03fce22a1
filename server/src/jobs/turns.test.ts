import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endTurn, keepTurn, takeTurn } from '../catalogue/installation/chore-turns.ts'
import { forEachDatabase, silentLog } from '../db/testing/databases.ts'
import { startJobs, type Chore } from './start-jobs.ts'
import { inTurn } from './turns.ts'

const [a, b] = ['a', 'b'].map((machine) => ({ name: 'purge', machine })) as [
  { name: string; machine: string },
  { name: string; machine: string },
]

forEachDatabase('turns of chores', (open) => {
  test('one machine at a time has a chore, until it is done or its lease ends', async () => {
    const db = await open()
    const terms = { leaseMs: 60_000, leastMs: 0 }
    const first = await takeTurn(db, a, terms)
    assert.ok(first)
    assert.equal(await takeTurn(db, b, terms), undefined)
    assert.ok(await takeTurn(db, { ...b, name: 'other' }, terms))
    const again = await takeTurn(db, a, terms)
    assert.ok(again, 'a machine that was started again')
    await endTurn(db, first, { isDone: true })
    assert.equal(await takeTurn(db, b, terms), undefined, 'only the holder ends its turn')
    await endTurn(db, again, { isDone: true })
    assert.equal(await keepTurn(db, again, terms), false, 'a turn that has ended')
    const dead = await takeTurn(db, b, { ...terms, leaseMs: 1 })
    assert.ok(dead)
    await sleep(5)
    const next = await takeTurn(db, a, terms)
    assert.ok(next, 'the lease of a dead machine ends')
    assert.equal(await keepTurn(db, dead, terms), false)
    assert.equal(await keepTurn(db, next, terms), true)
  })

  test('a chore that was done is due later, one that failed at once', async () => {
    const db = await open()
    const ran: string[] = []
    const options = { everyMs: 3_600_000 }
    await inTurn(db, { ...a, ...options }, async () => ran.push('a'))
    await inTurn(db, { ...b, ...options }, async () => ran.push('b'))
    assert.deepEqual(ran, ['a'])
    const other = { name: 'other', everyMs: 3_600_000 }
    const failing = inTurn(db, { ...other, machine: 'a' }, () => Promise.reject(new Error('away')))
    await assert.rejects(failing, { message: 'away' })
    await inTurn(db, { ...other, machine: 'b' }, async () => ran.push('b'))
    assert.deepEqual(ran, ['a', 'b'])
  })

  test('a long chore keeps its lease while it runs', async () => {
    const db = await open()
    const running = inTurn(db, { ...a, everyMs: 1, leaseMs: 150 }, () => sleep(600))
    await sleep(400)
    const terms = { leaseMs: 150, leastMs: 0 }
    assert.equal(await takeTurn(db, b, terms), undefined)
    await running
    assert.ok(await takeTurn(db, b, terms))
  })

  test('of three workers, one at a time does a chore that takes turns', async () => {
    const db = await open()
    const seen = { atOnce: 0, most: 0, turns: 0, each: 0 }
    const chores: Chore[] = [
      {
        name: 'together',
        takesTurns: true,
        everyMs: 5,
        run: async () => {
          seen.most = Math.max(seen.most, ++seen.atOnce)
          seen.turns++
          await sleep(10)
          seen.atOnce--
        },
      },
      { name: 'each', everyMs: 60_000, run: async () => void seen.each++ },
    ]
    const workers = ['a', 'b', 'c'].map((machine) =>
      startJobs({ db, kinds: {}, chores, machine, log: silentLog }),
    )
    while (seen.turns < 5) await sleep(5)
    await Promise.all(workers.map((worker) => worker.stop()))
    assert.equal(seen.most, 1)
    assert.equal(seen.each, 3)
  })
})
