import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { inField, validationError } from './request-errors.ts'

test('an error with one detail has its name and values, one with several says how many', () => {
  const name = { path: 'name', ...problem('tooLong', { max: 255, got: 300 }) }
  const one = validationError([name])
  assert.deepEqual([one.problem, one.values], ['tooLong', { max: 255, got: 300 }])
  assert.equal(one.message, 'name: must have at most 255 characters, got 300')
  const two = validationError([name, { path: 'type', ...problem('required') }])
  assert.deepEqual([two.problem, two.values, two.details?.length], ['severalProblems', { count: 2 }, 2])
})

test('a problem keeps its name in the message of the whole request', () => {
  assert.deepEqual(inField('shortCode', problem('shortCodeReserved')), {
    problem: 'shortCodeReserved',
    values: {},
    message: 'shortCode: must not be a reserved word',
  })
})
