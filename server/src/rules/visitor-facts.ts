import type { DeviceType } from '@everscan/contract/rules/device-names.ts'

/**
 * The facts that rules can ask about a visitor. Undefined is unknown: it fulfils no condition. A
 * method may be called many times a scan, so it remembers a result that takes long.
 */
export type VisitorFacts = {
  readonly timeMs: number
  /** ISO 3166-1 alpha-2. */
  country: () => string | undefined
  /** ISO 3166-2. */
  region: () => string | undefined
  /** As in analytics. */
  city: () => string | undefined
  /** The most preferred language: a BCP 47 tag in lower case. */
  language: () => string | undefined
  device: () => DeviceType | undefined
  /** As in analytics. */
  os: () => string | undefined
  /** As in analytics. */
  browser: () => string | undefined
  /** The query without its question mark. */
  query: () => string | undefined
  /** IPv4 or IPv6. */
  address: () => string | undefined
  visit: () => 'first' | 'again' | undefined
  /** Identifies the visitor; it decides the arms of splits. */
  key: () => string
}
