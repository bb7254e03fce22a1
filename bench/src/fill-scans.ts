import { firstColumns } from '@everscan/server/analytics/testing/scan-rows.ts'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { filledQrCodeId } from './fill-catalogue.ts'

export const filledCodes = 20_000
/** Codes of an organization whose campaigns are compared. */
export const filledCodesMany = 100_000
const dayMs = 86_400_000
/** A year, the maximum period, in whole months, so that a month's batch is in one partition. */
export const filledPeriod = {
  startMs: Date.UTC(2025, 0, 1),
  endMs: Date.UTC(2026, 0, 1),
  timezone: 'UTC',
} as const

const countries =
  'DE FR ES IT GB US NL AT CH PL CZ SE DK NO FI PT BE IE GR HU RO BR MX AR CA AU NZ JP KR IN'.split(' ')
const systems = ['iOS', 'Android', 'Android', 'Android', 'Windows', 'macOS', 'iPadOS', 'Linux']
const browsers = [
  'Safari',
  'Chrome',
  'Chrome',
  'Samsung Internet',
  'Firefox',
  'Edge',
  'Instagram',
  'Facebook',
]
const referrers = ['', '', '', '', '', '', 'instagram.com', 'facebook.com', 'google.com', 'example.org']

/**
 * Writes scans of one organization, generated inside the scan store and spread over a year and over
 * `codes`, by default 20,000. The first code has one scan in ten, the others few or many. Three
 * scans in four are a visitor's first, and one in twelve is a bot's. Most come from a few of 30
 * countries and of 1,500 cities. Writes the rows from `from` to `to` (exclusive); the same numbers
 * give the same scans.
 */
export async function fillScans(
  store: ClickHouse,
  organizationId: string,
  { from = 0, to, codes = filledCodes }: { from?: number; to: number; codes?: number },
): Promise<void> {
  const step = 1_000_000
  for (let start = from; start < to; start += step) {
    const end = Math.min(to, start + step)
    await store.command(
      `insert into scans (${firstColumns})
       with
         cityHash64(number) as a, cityHash64(number, 1) as b, cityHash64(number, 2) as c, cityHash64(number, 3) as d,
         if(a % 10 = 0, 0, 1 + toUInt32(pow((b % 1000000) / 1000000, 3) * ${codes - 1})) as code,
         intDiv(number * 3, 4) as person,
         ${oneOf(countries, skewed('c', 2))} as country,
         b % 12 = 0 as isBot
       select
         {organizationId:String},
         concat({prefix:String}, leftPad(toString(code), 24, '0')),
         fromUnixTimestamp64Milli(toInt64({startMs:Int64} + d % {ms:UInt64}), 'UTC'),
         'bench', number,
         reinterpret(sipHash128(person, code), 'UUID'),
         if(isBot, 'bot', 'human'), if(isBot, 'Google', ''),
         country, concat(country, ' ', toString(toUInt32(pow((cityHash64(number, 4) % 1000) / 1000, 2) * 50))), '',
         null, null,
         ${oneOf(['mobile', 'mobile', 'mobile', 'mobile', 'mobile', 'mobile', 'desktop', 'tablet'], 'cityHash64(number, 5)')},
         ${oneOf(systems, 'cityHash64(number, 6)')},
         ${oneOf(browsers, 'cityHash64(number, 7)')},
         ${oneOf(referrers, 'cityHash64(number, 8)')},
         'en', toString(intDiv(number, 50000))
       from numbers({from:UInt64}, {count:UInt64})`,
      {
        organizationId,
        prefix: filledQrCodeId(0).slice(0, -24),
        startMs: filledPeriod.startMs,
        ms: filledPeriod.endMs - filledPeriod.startMs,
        from: start,
        count: end - start,
      },
      { deadlineMs: 10 * 60_000 },
    )
  }
}

/** Merges the parts of the store's tables, as the store does within minutes of the last scan. */
export async function settleScans(store: ClickHouse): Promise<void> {
  for (const table of ['scans', 'first_scans'])
    await store.command(`optimize table ${table} final`, {}, { deadlineMs: 30 * 60_000 })
}

/** The columns of a row that the breakdowns of another database need. */
export type PlainScan = readonly [
  qrCodeId: string,
  timeMs: number,
  visitor: string,
  isHuman: number,
  country: string,
  city: string,
  deviceType: string,
  os: string,
  browser: string,
  referrer: string,
]

/** Yields all filled scans, a day at a time. */
export async function* readScans(store: ClickHouse): AsyncGenerator<PlainScan[]> {
  for (let ms: number = filledPeriod.startMs; ms < filledPeriod.endMs; ms += dayMs) {
    const chunks = await store.bytes(
      `select qr_code_id, toUnixTimestamp64Milli(time), visitor, class = 'human', country, city, device_type, os, browser, referrer
       from scans
       where time >= fromUnixTimestamp64Milli({startMs:Int64}) and time < fromUnixTimestamp64Milli({endMs:Int64})
       format JSONCompactEachRow`,
      { startMs: ms, endMs: ms + dayMs },
    )
    const text = Buffer.concat(chunks).toString()
    yield text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as PlainScan)
  }
}

function oneOf(values: readonly string[], hash: string): string {
  return `[${values.map((value) => `'${value}'`).join(', ')}][1 + toUInt32((${hash}) % ${values.length})]`
}

/** Returns an index from a hash, small ones more often than large ones. */
function skewed(hash: string, power: number): string {
  return `toUInt32(pow((${hash} % 1000) / 1000, ${power}) * ${countries.length})`
}
