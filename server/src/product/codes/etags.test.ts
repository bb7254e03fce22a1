import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, ifMatchHolds, ifNoneMatchHits } from './etags.ts'

test('a tag depends on every part and on the boundaries of the parts', () => {
  assert.equal(etagOf('a', 1), etagOf('a', 1))
  assert.notEqual(etagOf('ab', 'c'), etagOf('a', 'bc'))
})

const isA = (tag: string) => tag === '"a"'

test('If-Match compares strongly: a list, a star, no header', () => {
  assert.equal(ifMatchHolds(undefined, isA), true)
  assert.equal(ifMatchHolds('*', isA), true)
  assert.equal(ifMatchHolds('"x", "a"', isA), true)
  assert.equal(ifMatchHolds('W/"a"', isA), false)
  assert.equal(ifMatchHolds('"x"', isA), false)
  assert.equal(ifMatchHolds('nonsense', isA), false)
})

test('If-None-Match compares weakly', () => {
  assert.equal(ifNoneMatchHits(undefined, '"a"'), false)
  assert.equal(ifNoneMatchHits('W/"a"', '"a"'), true)
  assert.equal(ifNoneMatchHits('"x", "a"', '"a"'), true)
  assert.equal(ifNoneMatchHits('"a"', 'W/"a"'), true)
  assert.equal(ifNoneMatchHits('"x"', '"a"'), false)
})
