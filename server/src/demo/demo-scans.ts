import {
  demoBrowsers,
  demoPrograms,
  demoReferrers,
  type DemoBrowser,
  type DemoProgram,
  type DemoReferrer,
} from './demo-agents.ts'
import { demoAnswersOf, type DemoAnswer } from './demo-answers.ts'
import type { DemoCode } from './demo-code.ts'
import { demoCodes } from './demo-codes.ts'
import { demoPlaces, type DemoPlace } from './demo-places.ts'
import { dayBefore, dayMs, demoDays, demoHits, type DemoPlan } from './demo-plan.ts'
import { demoRhythms } from './demo-rhythms.ts'
import { countAround, pickIndex, pickWeighted, randomFrom, type Random } from './random.ts'

/** A made-up hit, with what is known of it because it was made so. */
export type DemoHit = {
  timeMs: number
  /** The key of its code. */
  code: string
  place: DemoPlace
  /** The made-up address of the client, in one of the networks of the place. */
  address: string
  /** The network of the address, as in `place.networks`. */
  network: string
  agent: DemoBrowser | DemoProgram
  referrer: DemoReferrer | undefined
  language: string
  /** The rule that answered; undefined: the code's own content. */
  answer: DemoAnswer | undefined
}

/** A person with a phone who scans a code, perhaps again. */
type Visitor = Pick<DemoHit, 'place' | 'address' | 'network' | 'agent' | 'language'>

const hourMs = dayMs / 24
/** Codes are printed at this hour (UTC) of their first day. */
const printedAtHour = 5
/** The share of hits that no person made. */
const programShare = 0.035
/** A visitor returns while at most this many others came after it. */
const recentVisitors = 400

/** Returns every hit of a demo, oldest first. The same plan gives the same hits. */
export function demoHitsOf(plan: DemoPlan): DemoHit[] {
  const hits = demoCodes.flatMap((code, index) => hitsOfCode(code, plan, randomFrom(plan.seed + index)))
  // The sort is stable: hits of one millisecond stay in the order of the codes.
  return hits.sort((a, b) => a.timeMs - b.timeMs)
}

/** Returns when a code was created. */
export function createdAtOf({ sinceDay = demoDays - 1 }: DemoCode, plan: DemoPlan): number {
  const atMs = dayBefore(plan, sinceDay) + printedAtHour * hourMs
  return Math.min(atMs, plan.nowMs)
}

/** Returns when a code was archived; undefined if it is in use. */
export function archivedAtOf({ archivedDay }: DemoCode, plan: DemoPlan): number | undefined {
  return archivedDay === undefined ? undefined : dayBefore(plan, archivedDay) + 12 * hourMs
}

function hitsOfCode(code: DemoCode, plan: DemoPlan, random: Random): DemoHit[] {
  const weights = demoCodes.reduce((sum, { weight }) => sum + weight, 0)
  const days = daysOf(code, plan, random)
  const ofDays = days.reduce((sum, { weight }) => sum + weight, 0)
  const fromMs = Math.max(plan.startMs, createdAtOf(code, plan))
  const endMs = archivedAtOf(code, plan) ?? plan.nowMs
  const places = placesOf(code)
  const visitors: Visitor[] = []
  const answerOf = demoAnswersOf(code)
  return days.flatMap(({ startMs, weight }) => {
    const count = countAround(random, ((demoHits * code.weight) / weights) * (weight / ofDays))
    return Array.from({ length: count }, () =>
      hitOn(code, { startMs, places, visitors, answerOf, random }),
    ).filter(({ timeMs }) => timeMs >= fromMs && timeMs < endMs)
  })
}

