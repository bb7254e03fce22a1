import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecentCache } from './recent-cache.ts'

test('the cache is bounded and keeps what is used', () => {
  const cache = new RecentCache<number>(100)
  for (let i = 0; i < 10_000; i++) {
    cache.set(`key${i}`, i)
    cache.get('key0')
  }
  assert.ok(cache.size <= 101, `${cache.size}`)
  assert.equal(cache.get('key0'), 0)
  assert.equal(cache.get('key1'), undefined)
})

test('a cleared cache has nothing, neither of what came last nor of what came before, and room for as much again', () => {
  const cache = new RecentCache<number>(10)
  const fill = (): void => {
    for (let i = 0; i < 8; i++) cache.set(`key${i}`, i)
  }
  fill()
  assert.equal(cache.size, 8)
  cache.clear()
  assert.equal(cache.size, 0)
  for (let i = 0; i < 8; i++) assert.equal(cache.get(`key${i}`), undefined)
  for (let i = 0; i < 10; i++) cache.set(`new${i}`, i)
  assert.equal(cache.size, 10, 'what was cleared weighs nothing')
})

test('values that weigh more are fewer, and one that is replaced or deleted weighs nothing', () => {
  const cache = new RecentCache<string>(1_000, (value) => value.length)
  let weight = 0
  for (let i = 0; i < 1_000; i++) {
    cache.set(`key${i}`, 'x'.repeat(i % 100))
    cache.set('same', 'x'.repeat(90))
    cache.set('gone', 'x'.repeat(90))
    cache.delete('gone')
  }
  for (let i = 0; i < 1_000; i++) weight += cache.get(`key${i}`)?.length ?? 0
  assert.ok(weight > 300 && weight <= 1_200, `${weight}`)
  assert.equal(cache.get('gone'), undefined)
})
