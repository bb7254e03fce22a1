import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from './errors.ts'
import { errorBelow, inField, queryError, validationError } from './request-errors.ts'

test('an error with one detail has its name and values, one with several says how many', () => {
  const name = { path: 'name', ...problem('tooLong', { max: 255, got: 300 }) }
  const one = validationError([name])
  assert.deepEqual([one.told.problem, one.told.values], ['tooLong', { max: 255, got: 300 }])
  assert.equal(one.message, 'name: must have at most 255 characters, got 300')
  const two = validationError([name, { path: 'type', ...problem('required') }])
  assert.deepEqual(
    [two.told.problem, two.told.values, two.details?.length],
    ['severalProblems', { count: 2 }, 2],
  )
})

test('an error of a part of the body, or about another error, keeps its name and values', () => {
  const error = validationError([{ path: 'name', ...problem('tooLong', { max: 255, got: 300 }) }])
  const below = errorBelow('qrCodes[3]', error)
  assert.deepEqual(
    [below.told.problem, below.told.values, below.details?.[0]?.path],
    ['tooLong', { max: 255, got: 300 }, 'qrCodes[3].name'],
  )
  const other = new ApiError(422, 'STYLE_NOT_SCANNABLE', problem('required'), {
    details: [{ path: '', ...problem('required') }],
  })
  assert.equal(errorBelow('style', other).told.problem, 'required')
  assert.deepEqual(new ApiError(409, 'CONFLICT', error.told).told, error.told)
})

test('an unknown parameter is told as one', () => {
  assert.equal(
    queryError([{ path: 'x', ...problem('unknownField') }]).message,
    '"x" is not a known parameter',
  )
})

test('a problem keeps its name in the message of the whole request', () => {
  assert.deepEqual(inField('shortCode', problem('shortCodeReserved')), {
    problem: 'shortCodeReserved',
    values: {},
    message: 'shortCode: must not be a reserved word',
  })
})
