import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serialize } from 'node:v8'
import { pino } from 'pino'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import type { CountryRanges } from './country-ranges.ts'
import { openGeography } from './geography.ts'
import { openCountryTable } from './open-country-table.ts'

const log = pino({ level: 'silent' })
const cacheDir = mkdtempSync(join(tmpdir(), 'everscan-countries-'))
after(() => rmSync(cacheDir, { recursive: true }))

test('the countries of 200,000 random networks are those of the city databases, in 20 MB', async () => {
  const random = seededRandom()
  const { table } = await openCountryTable({ files: {}, cacheDir, log })
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
  await openCountryTable({ files: {}, cacheDir, log })
  const savedMs = performance.now() - fromMs
  assert.ok(savedMs < 2_000, `${savedMs} ms`)
  for (const file of files) writeFileSync(join(cacheDir, file), 'damaged')
  const { table } = await openCountryTable({ files: {}, cacheDir, log })
  assert.equal(table.countryOf('8.8.8.0'), 'US')
})

test('after an update the table begins with the countries of the database before, for a moment', async () => {
  const [v4 = ''] = readdirSync(cacheDir).filter((file) => file.startsWith('countries-v4-'))
  const before: CountryRanges = {
    starts: new Float64Array([0]),
    countries: new Uint8Array([1]),
    codes: ['', 'JP'],
  }
  rmSync(join(cacheDir, v4))
  writeFileSync(join(cacheDir, 'countries-v4-before.bin'), serialize(before))
  const { table, updated } = await openCountryTable({ files: {}, cacheDir, log })
  assert.equal(table.countryOf('8.8.8.0'), 'JP')
  await updated
  assert.equal(table.countryOf('8.8.8.0'), 'US')
  assert.deepEqual(
    readdirSync(cacheDir).filter((file) => file.startsWith('countries-v4-')),
    [v4],
  )
})

test('without databases no country is known; a damaged new one leaves those of the earlier one', async () => {
  const files = { cityV4: '/nowhere', cityV6: join(import.meta.dirname, 'geography.ts') }
  const empty = await openCountryTable({ files, cacheDir: join(cacheDir, 'empty'), log })
  await empty.updated
  assert.equal(empty.table.countryOf('8.8.8.0'), undefined)
  assert.equal(empty.table.countryOf('2001:4860:4860::'), undefined)
  const { table, updated } = await openCountryTable({ files, cacheDir, log })
  await updated
  const { table: earlier } = await openCountryTable({ files: {}, cacheDir, log })
  assert.equal(table.countryOf('2001:4860:4860::') ?? 'none', earlier.countryOf('2001:4860:4860::'))
})
