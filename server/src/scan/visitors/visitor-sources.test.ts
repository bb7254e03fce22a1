import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSources } from '../testing/sources.ts'

test('a source that is loaded is not waited for', async () => {
  const sources = noSources({ countries: async () => () => 'DE' })
  assert.equal(sources.require([]), undefined)
  await sources.require(['countries'])
  assert.equal(sources.require(['countries']), undefined)
  assert.equal(sources.loaded.countries?.('192.0.2.0'), 'DE')
  assert.notEqual(sources.require(['countries', 'devices']), undefined)
})

test('a source that cannot be loaded, or not in time, leaves its facts unknown', async () => {
  let tries = 0
  const sources = noSources({
    countries: async () => {
      tries++
      throw new Error('no file')
    },
    places: () => new Promise(() => undefined),
  })
  await sources.require(['countries'])
  await sources.require(['countries'])
  assert.equal(tries, 1, 'not tried again for each scan')
  const fromMs = performance.now()
  await sources.require(['places'])
  assert.ok(performance.now() - fromMs < 10_000)
  assert.deepEqual(sources.loaded, {})
})
