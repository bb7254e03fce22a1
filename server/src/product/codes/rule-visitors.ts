import { isIP } from 'node:net'
import { browserNames, osNames } from '@everscan/contract/rules/device-names.ts'
import type { SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import { countries } from '@everscan/contract/schema/countries.ts'
import { networkOf } from '../../address-networks.ts'
import type { ProblemDetail } from '../../errors.ts'
import { asks, type CompiledRule } from '../../rules/compile-rules.ts'
import { describedVisitor } from '../../rules/described-visitor.ts'
import type { VisitorFacts } from '../../rules/visitor-facts.ts'
import { isRegion } from '../validation/regions.ts'
import type { KnownPlace, RuleTools } from './rule-tools.ts'
import { validationError } from '../../request-errors.ts'

/** Throws ApiError 400 with every problem of a described visitor that its schema cannot express. */
export function checkVisitor(visitor: SimulatedVisitor): void {
  const { country, region, os, browser, device, userAgent, ip, at } = visitor
  const checks: readonly [keyof SimulatedVisitor, boolean, string][] = [
    ['country', country === undefined || countries.has(country), 'must be an ISO 3166-1 country code'],
    ['region', region === undefined || isRegion(region), 'must be an ISO 3166-2 code, like "DE-BY"'],
    ['os', os === undefined || osNames.has(os), 'must be an operating system as analytics name it'],
    ['browser', browser === undefined || browserNames.has(browser), 'must be a browser as analytics name it'],
    ['ip', ip === undefined || isIP(ip) !== 0, 'must be an IPv4 or IPv6 address'],
    ['at', at === undefined || !Number.isNaN(Date.parse(at)), 'must be a time that exists'],
    [
      'userAgent',
      userAgent === undefined || (device ?? os ?? browser) === undefined,
      'must not be sent together with device, os or browser',
    ],
  ]
  const problems: ProblemDetail[] = checks.flatMap(([name, isGood, message]) =>
    isGood ? [] : [{ path: `visitor.${name}`, message }],
  )
  if (problems.length > 0) throw validationError(problems)
}

/**
 * Returns the facts of a described visitor of a code. Sources are loaded only if a rule asks for
 * them, as for a scan.
 */
export async function visitorFacts(
  visitor: SimulatedVisitor,
  { compiled, qrCodeId, nowMs }: { compiled: readonly CompiledRule[]; qrCodeId: string; nowMs: number },
  { sources, visitorHash }: RuleTools,
): Promise<VisitorFacts> {
  const { ip, userAgent, at, key } = visitor
  const asksDevice = userAgent !== undefined && userAgent !== '' && asks(compiled, ...deviceConditions)
  const names = [
    ...(ip !== undefined && asks(compiled, 'countries') ? (['countries'] as const) : []),
    ...(ip !== undefined && asks(compiled, 'regions', 'cities') ? (['places'] as const) : []),
    ...(asksDevice ? (['devices'] as const) : []),
  ]
  const network = networkOf(ip ?? '')
  const loaded = (await sources.require(names, network)) ?? sources.loaded
  return describedVisitor(visitor, {
    timeMs: at === undefined ? nowMs : Date.parse(at),
    place: ip === undefined ? undefined : placeOf(network, loaded),
    device: asksDevice ? (loaded.devices?.(userAgent) ?? {}) : undefined,
    key: key ?? visitorHash(qrCodeId, ip ?? '', userAgent ?? ''),
  })
}

const deviceConditions = ['devices', 'os', 'browsers'] as const

/** The country comes from its own table, which is smaller, if no place is asked for. */
function placeOf(network: string, { places, countries: table }: RuleTools['sources']['loaded']): KnownPlace {
  if (places !== undefined) return places(network)
  const country = table?.countryOf(network)
  return country === undefined ? {} : { country }
}