/** Returns the days on which a code is in use, each with its weight. */
function daysOf(code: DemoCode, plan: DemoPlan, random: Random): { startMs: number; weight: number }[] {
  const first = code.sinceDay ?? demoDays - 1
  const { weekdays } = demoRhythms[code.rhythm]
  return Array.from({ length: first - (code.archivedDay ?? 0) + 1 }, (_, index) => {
    const day = first - index
    const startMs = dayBefore(plan, day)
    const date = new Date(startMs)
    // The chain grows through the year, and rain or a fair make any day differ a little.
    const growth = 0.75 + (0.5 * (demoDays - day)) / demoDays
    const weather = 0.8 + 0.4 * random()
    const launch = 1 + (first < demoDays - 1 ? 2 * Math.exp(-index / 4) : 0)
    const weekday = weekdays[(date.getUTCDay() + 6) % 7] ?? 1
    const weight = weekday * growth * weather * launch * seasonOf(code, date) * peakOf(code, day)
    return { startMs, weight }
  })
}

function seasonOf({ season }: DemoCode, date: Date): number {
  if (season === undefined) return 1
  const monthsFromJuly = Math.abs(date.getUTCMonth() - 6)
  return 0.35 + Math.max(0, 1.5 - monthsFromJuly * 0.3)
}

function peakOf({ peak }: DemoCode, day: number): number {
  return peak === undefined ? 1 : 1 + (peak.times - 1) * Math.exp(-(((day - peak.day) / peak.widthDays) ** 2))
}

/** Returns the places of a code: its own cities, with a few tourists, or all. */
function placesOf({ cities }: DemoCode): readonly DemoPlace[] {
  if (cities === undefined) return demoPlaces
  return demoPlaces.map((place) => ({ ...place, weight: cities.includes(place.city) ? 900 : place.weight }))
}

function hitOn(
  code: DemoCode,
  {
    startMs,
    places,
    visitors,
    answerOf,
    random,
  }: {
    startMs: number
    places: readonly DemoPlace[]
    visitors: Visitor[]
    answerOf: ReturnType<typeof demoAnswersOf>
    random: Random
  },
): DemoHit {
  const isProgram = random() < programShare
  const isOld = !isProgram && visitors.length > 0 && random() < code.returning
  const at = visitors.length - 1 - Math.floor(random() * Math.min(visitors.length, recentVisitors))
  const known = isOld ? visitors[at] : undefined
  const visitor = known ?? newVisitor(places, isProgram ? demoPrograms : demoBrowsers, random)
  if (!isProgram && known === undefined) visitors.push(visitor)
  const isOnline = !isProgram && random() < (code.online ?? 0.01)
  const hour = pickIndex(random, demoRhythms[code.rhythm].hours) - visitor.place.hoursAhead
  const { place, address, network, agent, language } = visitor
  // The hours of a place that belong to another day (UTC) stay in this one.
  const timeMs = startMs + ((hour + 24) % 24) * hourMs + Math.floor(random() * hourMs)
  const referrer = isOnline ? pickWeighted(random, demoReferrers) : undefined
  const answer = answerOf({ timeMs, country: place.country, visitor: `${address} ${agent.userAgent}` })
  return { timeMs, code: code.key, place, address, network, agent, referrer, language, answer }
}

function newVisitor(
  places: readonly DemoPlace[],
  agents: readonly (DemoBrowser | DemoProgram)[],
  random: Random,
): Visitor {
  const place = pickWeighted(random, places)
  const network = place.networks[Math.floor(random() * place.networks.length)] ?? ''
  const { tag: language } = pickWeighted(random, place.languages)
  return {
    place,
    network,
    address: addressIn(network, random),
    agent: pickWeighted(random, agents),
    language,
  }
}

/** Returns an address of a network: IPv4 /24, or IPv6 /48 with a household's /64. */
function addressIn(network: string, random: Random): string {
  if (!network.includes(':')) return network.replace(/0$/, String(1 + Math.floor(random() * 254)))
  const household = (1 + Math.floor(random() * 0xfffe)).toString(16)
  return `${network.slice(0, -1)}${household}::1`
}
