import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countriesOf, noSources } from '../scan/testing/sources.ts'

const network = '192.0.2.0'
const never = (): Promise<never> => new Promise(() => undefined)

test('a source that is loaded is not waited for', async () => {
  const sources = noSources({ countries: async () => countriesOf(() => 'DE') })
  assert.equal(sources.require([], network), undefined)
  await sources.load('countries')
  assert.equal(sources.require(['countries'], network), undefined)
  assert.equal(sources.loaded.countries?.countryOf(network), 'DE')
  assert.notEqual(sources.require(['countries', 'devices'], network), undefined)
})

test('while a table is made or loaded, a look into the files tells the place of each visitor', async () => {
  let isMade = false
  const sources = noSources({
    countries: async () => ({ countryOf: () => (isMade ? 'DE' : undefined), knows: () => isMade }),
    places: never,
    look: async (asked) => ({ country: asked === network ? 'JP' : 'AT', city: 'Tokyo' }),
  })
  for (const names of [['countries'], ['places'], ['countries', 'places', 'devices']] as const) {
    const { countries, places } = (await sources.require(names, network)) ?? assert.fail('not loaded')
    assert.equal(countries?.countryOf(network), 'JP')
    assert.deepEqual(places?.(network), { country: 'JP', city: 'Tokyo' })
  }
  const other = await sources.require(['countries'], '198.51.100.0')
  assert.equal(other?.countries?.countryOf('198.51.100.0'), 'AT', 'each look is for its visitor')
  assert.equal(sources.loaded.places, undefined)
  isMade = true
  assert.equal(sources.require(['countries'], network), undefined)
  isMade = false
  assert.notEqual(sources.require(['countries'], network), undefined, 'the database has changed')
})

test('code that loads slowly is waited for', async () => {
  const loading = Promise.withResolvers<void>()
  const sources = noSources(
    {
      devices: async () => {
        await loading.promise
        return () => ({ device: 'mobile' })
      },
    },
    { waitMsMax: 10 },
  )
  const required = sources.require(['devices'], network)
  await assert.rejects(
    Promise.race([required, new Promise((_, reject) => setTimeout(() => reject(new Error('later')), 100))]),
    /later/,
  )
  loading.resolve()
  assert.equal((await required)?.devices?.('').device, 'mobile')
})

test('a source that cannot be loaded, or not in time, leaves its facts unknown', async () => {
  let tries = 0
  const sources = noSources(
    {
      countries: async () => {
        tries++
        throw new Error('no file')
      },
      places: never,
      look: async () => {
        throw new Error('no file')
      },
    },
    { waitMsMax: 50 },
  )
  await sources.require(['countries'], network)
  await sources.require(['countries'], network)
  assert.equal(tries, 1, 'not tried again for each scan')
  await sources.require(['places'], network)
  assert.deepEqual(sources.loaded, {})
  const hangs = noSources({ countries: never, look: never }, { waitMsMax: 50 })
  assert.deepEqual(await hangs.require(['countries'], network), {})
})
