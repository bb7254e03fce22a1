import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iso31662 } from 'iso-3166'
import { regionCode } from './region-codes.ts'
import { englishNames } from './region-names.ts'

test('the regions that geography databases name have their ISO codes', () => {
  const cases: [string, string, string | undefined][] = [
    ['DE', 'Bavaria', 'DE-BY'],
    ['DE', 'State of Berlin', 'DE-BE'],
    ['DE', 'Saxony', 'DE-SN'],
    ['DE', 'Saxony-Anhalt', 'DE-ST'],
    ['DE', 'Rheinland-Pfalz', 'DE-RP'],
    ['US', 'California', 'US-CA'],
    ['US', 'District of Columbia', 'US-DC'],
    ['FR', 'Ile-de-France', 'FR-IDF'],
    ['FR', "Provence-Alpes-Cote d'Azur", 'FR-PAC'],
    ['GB', 'Scotland', 'GB-SCT'],
    ['IT', 'Lombardy', 'IT-25'],
    ['ES', 'Catalonia', 'ES-CT'],
    ['AT', 'Vienna', 'AT-9'],
    ['CH', 'Zurich', 'CH-ZH'],
    ['JP', 'Tokyo', 'JP-13'],
    ['SE', 'Stockholm', 'SE-AB'],
    ['CN', 'Anhui', 'CN-AH'],
    ['CA', 'Ontario', 'CA-ON'],
    ['BR', 'Sao Paulo', 'BR-SP'],
    ['DE', 'Atlantis', undefined],
    ['DE', '', undefined],
    ['XX', 'Bavaria', undefined],
  ]
  assert.deepEqual(
    cases.map(([country, name]) => [country, name, regionCode(country, name)]),
    cases,
  )
})

test('every English name stands for a code that ISO has', () => {
  const codes = new Set(iso31662.map(({ code }) => code))
  const named = Object.entries(englishNames).flatMap(([country, list]) =>
    list.split('; ').map((entry) => `${country}-${entry.split(' ')[0]}`),
  )
  assert.deepEqual(
    named.filter((code) => !codes.has(code)),
    [],
  )
})
