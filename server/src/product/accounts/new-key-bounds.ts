import { scopesAllow, type CreateApiKey, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import { problem, withGot, type FieldProblem } from '@everscan/contract/problems/problem.ts'
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
  const problems: FieldProblem[] = []
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
  problems: FieldProblem[],
): KeyBounds['scopes'] {
  if (given == null) return ofMaker
  for (const [index, scope] of given.entries())
    if (!scopesAllow(ofMaker, scope)) problems.push(scopeProblem(`scopes[${index}]`, scope, ofMaker ?? []))
  return given
}

function scopeProblem(path: string, scope: KeyScope, ofMaker: readonly KeyScope[]): FieldProblem {
  return { path, ...problem('scopeNotOfKey', { scopes: ofMaker.join(', '), got: scope }) }
}

function readNetworks(
  given: Given<'networks'>,
  ofMaker: KeyBounds['networks'],
  problems: FieldProblem[],
): KeyBounds['networks'] {
  if (given == null) return ofMaker
  const networks = new Set<string>()
  for (const [index, text] of given.entries()) {
    const path = `networks[${index}]`
    const network = readNetwork(text)
    if (typeof network === 'string') {
      networks.add(network)
      if (ofMaker !== null && !isWithinNetworks(network, ofMaker))
        problems.push({
          path,
          ...problem('networkNotOfKey', { networks: ofMaker.join(', '), got: text }),
        })
    } else problems.push({ path, ...withGot(network, text) })
  }
  return [...networks]
}

function readExpiry(
  given: Given<'expiresAt'>,
  { makerMs, nowMs, problems }: { makerMs: number | null; nowMs: number; problems: FieldProblem[] },
): number | null {
  if (given == null) return makerMs
  const path = 'expiresAt'
  const timeMs = expiryMs(given)
  // The pattern accepts a leap second, which JavaScript cannot parse.
  if (timeMs === undefined) problems.push({ path, ...problem('noSuchDay', { got: given }) })
  else if (timeMs <= nowMs) problems.push({ path, ...problem('notInFuture', { got: given }) })
  else if (makerMs !== null && timeMs > makerMs)
    problems.push({
      path,
      ...problem('expiresAfterKey', { max: timestamp(makerMs), got: given }),
    })
  return timeMs ?? null
}
