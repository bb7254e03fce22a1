import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  filtersIn,
  isFilteredBy,
  readFilterValues,
  withFilters,
  withoutFilters,
  withSwitched,
  type Filter,
} from './filters.ts'

const is = (name: Filter['name'], value: string): Filter => ({ name, value, isNot: false })
const isNot = (name: Filter['name'], value: string): Filter => ({ name, value, isNot: true })

test('a wanted value replaces the one before it; excluded values stay', () => {
  const both = { country: ['!US', 'DE'], os: ['iOS'] }
  assert.deepEqual(withFilters(both, [is('country', 'FR')]), { country: ['!US', 'FR'] })
  assert.deepEqual(withFilters(both, [isNot('country', 'FR')]), { country: ['!US', 'DE', '!FR'] })
  assert.deepEqual(withFilters({}, [is('city', 'Berlin'), is('country', 'DE')]), {
    city: ['Berlin'],
    country: ['DE'],
  })
})

test('no value is both wanted and excluded', () => {
  assert.deepEqual(withFilters({ country: ['DE'] }, [isNot('country', 'DE')]), { country: ['!DE'] })
  assert.deepEqual(withFilters({ country: ['!DE'] }, [is('country', 'DE')]), { country: ['DE'] })
})

test('"is" becomes "is not" and back, in its place', () => {
  const filters = { os: ['iOS', '!Android', 'Windows'] }
  assert.deepEqual(withSwitched(filters, is('os', 'iOS')), { os: ['!iOS', '!Android', 'Windows'] })
  assert.deepEqual(withSwitched(filters, isNot('os', 'Android')), { os: ['iOS', 'Android', 'Windows'] })
})

test('filters are removed alone; a filter without values is gone', () => {
  const filters = { city: ['Berlin'], country: ['DE', '!US'] }
  assert.deepEqual(withoutFilters(filters, [is('city', 'Berlin'), is('country', 'DE')]), {
    city: undefined,
    country: ['!US'],
  })
  assert.deepEqual(withoutFilters(filters, [isNot('city', 'Berlin')]), { city: ['Berlin'] })
})

test('names that begin with ! are values, too, wanted and excluded', () => {
  const wanted = withFilters({}, [is('city', '!Kheis')])
  assert.deepEqual(wanted, { city: ['\\!Kheis'] })
  assert.deepEqual(filtersIn(wanted), [is('city', '!Kheis')])
  assert.deepEqual(filtersIn(withSwitched(wanted, is('city', '!Kheis'))), [isNot('city', '!Kheis')])
  assert.deepEqual(withSwitched(wanted, is('city', '!Kheis')), { city: ['!!Kheis'] })
  assert.equal(isFilteredBy(wanted, [is('city', '!Kheis')]), true)
})

test('an empty referrer is a value, an empty city is none', () => {
  assert.deepEqual(readFilterValues('referrer', ['', '!']), ['', '!'])
  assert.equal(readFilterValues('city', ['', '!']), undefined)
  assert.deepEqual(readFilterValues('country', ['!DE', 'US', '!de', '!!DE']), ['!DE', 'US'])
})
