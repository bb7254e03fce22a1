import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callProblems } from './call-problems.ts'
import { fillText } from './fill-text.ts'
import { problem } from './problem.ts'

test('a problem about the last call tells that one, with its values', () => {
  const values = { host: 'a.example', code: 'E1', cause: 'E2', seconds: 3, status: 503 }
  for (const [last, text] of Object.entries(callProblems)) {
    if (typeof text === 'function') continue
    const own = fillText(text, values)
    const failed = problem('callsFailed', { ...values, calls: 50, last })
    assert.equal(failed.message, `50 calls in a row failed, the last one: ${own}`)
    const silent = problem('serviceSilent', { ...values, service: 'bit.ly', last })
    assert.equal(silent.message, `bit.ly gives no answer: ${own}`)
  }
})
