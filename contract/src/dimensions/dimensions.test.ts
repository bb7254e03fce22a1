import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { OrganizationAnalyticsQuery } from '../resources/analytics.ts'
import { patterns } from '../schema/patterns.ts'
import { listIn, listsOf, onlyLists } from './answered-lists.ts'
import { filterDimensions, listedDimensions, listOf, matrixDimensions } from './dimensions.ts'

test('the list of every dimension has one place in answers, and comes back from there', () => {
  const lists = listsOf((value) => [{ value, country: 'DE', scans: 3, percentage: 50 }])
  for (const name of listedDimensions) {
    const { isOfCountry, hasNoShare } = listOf(name)
    const [row = { value: '', scans: 0 }] = listIn(lists, name)
    assert.deepEqual(row, {
      value: name,
      ...(isOfCountry === true && { country: 'DE' }),
      scans: 3,
      ...(hasNoShare !== true && { percentage: 50 }),
    })
  }
  assert.deepEqual(onlyLists({ ...lists, other: 1 }), lists)
})

test('every dimension that filters is a parameter, and every one of a matrix is in its pattern', () => {
  const valid = new Map<string, string>([
    ['country', 'DE'],
    ['deviceType', 'mobile'],
    ['rule', 'none'],
  ])
  for (const name of filterDimensions) {
    const value = valid.get(name) ?? 'x'
    assert.ok(Value.Check(OrganizationAnalyticsQuery, { [name]: [value, `!${value}`] }), name)
  }
  for (const row of matrixDimensions)
    for (const column of matrixDimensions)
      assert.equal(new RegExp(patterns.matrix).test(`${row},${column}`), row !== column)
})
