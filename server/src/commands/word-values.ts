import { keyScopes } from '@everscan/contract/resources/api-keys.ts'
import { roles } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { readNetwork } from '../catalogue/organizations/key-networks.ts'
import { expiryMs } from '../product/validation/expiry-dates.ts'

// Readers for the words of a command line: each returns the value, or throws an Error that says
// what was expected.

/** The address of an account that exists: earlier releases took addresses that are refused now. */
export function readEmail(text: string): string {
  return readAddress(patterns.email, text)
}

export function readNewEmail(text: string): string {
  return readAddress(patterns.mailAddress, text)
}

function readAddress(pattern: string, text: string): string {
  if (text.length <= limits.emailCharsMax && matches(pattern, text)) return text
  throw new Error('must be an e-mail address')
}

export function readName(text: string): string {
  if (text.length <= limits.nameCharsMax && matches(patterns.line, text)) return text
  throw new Error(`must be one line of 1 to ${limits.nameCharsMax} characters`)
}

/** Accepts lower case, too. */
export function readRole(text: string): string {
  const role = roles.find((known) => known === text.toUpperCase())
  if (role !== undefined) return role
  throw new Error(`must be one of ${roles.join(', ')}`)
}

/** Accepts an http or https URL. */
export function readWebAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text
  throw new Error('must be a URL that begins with http:// or https://')
}

/** Accepts the names of scopes, separated by commas, each at most once. */
export function readScopes(text: string): string {
  const scopes = wordsOf(text)
  const isList = scopes.every((scope) => keyScopes.some((known) => known === scope))
  if (isList && new Set(scopes).size === scopes.length) return scopes.join(',')
  throw new Error(`must be different scopes of ${keyScopes.join(', ')}, separated by commas`)
}

/** Returns networks in canonical form, separated by commas. */
export function readNetworks(text: string): string {
  const networks = new Set(wordsOf(text).map(networkOf))
  if (networks.size <= limits.keyNetworksMax) return [...networks].join(',')
  throw new Error(`must be at most ${limits.keyNetworksMax} networks`)
}

function networkOf(text: string): string {
  const network = readNetwork(text)
  if (typeof network === 'string') return network
  throw new Error(network.message)
}

function wordsOf(text: string): string[] {
  return text.split(',').map((word) => word.trim())
}

/** A date without a time means the end of that day in UTC. */
export function readDate(text: string): string {
  const endMs = matches(patterns.date, text) ? expiryMs(text) : undefined
  if (endMs === undefined)
    throw new Error('must be a date or a date with time, such as 2027-12-31 or 2027-12-31T18:00:00Z')
  return new Date(endMs).toISOString()
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text)
}
