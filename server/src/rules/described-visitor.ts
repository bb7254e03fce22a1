import type { SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import type { VisitorFacts } from './visitor-facts.ts'

/** The place of a network, as far as it is known. */
type Place = { country?: string; region?: string; city?: string }
type Device = { device?: ReturnType<VisitorFacts['device']>; os?: string; browser?: string }

/** Facts that are looked up about a visitor whom a client describes. */
export type FoundFacts = {
  timeMs: number
  /** The place of the address. */
  place?: Place | undefined
  /** The device that the user agent tells. */
  device?: Device | undefined
  key: string
}

/** Returns the facts of a described visitor. What the client says takes precedence. */
export function describedVisitor(visitor: SimulatedVisitor, found: FoundFacts): VisitorFacts {
  const { timeMs, key, place = {} } = found
  const { device, os, browser } = found.device ?? visitor
  // A place is stated as a whole: the city of the address is not in the country that is stated.
  const isStated = visitor.country !== undefined || visitor.region !== undefined || visitor.city !== undefined
  const { country, region, city } = isStated ? visitor : place
  const query = visitor.query === undefined ? undefined : new URLSearchParams(visitor.query).toString()
  return {
    timeMs,
    country: () => country,
    region: () => region,
    city: () => city,
    language: () => visitor.languages?.[0]?.toLowerCase(),
    device: () => device,
    os: () => os,
    browser: () => browser,
    query: () => query,
    address: () => visitor.ip,
    visit: () => visitor.visit,
    key: () => key,
  }
}
