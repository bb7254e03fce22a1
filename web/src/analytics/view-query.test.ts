import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { OrganizationAnalyticsQuery } from '@everscan/contract/resources/analytics.ts'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { hasScope, readAnalyticsSearch, type AnalyticsSearch } from './analytics-search.ts'
import { filterNames } from './filters.ts'
import { periodNames } from './periods.ts'
import { selectedIds } from '../codes/selected-ids.ts'
import { searchOfView, viewQueryOf } from './view-query.ts'

const known = (search: AnalyticsSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
const idsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `qr_${String(at).padStart(26, '0')}`)

const values = ['DE', '!US', 'XX']
/** Every state of each part of a view. */
const parts: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
  period: periodNames.map((period) =>
    period === 'own' ? { period, from: '2026-02-01', to: '2026-03-15' } : { period },
  ),
  timezone: [{}, { timezone: 'Pacific/Kiritimati' }],
  interval: [{}, ...['hour', 'day', 'week', 'month'].map((interval) => ({ interval }))],
  matrix: [{}, { matrix: 'os,city' }],
  filters: [
    {},
    ...filterNames.map((name) => ({ [name]: name === 'deviceType' ? ['mobile', '!tablet'] : values })),
    { rule: ['none', '!rul_01jqzv4x8m3c5t7w9y2b4d6f8h'], arm: ['', '!A', '\\!B'] },
    { city: ['\\!Kheis', '!!Kheis'], referrer: ['', '!'] },
  ],
  scope: [
    {},
    { folder: 'fld_1' },
    { folder: 'none', tags: ['a', 'b c', '7'] },
    ...qrCodeTypes.map((type) => ({ type })),
    { ids: idsOf(2).join() },
  ],
}

test('every state of a view, with every other, survives the way to the names of the API and back', () => {
  const states = Object.values(parts).flatMap((part, at) =>
    Object.values(parts)
      .slice(at + 1)
      .flatMap((other) => part.flatMap((state) => other.map((more) => ({ ...state, ...more })))),
  )
  assert.ok(states.length > 500)
  for (const state of states) {
    const search = readAnalyticsSearch(state)
    assert.deepEqual(known(searchOfView(viewQueryOf(search))), known(search))
  }
})

test('a view has only parameters of the API, beside its period', () => {
  for (const part of Object.values(parts).flat()) {
    const { period, ...query } = viewQueryOf(readAnalyticsSearch(part))
    assert.ok(Value.Check(OrganizationAnalyticsQuery, query), JSON.stringify(query))
    assert.equal(period === undefined, query.startDate !== undefined)
  }
  assert.deepEqual(
    Object.keys(viewQueryOf(readAnalyticsSearch({ compare: false, page: 3, sort: 'name', bots: true }))),
    ['period', 'timezone'],
  )
})

test('a view of a thousand codes has them all, also where a browser keeps nothing', () => {
  const ids = idsOf(1_000)
  const search = searchOfView({ period: 'today', ids })
  assert.deepEqual(selectedIds(search), ids)
  assert.deepEqual(viewQueryOf(search).ids, [ids.join()])
  // The name of a selection that nobody knows stands for no codes, not for all.
  assert.equal(selectedIds({ selection: 'sabc' }), undefined)
  assert.equal(hasScope({ selection: 'sabc' }), true)
})
