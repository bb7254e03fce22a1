import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedRows, repairedCsv, withRepair } from './repairs.ts'

const values = { name: 'A', url: 'nope', tags: '' }

test('a row is changed if a value is another one than it failed with', () => {
  const error = { row: 7, line: 8, error: '', column: null, code: '', details: [], values }
  const once = withRepair({}, { row: 7, column: 'url', value: 'https://example.com' })
  const twice = withRepair(once, { row: 7, column: 'tags', value: 'x' })
  assert.deepEqual(twice, { 7: { url: 'https://example.com', tags: 'x' } })
  assert.deepEqual(changedRows([error], twice), [error])
  assert.deepEqual(changedRows([error], withRepair({}, { row: 7, column: 'url', value: 'nope' })), [])
  assert.deepEqual(changedRows([error], withRepair({}, { row: 8, column: 'url', value: 'x' })), [])
})

test('a file of repaired rows has only these, with quotes doubled', () => {
  const error = { row: 1, line: 2, error: '', column: null, code: '', details: [], values }
  const errors = [error, { ...error, row: 2 }, { ...error, row: 3 }]
  const csv = repairedCsv(errors, { 2: { name: 'say "hi"' }, 3: { name: 'A' } })
  assert.equal(csv, '"name","url","tags"\r\n"say ""hi""","nope",""\r\n')
})
