import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { IdleOrder, type Connection } from './idle-order.ts'

const kept = { timeout: 66_000 } as Socket
const busy = { timeout: 0 } as Socket

const connection = (usedAt: number, socket = kept): Connection => ({
  socket,
  network: undefined,
  usedAt,
  hasAsked: true,
})

test('the connection that has been idle longest is found, however they are used and closed', () => {
  const random = seededRandom()
  for (let round = 0; round < 200; round++) {
    const order = new IdleOrder()
    const open = new Set<Connection>()
    for (let turn = 1; turn < 300; turn++) {
      const one = [...open][Math.floor(random() * (open.size + 1))]
      const what = Math.floor(random() * 10)
      if (what < 4 || one === undefined) {
        // Opened at any time: the order must not rely on growing times.
        const opened = connection(Math.floor(random() * turn))
        open.add(opened)
        order.add(opened)
      } else if (what < 7) one.usedAt = turn
      else if (what < 9) {
        assert.equal(order.remove(one), open.delete(one))
        assert.equal(order.remove(one), false)
      } else {
        const oldest = Math.min(...[...open].map(({ usedAt }) => usedAt))
        // It may look at so many used ones that it finds none in one search.
        let found: Connection | undefined
        for (let tries = 0; found === undefined && tries < 10; tries++) found = order.longestIdle(turn)
        assert.equal(found?.usedAt, oldest)
      }
      assert.equal(order.size, open.size)
    }
  }
})

test('connections are found in order, whichever was closed first', () => {
  const times = [1, 10, 2, 11, 12, 3]
  for (const closed of times) {
    const order = new IdleOrder()
    const all = times.map((usedAt) => connection(usedAt))
    for (const one of all) order.add(one)
    order.remove(all[times.indexOf(closed)] as Connection)
    const found: number[] = []
    for (let next = order.longestIdle(20); next !== undefined; next = order.longestIdle(20)) {
      found.push(next.usedAt)
      order.remove(next)
    }
    assert.deepEqual(
      found,
      times.filter((usedAt) => usedAt !== closed).toSorted((a, b) => a - b),
    )
  }
})

test('a connection with a request in progress is never found, one whose request has not come is', () => {
  const order = new IdleOrder()
  for (let usedAt = 1; usedAt <= 3; usedAt++) order.add(connection(usedAt, busy))
  assert.equal(order.longestIdle(4), undefined)
  const idle = connection(5)
  const begun = { ...connection(6, busy), hasAsked: false }
  for (const added of [begun, idle]) order.add(added)
  assert.equal(order.longestIdle(7), idle)
  order.remove(idle)
  assert.equal(order.longestIdle(8), begun)
})

test('a search among many that are in use has an end, and the next one goes on', () => {
  const order = new IdleOrder()
  const looks: number[] = []
  for (let at = 0; at < 20_000; at++) {
    const socket = {
      get timeout() {
        looks.push(at)
        return 0
      },
    } as Socket
    order.add(connection(at + 1, socket))
  }
  const idle = connection(20_001)
  order.add(idle)
  let searches = 0
  for (let turn = 30_000; ; turn++) {
    looks.length = 0
    searches++
    const found = order.longestIdle(turn)
    assert.ok(looks.length <= 1_000, `${looks.length} looks`)
    if (found === idle) break
    assert.ok(searches < 100)
  }
  assert.ok(searches > 10)
})
