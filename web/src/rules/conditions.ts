import type { ExcludedConditions } from '@everscan/contract/rules/rules.ts'
import { ownTimeZone } from './rule-templates.ts'

/** Conditions as the form shows them: each is one or more fields of the interface. */
export const conditionNames = [
  'hours',
  'period',
  'countries',
  'languages',
  'devices',
  'os',
  'browsers',
  'regions',
  'cities',
  'query',
  'networks',
  'visit',
] as const
export type ShownCondition = (typeof conditionNames)[number]

const fieldsOf: Readonly<Record<ShownCondition, readonly (keyof ExcludedConditions)[]>> = {
  hours: ['days', 'from', 'to'],
  period: ['startsAt', 'endsAt'],
  countries: ['countries'],
  languages: ['languages'],
  devices: ['devices'],
  os: ['os'],
  browsers: ['browsers'],
  regions: ['regions'],
  cities: ['cities'],
  query: ['query'],
  networks: ['networks'],
  visit: ['visit'],
}

/** Returns the conditions that are in use, in the order of the form. */
export function shownConditions(when: ExcludedConditions): ShownCondition[] {
  return conditionNames.filter((name) => fieldsOf[name].some((field) => when[field] !== undefined))
}

/** Returns conditions with another one, as it begins. */
export function withCondition<Part extends ExcludedConditions>(
  when: Part,
  name: ShownCondition,
  timeZone: string = ownTimeZone(),
): Part {
  const added: Readonly<Record<ShownCondition, ExcludedConditions>> = {
    hours: { days: ['MO', 'TU', 'WE', 'TH', 'FR'], from: '09:00', to: '17:00' },
    period: { startsAt: new Date(new Date().setHours(0, 0, 0, 0)).toISOString() },
    countries: { countries: [] },
    languages: { languages: [] },
    devices: { devices: ['mobile'] },
    os: { os: [] },
    browsers: { browsers: [] },
    regions: { regions: [] },
    cities: { cities: [] },
    query: { query: { '': null } },
    networks: { networks: [] },
    visit: { visit: 'first' },
  }
  const zone = name === 'hours' ? { timeZone: when.timeZone ?? timeZone } : {}
  return { ...when, ...zone, ...added[name] }
}

/** Returns conditions without one. */
export function withoutCondition<Part extends ExcludedConditions>(when: Part, name: ShownCondition): Part {
  const gone: readonly string[] = fieldsOf[name]
  return Object.fromEntries(Object.entries(when).filter(([field]) => !gone.includes(field))) as Part
}

/** Returns conditions in which fields have other values. Undefined removes a field. */
export function withFields<Part extends ExcludedConditions>(
  when: Part,
  fields: { [Name in keyof ExcludedConditions]?: ExcludedConditions[Name] | undefined },
): Part {
  const all = Object.entries({ ...when, ...fields })
  return Object.fromEntries(all.filter(([, value]) => value !== undefined)) as Part
}
