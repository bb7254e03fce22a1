import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysUntilGuessed } from './password-worth.ts'

test('a short password of a code is worth some days, and a long one more than ten years', () => {
  assert.deepEqual(['7', '4711', '47112', '471123', 'abcd'].map(daysUntilGuessed), [1, 17, 170, 1700, 777])
  for (const password of ['12345678', 'open sesame', 'Ab3xY', 'öffne dich'])
    assert.equal(daysUntilGuessed(password), undefined, password)
})
