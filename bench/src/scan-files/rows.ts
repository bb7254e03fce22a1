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
