import { createVisitorHash } from '@everscan/server/visitors/visitor-hash.ts'
import { randomFrom, type Random } from '@everscan/contract/testing/random.ts'
import { readRealBrowsers } from './real-browsers.ts'

// A simulation, not a measurement: it says how far unique scans are from the phones that scanned,
// if the inputs below hold. Everything is drawn from a fixed seed: each run gives the same figures.

/** A phone: its user agent, without the version that it has at a time, and where it is. */
type Phone = { userAgent: string; updateDay: number; household: number }
type Network = (phone: Phone, index: number, day: number, random: Random) => string

/** A new version is in the user agent every four weeks on Android (Chrome), every seven on iOS. */
const updateDays = { android: 28, ios: 49 } as const
/** Phones take an update within a week. */
const rolloutDays = 7
/** Two phones share the line of a household. */
const phonesOfHousehold = 2
/** A provider gives a household another IPv4 address twice a year. */
const leaseDays = 182
/** Public IPv4 addresses of a carrier for the phones of a region. */
const carrierAddresses = 256

const ipv4 = (number: number): string =>
  `203.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
const groups = (number: number): string => `${(number >>> 16).toString(16)}:${(number & 65_535).toString(16)}`
const ipv6 = (network: number, device: number): string => `2001:db8:${groups(network)}:0:0:${groups(device)}`

const below = (random: Random, bound: number): number => Math.floor(random() * bound)

const fixedIpv4: Network = ({ household }, _index, day) => ipv4(household * 8 + Math.floor(day / leaseDays))
const carrierNat: Network = (_phone, _index, _day, random) => ipv4(below(random, carrierAddresses))
const homeIpv6: Network = ({ household }, index, day) => ipv6(household, index * 1_000 + day)
const mobileIpv6: Network = (_phone, index, day) => ipv6((index + 1) * 10_000 + day, day)

/** The networks of the table. Each gives a phone an address on a day. */
const networks: Readonly<Record<string, Network>> = {
  /** A line at home with an IPv4 address. */
  fixedIpv4,
  /** A line at home with IPv6: one /64, in which phones change their half each day (RFC 8981). */
  homeIpv6,
  /** Mobile data behind the addresses of a carrier (CGNAT): another one for each scan. */
  carrierNat,
  /** Mobile data with IPv6: a /64 for each connection, which is another one each day. */
  mobileIpv6,
  /** Half of the scans at home, half with mobile data, and half of each with IPv6. */
  mixed: (phone, index, day, random) => {
    const network = [fixedIpv4, homeIpv6, carrierNat, mobileIpv6][below(random, 4)]
    return network?.(phone, index, day, random) ?? ''
  },
  /** A guest Wi-Fi: all phones have one address (with IPv6: one /64). */
  guestWifi: () => ipv4(1),
}

/** The days on which a phone scans, from 0. */
type Habit = { phones: number; daysOf: (random: Random) => number[] }

const workdays = (weeks: number): number[] =>
  Array.from({ length: weeks * 5 }, (_, at) => Math.floor(at / 5) * 7 + (at % 5))
const weekly = (weeks: number): number[] => Array.from({ length: weeks }, (_, at) => at * 7)
const someOf = (days: readonly number[], chance: number, random: Random): number[] =>
  days.filter(() => random() < chance)

const habits: Readonly<Record<string, Habit>> = {
  /** A poster for 30 days: each of 2,000 phones scans it once, one in ten again on another day. */
  poster: {
    phones: 2_000,
    daysOf: (random) => [below(random, 30), ...(random() < 0.1 ? [below(random, 30)] : [])],
  },
  /** The menu of a restaurant for 12 weeks: 300 guests, each there every second week. */
  weeklyMenu: { phones: 300, daysOf: (random) => someOf(weekly(12), 0.5, random) },
  /** A code of a workplace for four weeks: 100 phones, on nine of ten working days. */
  dailyCode: { phones: 100, daysOf: (random) => someOf(workdays(4), 0.9, random) },
  /** The same code for a year. */
  dailyCodeYear: { phones: 100, daysOf: (random) => someOf(workdays(52), 0.9, random) },
  /** The guests of an evening: 1,000 phones, each scans once. */
  evening: { phones: 1_000, daysOf: () => [0] },
}

/** Phones that scanned, their scans, and the unique scans that Everscan counts; and its ratio. */
export type Simulated = { phones: number; scans: number; uniqueScans: number; ratio: number }

/**
 * Counts unique scans of made-up phones with the visitor hash of a front, and compares them with
 * the phones that scanned: by habit, then by network. User agents have the shares of phones in the
 * package user-agents.
 */
export async function benchVisitors(): Promise<Record<string, Record<string, Simulated>>> {
  return Object.fromEntries(
    Object.entries(habits).map(([habit, one]) => [
      habit,
      Object.fromEntries(Object.entries(networks).map(([name, network]) => [name, simulate(one, network)])),
    ]),
  )
}

function simulate({ phones: count, daysOf }: Habit, network: Network): Simulated {
  const random = randomFrom(1)
  const draw = drawUserAgent()
  const visitorOf = createVisitorHash('a'.repeat(64))
  const visitors = new Set<string>()
  let phones = 0
  let scans = 0
  for (let index = 0; index < count; index++) {
    const phone: Phone = {
      userAgent: draw(random),
      updateDay: below(random, rolloutDays),
      household: Math.floor(index / phonesOfHousehold),
    }
    const days = daysOf(random)
    if (days.length > 0) phones++
    scans += days.length
    for (const day of days)
      visitors.add(visitorOf('qr', network(phone, index, day, random), userAgentOn(phone, day)))
  }
  const ratio = Math.round((visitors.size / phones) * 100) / 100
  return { phones, scans, uniqueScans: visitors.size, ratio }
}

function userAgentOn({ userAgent, updateDay }: Phone, day: number): string {
  const every = userAgent.includes('iPhone') ? updateDays.ios : updateDays.android
  return `${userAgent} ${Math.floor((day + rolloutDays - updateDay) / every)}`
}

/** Returns a function that draws user agents of phones by their share. */
function drawUserAgent(): (random: Random) => string {
  const phones = readRealBrowsers().filter(({ deviceCategory }) => deviceCategory === 'mobile')
  const sums: number[] = []
  for (const { weight } of phones) sums.push((sums.at(-1) ?? 0) + weight)
  return (random) => {
    const wanted = random() * (sums.at(-1) ?? 0)
    return phones[sums.findIndex((sum) => sum > wanted)]?.userAgent ?? ''
  }
}
