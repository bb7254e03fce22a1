import type { ScanRow } from '@everscan/server/analytics/insert/scan-row.ts'
import { pick, randomFrom } from '@everscan/contract/testing/random.ts'
import { filledQrCodeId } from '../fill-catalogue.ts'
import { filledCodes } from '../fill-scans.ts'

const countries = 'DE FR ES IT GB US NL AT CH PL CZ SE DK NO FI PT BE IE GR HU RO BR MX AR CA'.split(' ')
const systems = ['iOS', 'iOS', 'Android', 'Android', 'Android', 'Windows', 'macOS', 'Linux']
const browsers = ['Safari', 'Chrome', 'Chrome', 'Samsung Internet', 'Firefox', 'Edge', 'Instagram']
const referrers = ['', '', '', '', '', 'instagram.com', 'facebook.com', 'google.com', 'example.org']
const languages = ['de', 'de-DE', 'en-US', 'en-GB', 'fr', 'es', 'it', 'nl', 'pl']
const monthMs = 28 * 86_400_000
export const monthStartMs = Date.UTC(2026, 1, 1)

/** Rows of a month with a value in every column, as the service would record them. */
export function* fullRows(count: number, seed: number): Generator<{ row: ScanRow; isUnique: boolean }> {
  const random = randomFrom(seed)
  for (let at = 0; at < count; at++) {
    const country = countries[Math.floor(random() ** 2 * countries.length)] ?? 'DE'
    const place = Math.floor(random() ** 2 * 50)
    const code = random() < 0.1 ? 0 : 1 + Math.floor(random() ** 3 * (filledCodes - 1))
    const isHuman = random() >= 1 / 12
    const row: ScanRow = {
      organizationId: 'org_01m8e2t6bb38tz0266c47zrmp4',
      qrCodeId: filledQrCodeId(code),
      shortCode: `A${code.toString(36).toUpperCase().padStart(6, '0')}`,
      domain: random() < 0.2 ? 'go.example.com' : '',
      rule: random() < 0.1 ? 'rul_01m8e2t6bb38tz0266c47zrmp4' : '',
      arm: '',
      timeMs: monthStartMs + Math.floor(random() * monthMs),
      writer: 'w_01m8e2t6bb38tz0266c47zrmp4',
      sequence: seed * 10_000_000 + at,
      visitor: Array.from({ length: 4 }, () =>
        Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(8, '0'),
      ).join(''),
      class: isHuman ? 'human' : 'bot',
      botReason: isHuman ? '' : 'Google',
      country,
      city: `${country} ${place}`,
      region: `${country}-${place % 16}`,
      latitude: Math.round(300 + random() * 300) / 10,
      longitude: Math.round(random() * 300) / 10,
      deviceType: pick(random, ['mobile', 'mobile', 'mobile', 'mobile', 'mobile', 'desktop', 'tablet']),
      os: pick(random, systems),
      browser: pick(random, browsers),
      referrer: pick(random, referrers),
      language: pick(random, languages),
    }
    yield { row, isUnique: isHuman && random() < 0.75 }
  }
}

export type NumberedRow = { row: ScanRow; code: number; isUnique: boolean }

/** The codes that a question of the bench is about. */
export const numberedCodes = { tenth: 0, million: 1, small: 500 } as const
/** Of 1,000 scans: the code of the most, and the one that reaches a million of fifty. */
const sharesOfThousand = { tenth: 100, million: 24 }

/**
 * Returns the scan with this number: the same number always gives the same scan. One in ten is of
 * the first code, one in forty of the second, the others of few or many. One in four is of a
 * visitor who may have come before, long ago or lately; `isUnique` is whether no scan with a lower
 * number is of that visitor.
 */
export function numberedRow(
  number: number,
  scan: Pick<ScanRow, 'organizationId' | 'timeMs' | 'writer'>,
): NumberedRow {
  const isAgain = number % 4 === 3
  const person = isAgain ? Math.floor(number * 0.37) : number
  const [a, b, c, d] = [mixed(person, 1), mixed(person, 2), mixed(person, 3), mixed(person, 4)]
  const code = codeOf(a)
  const isHuman = b % 12 !== 0
  const country = Math.floor(share(c) ** 2 * countries.length)
  const place = Math.floor(share(d) ** 2 * placesOfCountry)
  const row: ScanRow = {
    ...scan,
    ...valueAt(codes, code),
    rule: b % 10 === 1 ? 'rul_01m8e2t6bb38tz0266c47zrmp4' : '',
    arm: '',
    sequence: number + 1,
    visitor: [a, b, c, person].map((part) => part.toString(16).padStart(8, '0')).join(''),
    class: isHuman ? 'human' : 'bot',
    botReason: isHuman ? '' : 'Google',
    country: countries[country] ?? '',
    ...valueAt(cities, country * placesOfCountry + place),
    deviceType: d % 8 < 6 ? 'mobile' : d % 8 === 6 ? 'desktop' : 'tablet',
    os: systems[(b >>> 4) % systems.length] ?? '',
    browser: browsers[(b >>> 8) % browsers.length] ?? '',
    referrer: referrers[(b >>> 12) % referrers.length] ?? '',
    language: languages[(b >>> 16) % languages.length] ?? '',
  }
  return { row, code, isUnique: isHuman && (!isAgain || person % 4 === 3) }
}

const placesOfCountry = 50
const cities = countries.flatMap((country, at) =>
  Array.from({ length: placesOfCountry }, (_, place) => ({
    city: `${country} ${place}`,
    region: `${country}-${place % 16}`,
    latitude: (300 + ((at * 37 + place * 11) % 300)) / 10,
    longitude: ((at * 53 + place * 7) % 300) / 10,
  })),
)
const codes = Array.from({ length: filledCodes }, (_, code) => ({
  qrCodeId: filledQrCodeId(code),
  shortCode: `A${code.toString(36).toUpperCase().padStart(6, '0')}`,
  domain: code % 5 === 0 ? 'go.example.com' : '',
}))

function valueAt<Value>(values: readonly Value[], index: number): Value {
  const value = values[index]
  if (value === undefined) throw new RangeError(`there is no value ${index}`)
  return value
}

function codeOf(hash: number): number {
  const place = hash % 1_000
  const { tenth, million } = sharesOfThousand
  if (place < tenth) return numberedCodes.tenth
  if (place < tenth + million) return numberedCodes.million
  return 2 + Math.floor(share(hash) ** 3 * (filledCodes - 2))
}

/** A number of 32 bits as one from 0 to 1 (exclusive). */
function share(hash: number): number {
  return hash / 2 ** 32
}

/** The finalizer of MurmurHash3. */
function mixed(number: number, salt: number): number {
  let hash = Math.imul(number + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
