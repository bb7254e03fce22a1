import type { VisitorFacts } from '../visitor-facts.ts'
import type { ReferenceVisitor } from './reference-rules.ts'

/** Returns the facts of a visitor of whom everything is known beforehand. */
export function knownVisitor(visitor: ReferenceVisitor): VisitorFacts {
  return {
    timeMs: visitor.timeMs,
    country: () => visitor.country,
    region: () => visitor.region,
    city: () => visitor.city,
    language: () => visitor.language,
    device: () => visitor.device,
    os: () => visitor.os,
    browser: () => visitor.browser,
    query: () => visitor.query,
    address: () => visitor.address,
    visit: () => visitor.visit,
    key: () => visitor.key,
  }
}
