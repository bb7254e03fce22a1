import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { limits } from '@everscan/contract/schema/limits.ts'
import { RightAnswers } from './right-answers.ts'

test('a right answer is known for a while, and decides on others', () => {
  let nowMs = 0
  const right = new RightAnswers(() => nowMs)
  assert.deepEqual([right.knows('hash'), right.check('öffne', 'hash')], [false, undefined])
  right.add('öffne', 'hash')
  assert.deepEqual(
    [right.knows('hash'), right.check('öffne', 'hash'), right.check('x', 'hash')],
    [true, true, false],
  )
  // Equal forms of Unicode are one, as for the slow check.
  assert.equal(right.check('o\u0308ffne', 'hash'), true)
  nowMs = limits.accessRememberedMinutes * 60_000
  assert.deepEqual([right.knows('hash'), right.check('öffne', 'hash')], [false, undefined])
})

test('a new password has a new hash: the old one is right no more', () => {
  const right = new RightAnswers()
  right.add('old', 'hash of old')
  assert.equal(right.check('old', 'hash of new'), undefined)
})

test('what is kept is no password, and differs from process to process', () => {
  const right = new RightAnswers()
  right.add('4711 is the PIN', 'hash')
  assert.doesNotMatch(inspect(right, { depth: 9, showHidden: true }), /4711/)
})
