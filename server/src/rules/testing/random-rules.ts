import { pick, type Random } from '@everscan/contract/testing/random.ts'
import type { Conditions, ExcludedConditions, Rule } from '@everscan/contract/rules/rules.ts'
import { weekdays } from '@everscan/contract/schema/weekdays.ts'
import type { ReferenceVisitor } from './reference-rules.ts'

/** Zones with and without summer time, on both halves of the globe, and with odd offsets. */
export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Asuncion',
  'Africa/Casablanca',
  'Asia/Kolkata',
] as const

const values = {
  countries: ['DE', 'AT', 'US', 'JP'],
  regions: ['DE-BY', 'US-CA', 'JP-13'],
  cities: ['Munich', 'Vienna', 'Paris'],
  languages: ['de', 'de-AT', 'en', 'en-US', 'zh-Hant-TW', 'pt-BR'],
  devices: ['mobile', 'tablet', 'desktop'] as const,
  os: ['iOS', 'Android', 'Windows'],
  browsers: ['Safari', 'Chrome', 'Instagram'],
  networks: [
    '203.0.113.0/24',
    '203.0.113.128/25',
    '10.0.0.0/9',
    '0.0.0.0/0',
    '2001:db8:1::/48',
    '2001:db8::/29',
  ],
  addresses: [
    '203.0.113.5',
    '203.0.113.200',
    '10.127.1.1',
    '10.128.1.1',
    '2001:db8:1:0:0:0:0:5',
    '2001:dbf:ffff:0:0:0:0:1',
    '2001:dc0:0:0:0:0:0:1',
  ],
  queries: ['', 'table=7', 'table=8', 'table=7&bar', 'bar=&x=1', 'x=1&table=9&table=7'],
}
const fullNetworks: Readonly<Record<string, string>> = {
  '2001:db8:1::/48': '2001:db8:1:0:0:0:0:0/48',
  '2001:db8::/29': '2001:db8:0:0:0:0:0:0/29',
}

/** The network in the form that the reference reads. */
export const fullNetwork = (network: string): string => fullNetworks[network] ?? network

const startMs = Date.UTC(2026, 0)
const yearMs = 365 * 86_400_000
const minuteMs = 60_000

/** `share` is how many of the usual conditions rules have, 0 to 1. */
export function randomRules(random: Random, { rules = 4, share = 1 } = {}): Rule[] {
  return Array.from({ length: 1 + Math.floor(random() * rules) }, (_, at): Rule => ({
    id: `rul_${at}`,
    name: `Rule ${at}`,
    enabled: random() > 0.1,
    ...(random() > 0.05 && { when: randomConditions(random, share) }),
    data: { url: `https://example.com/${at}` },
  }))
}

function randomConditions(random: Random, share: number): Conditions {
  return {
    ...randomFields(random, share),
    timeZone: pick(random, zones),
    ...(random() < 0.4 * share && {
      not: { ...randomFields(random, share), ...(random() < 0.3 && { timeZone: pick(random, zones) }) },
    }),
  }
}

function randomFields(random: Random, share: number): ExcludedConditions {
  const has = () => random() < 0.12 * share
  const some = <Value>(list: readonly Value[]): Value[] => [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * 2) }, () => pick(random, list))),
  ]
  const time = () => `${two(Math.floor(random() * 24))}:${two(Math.floor(random() * 60))}`
  const from = time()
  const to = time()
  return {
    ...(has() && { countries: some(values.countries) }),
    ...(has() && { regions: some(values.regions) }),
    ...(has() && {
      cities: some(values.cities).map((city) => ({ country: pick(random, values.countries), city })),
    }),
    ...(has() && { languages: some(values.languages) }),
    ...(has() && { devices: some(values.devices) }),
    ...(has() && { os: some(values.os) }),
    ...(has() && { browsers: some(values.browsers) }),
    ...(random() < 0.3 * share && { days: some(weekdays) }),
    ...(random() < 0.4 * share && from !== to && { from, to }),
    ...(has() && { startsAt: new Date(randomMoment(random)).toISOString() }),
    ...(has() && { endsAt: new Date(randomMoment(random)).toISOString() }),
    ...(has() && { query: { [pick(random, ['table', 'bar'])]: pick(random, ['7', '', null]) } }),
    ...(has() && { networks: some(values.networks) }),
    ...(has() && { visit: pick(random, ['first', 'again'] as const) }),
  }
}

/** Any of its properties may be unknown. */
export function randomVisitor(random: Random): ReferenceVisitor {
  const knows = () => random() < 0.85
  return {
    timeMs: randomMoment(random),
    key: String(random()),
    ...(knows() && { country: pick(random, values.countries) }),
    ...(knows() && { region: pick(random, values.regions) }),
    ...(knows() && { city: pick(random, values.cities) }),
    ...(knows() && { language: pick(random, values.languages).toLowerCase() }),
    ...(knows() && { device: pick(random, values.devices) }),
    ...(knows() && { os: pick(random, values.os) }),
    ...(knows() && { browser: pick(random, values.browsers) }),
    ...(knows() && { query: pick(random, values.queries) }),
    ...(knows() && { address: pick(random, values.addresses) }),
    ...(knows() && { visit: pick(random, ['first', 'again'] as const) }),
  }
}

/** Whole minutes are more frequent than chance has them: there hours begin and end. */
function randomMoment(random: Random): number {
  const ms = startMs + Math.floor(random() * yearMs)
  return random() < 0.5 ? Math.floor(ms / minuteMs) * minuteMs : ms
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
