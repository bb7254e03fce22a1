import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { isIP } from 'node:net'
import { browserNames, osNames } from '@everscan/contract/rules/device-names.ts'
import type { SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import { countries } from '@everscan/contract/schema/countries.ts'
import { networkOf } from '../../address-networks.ts'
import { asks, type CompiledRule } from '../../rules/compile-rules.ts'
import { describedVisitor } from '../../rules/described-visitor.ts'
import type { VisitorFacts } from '../../rules/visitor-facts.ts'
import { isRegion } from '../validation/regions.ts'
import type { KnownPlace, RuleTools } from './rule-tools.ts'
import { validationError } from '../../request-errors.ts'

/** Throws ApiError 400 with every problem of a described visitor that its schema cannot express. */
export function checkVisitor(visitor: SimulatedVisitor): void {
  const { country, region, os, browser, device, userAgent, ip, at } = visitor
  const found: readonly [keyof SimulatedVisitor, Problem | undefined][] = [
    ['country', unless(country, countries.has.bind(countries), 'noSuchCountry')],
    ['region', unless(region, isRegion, 'noSuchRegion')],
    ['os', unless(os, osNames.has.bind(osNames), 'noSuchOs')],
    ['browser', unless(browser, browserNames.has.bind(browserNames), 'noSuchBrowser')],
    ['ip', ip === undefined || isIP(ip) !== 0 ? undefined : problem('notIpAddress')],
    ['at', unless(at, (time) => !Number.isNaN(Date.parse(time)), 'noSuchTime')],
    [
      'userAgent',
      userAgent === undefined || (device ?? os ?? browser) === undefined
        ? undefined
        : problem('notTogetherWith', { fields: 'device, os, browser' }),
    ],
  ]
  const problems = found.flatMap(([name, one]) =>
    one === undefined ? [] : [{ path: `visitor.${name}`, ...one }],
  )
  if (problems.length > 0) throw validationError(problems)
}

/** Returns the problem of a text that is given and not known. */
function unless(
  got: string | undefined,
  isKnown: (got: string) => boolean,
  name: 'noSuchCountry' | 'noSuchRegion' | 'noSuchOs' | 'noSuchBrowser' | 'noSuchTime',
): Problem | undefined {
  return got === undefined || isKnown(got) ? undefined : problem(name, { got })
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
