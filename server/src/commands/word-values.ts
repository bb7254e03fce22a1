import { roles } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'

const dayMs = 86_400_000

// Readers for the words of a command line: each returns the value, or throws an Error that says
// what was expected.

export function readEmail(text: string): string {
  if (text.length <= limits.emailCharsMax && matches(patterns.email, text)) return text
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

/** A date without a time means the end of that day in UTC. */
export function readDate(text: string): string {
  const timeMs = Date.parse(text)
  if (!matches(patterns.date, text) || Number.isNaN(timeMs) || !isDay(text.slice(0, 10)))
    throw new Error('must be a date or a date with time, such as 2027-12-31 or 2027-12-31T18:00:00Z')
  return new Date(text.length === 10 ? timeMs + dayMs : timeMs).toISOString()
}

/** Whether the day exists: Node reads 30 February as a day in March. */
function isDay(day: string): boolean {
  const timeMs = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(day)
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, 'u').test(text)
}
