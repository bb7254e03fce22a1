import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { storedDetails, namedProblem, storedProblem, unnamed } from './named-problem.ts'

test('a stored sentence has the name of its problem, unless another release wrote the sentence', () => {
  const found = problem('receiverAnswered', { status: 503 })
  const stored = storedProblem(found)
  const { message, ...name } = found
  assert.deepEqual(namedProblem(message, stored), name)
  assert.deepEqual(storedDetails(message, stored), [{ path: '', ...found }])
  for (const [sentence, beside] of [
    [message, null],
    ['The receiver answered 500.', stored],
    [null, stored],
    [null, storedProblem(null)],
  ] as const) {
    assert.deepEqual(namedProblem(sentence, beside), unnamed)
    assert.deepEqual(storedDetails(sentence, beside), [])
  }
})
