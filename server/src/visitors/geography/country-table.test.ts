import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serialize } from 'node:v8'
import { pino } from 'pino'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { createCityFileLook } from './city-file-look.ts'
import type { CountryRanges } from './country-ranges.ts'
import type { CountryTable } from './country-table.ts'
import { openGeography, type GeographyFiles } from './geography.ts'
import { openCountryTable } from './open-country-table.ts'
import { cityFileBytes } from './testing/city-file.ts'

const log = pino({ level: 'silent' })
const cacheDir = mkdtempSync(join(tmpdir(), 'everscan-countries-'))
after(() => rmSync(cacheDir, { recursive: true }))

/** Opens a table and waits until it is made. */
async function opened(files: GeographyFiles, dir = cacheDir): Promise<CountryTable> {
  const { table, updated } = openCountryTable({ files, cacheDir: dir, log })
  await updated
  return table
}

test('the countries of 200,000 random networks are those of the city databases, in 20 MB', async () => {
  const random = seededRandom()
  const table = await opened({})
  const places = await openGeography({ log })
  assert.ok(table.bytes < 20_000_000, `${table.bytes} bytes`)
  const byte = () => Math.floor(random() * 256)
  const group = () => Math.floor(random() * 65_536).toString(16)
  let known = 0
  for (let at = 0; at < 200_000; at++) {
    const network =
      at % 2 === 0
        ? `${byte()}.${byte()}.${byte()}.0`
        : `${(0x2000 + Math.floor(random() * 0xc00)).toString(16)}:${group()}:${random() < 0.5 ? '0' : group()}::`
    const { country } = places.locate(network)
    const found = table.countryOf(network) ?? 'XX'
    if (found !== country) assert.equal(found, country, network)
    if (country !== 'XX') known++
  }
  assert.ok(known > 60_000, `${known} of 200,000 were known`)
  assert.equal(table.countryOf(''), undefined)
})

test('the table is saved, and made again if the saved one is damaged', async () => {
  const files = readdirSync(cacheDir)
  assert.equal(files.length, 2)
  const fromMs = performance.now()
  await opened({})
  const savedMs = performance.now() - fromMs
  assert.ok(savedMs < 2_000, `${savedMs} ms`)
  for (const file of files) writeFileSync(join(cacheDir, file), 'damaged')
  const table = await opened({})
  assert.equal(table.countryOf('8.8.8.0'), 'US')
})

test('a table that is not made yet, or is of the database before, says that it does not know', async () => {
  const [v4 = ''] = readdirSync(cacheDir).filter((file) => file.startsWith('countries-v4-'))
  const before: CountryRanges = {
    starts: new Float64Array([0]),
    countries: new Uint8Array([1]),
    codes: ['', 'JP'],
  }
  rmSync(join(cacheDir, v4))
  writeFileSync(join(cacheDir, 'countries-v4-before.bin'), serialize(before))
  const { table, updated } = openCountryTable({ files: {}, cacheDir, log })
  assert.equal(table.knows('8.8.8.0'), false)
  assert.equal(table.knows('2001:4860:4860::'), false)
  assert.equal(table.knows(''), true, 'nothing is known of no network')
  await updated
  assert.equal(table.knows('8.8.8.0'), true)
  assert.equal(table.countryOf('8.8.8.0'), 'US')
  assert.deepEqual(
    readdirSync(cacheDir).filter((file) => file.startsWith('countries-v4-')),
    [v4],
  )
})

test('without databases no country is known; a damaged new one leaves those of the earlier one', async () => {
  const files = { cityV4: '/nowhere', cityV6: join(import.meta.dirname, 'geography.ts') }
  const empty = await opened(files, join(cacheDir, 'empty'))
  for (const network of ['8.8.8.0', '2001:4860:4860::'])
    assert.deepEqual([empty.knows(network), empty.countryOf(network)], [true, undefined])
  const table = await opened(files)
  const earlier = await opened({})
  assert.equal(table.countryOf('2001:4860:4860::') ?? 'none', earlier.countryOf('2001:4860:4860::'))
})

test('a look into the files finds what the loaded databases do, without loading them', async () => {
  const random = seededRandom()
  const look = createCityFileLook({})
  const places = await openGeography({ log })
  const byte = () => Math.floor(random() * 256)
  const group = () => Math.floor(random() * 65_536).toString(16)
  const networks = Array.from({ length: 2_000 }, (_, at) =>
    at % 2 === 0
      ? `${byte()}.${byte()}.${byte()}.0`
      : `${(0x2000 + Math.floor(random() * 0xc00)).toString(16)}:${group()}:${group()}::`,
  )
  const found = await Promise.all(networks.map(look))
  for (const [at, network] of networks.entries()) {
    const { country, region, city } = places.locate(network)
    const { latitude: _, longitude: __, ...place } = found[at] ?? assert.fail()
    assert.deepEqual(place, { country, region, city }, network)
  }
  assert.deepEqual((await look('')).country, 'XX')
})

test('a look rejects without a file, with a damaged one, and reads one that was replaced', async () => {
  const file = join(cacheDir, 'city.mmdb')
  const look = createCityFileLook({ cityV4: file })
  await assert.rejects(look('8.8.8.0'), /ENOENT/)
  writeFileSync(file, 'half a file')
  await assert.rejects(look('8.8.8.0'))
  for (const iso_code of ['CH', 'AT']) {
    const records = { '0000100000001000': { country: { iso_code } } }
    const bytes = cityFileBytes({ type: 'GeoLite2-City', builtMs: 1e12, ipVersion: 4, records })
    writeFileSync(`${file}.new`, bytes)
    renameSync(`${file}.new`, file)
    assert.equal((await look('8.8.8.0')).country, iso_code)
  }
})
