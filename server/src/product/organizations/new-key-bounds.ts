import { scopesAllow, type CreateApiKey, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import type { Problem } from '@everscan/contract/schema/problems.ts'
import type { KeyBounds } from '../../catalogue/organizations/api-keys.ts'
import { isWithinNetworks, readNetwork } from '../../catalogue/organizations/key-networks.ts'
import { expiryMs } from '../validation/expiry-dates.ts'
import { timestamp } from '../records/timestamps.ts'
import { validationError } from '../../request-errors.ts'

/**
 * Returns the limits of a new key. A key never gives more than it has, or its holder could keep
 * access by means of another key: what the request leaves out is taken from `maker`, the limits of
 * the key that sent it. Throws ApiError 400 with every problem.
 */
export function newKeyBounds(
  body: CreateApiKey,
  { maker, nowMs }: { maker: KeyBounds | undefined; nowMs: number },
): KeyBounds {
  const problems: Problem[] = []
  const bounds = {
    scopes: readScopes(body.scopes, maker?.scopes ?? null, problems),
    networks: readNetworks(body.networks, maker?.networks ?? null, problems),
    expiresAtMs: readExpiry(body.expiresAt, { makerMs: maker?.expiresAtMs ?? null, nowMs, problems }),
  }
  if (problems.length > 0) throw validationError(problems)
  return bounds
}

type Given<Field extends keyof CreateApiKey> = CreateApiKey[Field]

function readScopes(
  given: Given<'scopes'>,
  ofMaker: KeyBounds['scopes'],
  problems: Problem[],
): KeyBounds['scopes'] {
  if (given == null) return ofMaker
  for (const [index, scope] of given.entries())
    if (!scopesAllow(ofMaker, scope)) problems.push(scopeProblem(`scopes[${index}]`, scope, ofMaker ?? []))
  return given
}

function scopeProblem(path: string, scope: KeyScope, ofMaker: readonly KeyScope[]): Problem {
  const message = `must be a scope of the key of this request, which has ${ofMaker.join(', ')}, got "${scope}"`
  return { path, message }
}

function readNetworks(
  given: Given<'networks'>,
  ofMaker: KeyBounds['networks'],
  problems: Problem[],
): KeyBounds['networks'] {
  if (given == null) return ofMaker
  const networks = new Set<string>()
  for (const [index, text] of given.entries()) {
    const path = `networks[${index}]`
    try {
      const network = readNetwork(text)
      networks.add(network)
      if (ofMaker !== null && !isWithinNetworks(network, ofMaker))
        problems.push({
          path,
          message: `must lie within a network of the key of this request, which has ${ofMaker.join(', ')}, got "${text}"`,
        })
    } catch (error) {
      problems.push({ path, message: `${(error as Error).message}, got "${text}"` })
    }
  }
  return [...networks]
}

function readExpiry(
  given: Given<'expiresAt'>,
  { makerMs, nowMs, problems }: { makerMs: number | null; nowMs: number; problems: Problem[] },
): number | null {
  if (given == null) return makerMs
  const path = 'expiresAt'
  const timeMs = expiryMs(given)
  // The pattern accepts a leap second, which JavaScript cannot parse.
  if (timeMs === undefined)
    problems.push({ path, message: `must be a day and time that exist, got "${given}"` })
  else if (timeMs <= nowMs) problems.push({ path, message: `must be in the future, got "${given}"` })
  else if (makerMs !== null && timeMs > makerMs)
    problems.push({
      path,
      message: `must be at most ${timestamp(makerMs)}, when the key of this request expires, got "${given}"`,
    })
  return timeMs ?? null
}
