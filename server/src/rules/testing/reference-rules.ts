import type { Conditions, ExcludedConditions, Rule } from '@everscan/contract/rules/rules.ts'

/** The facts of a visitor, as plain values. Absent is unknown. */
export type ReferenceVisitor = {
  timeMs: number
  country?: string
  region?: string
  city?: string
  language?: string
  device?: 'mobile' | 'tablet' | 'desktop'
  os?: string
  browser?: string
  query?: string
  /** IPv4 or full groups of IPv6. */
  address?: string
  visit?: 'first' | 'again'
  key: string
}

/**
 * Returns the rule that answers. It follows only the words of the interface: it shares nothing with
 * the code under test, and looks the clocks up for every visitor.
 */
export function referenceRule(rules: readonly Rule[], visitor: ReferenceVisitor): Rule | undefined {
  return rules.find((rule) => rule.enabled && (rule.when === undefined || holds(rule.when, visitor)))
}

function holds({ not, ...when }: Conditions, visitor: ReferenceVisitor): boolean {
  if (fields(when, when.timeZone, visitor).includes(false)) return false
  if (not === undefined) return true
  const { days, from, to, ...others } = not
  const zone = not.timeZone ?? when.timeZone
  const alone = [
    others,
    ...(days === undefined ? [] : [{ days }]),
    ...(from === undefined || to === undefined ? [] : [{ from, to }]),
  ]
  return alone.every((part) => !fields(part, zone, visitor).includes(true))
}

/** Returns whether each given field holds. */
function fields(when: ExcludedConditions, zone: string | undefined, visitor: ReferenceVisitor): boolean[] {
  const { country, city, language = '', query, address, timeMs } = visitor
  const clock = zone === undefined ? undefined : clockAt(zone, timeMs)
  const parameters = (query ?? '').split('&').map((pair) => pair.split('='))
  return [
    ...isIn(when.countries, country),
    ...isIn(when.regions, visitor.region),
    ...isIn(when.devices, visitor.device),
    ...isIn(when.os, visitor.os),
    ...isIn(when.browsers, visitor.browser),
    ...(when.cities === undefined
      ? []
      : [when.cities.some((one) => one.country === country && one.city === city)]),
    ...(when.languages === undefined
      ? []
      : [when.languages.some((range) => `${language}-`.startsWith(`${range.toLowerCase()}-`))]),
    ...(when.query === undefined
      ? []
      : [
          Object.entries(when.query).every(([name, value]) =>
            parameters.some(([given, text = '']) => given === name && (value === null || value === text)),
          ),
        ]),
    ...(when.networks === undefined
      ? []
      : [address !== undefined && when.networks.some((network) => contains(network, address))]),
    ...(when.visit === undefined ? [] : [when.visit === visitor.visit]),
    ...(when.startsAt === undefined && when.endsAt === undefined
      ? []
      : [
          !(when.startsAt !== undefined && new Date(timeMs) < new Date(when.startsAt)) &&
            !(when.endsAt !== undefined && new Date(timeMs) >= new Date(when.endsAt)),
        ]),
    ...(clock === undefined ? [] : clockFields(when, clock)),
  ]
}

const week = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

function clockFields(
  { days, from, to }: ExcludedConditions,
  clock: { day: number; time: string },
): boolean[] {
  if (from === undefined || to === undefined)
    return days === undefined ? [] : [days.some((day) => day === week[clock.day])]
  const isLate = from > to && clock.time < to
  const isOpen = from < to ? clock.time >= from && clock.time < to : clock.time >= from || clock.time < to
  const day = isLate ? (clock.day + 6) % 7 : clock.day
  return [isOpen, ...(days === undefined ? [] : [days.some((one) => one === week[day])])]
}

const formats = new Map<string, Intl.DateTimeFormat>()

function clockAt(timeZone: string, timeMs: number): { day: number; time: string } {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
  formats.set(timeZone, format)
  const part = Object.fromEntries(format.formatToParts(timeMs).map(({ type, value }) => [type, value]))
  return {
    day: week.findIndex((day) => day === part['weekday']?.slice(0, 2).toUpperCase()),
    time: `${part['hour']}:${part['minute']}`,
  }
}

function contains(network: string, address: string): boolean {
  const [base = '', prefix] = network.split('/')
  if (base.includes(':') !== address.includes(':')) return false
  const length = prefix === undefined ? 128 : Number(prefix)
  return bits(base).slice(0, length) === bits(address).slice(0, length)
}

function isIn(list: readonly string[] | undefined, value: string | undefined): boolean[] {
  return list === undefined ? [] : [value !== undefined && list.includes(value)]
}

function bits(text: string): string {
  return text.includes(':')
    ? text
        .split(':')
        .map((group) => Number.parseInt(group, 16).toString(2).padStart(16, '0'))
        .join('')
    : text
        .split('.')
        .map((byte) => Number(byte).toString(2).padStart(8, '0'))
        .join('')
}
