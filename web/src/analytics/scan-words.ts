import type { Scan } from '@everscan/client/create-client.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import type { FilterName } from './filters.ts'
import { ruleName, type RuleNames } from './destinations/rule-names.ts'
import { namedValue } from '../views/named-values.ts'
import { formatCountry } from '../ui/format.ts'

const text = analyticsWords

/** Returns the place of a scan: "Berlin, Germany". Unknown parts are left out. */
export function placeOf({ city, country }: Pick<Scan, 'city' | 'country'>): string {
  const known = [city === 'Unknown' ? undefined : city, formatCountry(country)]
  return known.filter((part) => part !== undefined).join(', ') || text.unknown
}

/** Returns the device of a scan: "Phone · iOS · Safari". */
export function deviceOf({ deviceType, os, browser }: Pick<Scan, 'deviceType' | 'os' | 'browser'>): string {
  return [text.devices[deviceType], ...[os, browser].filter((part) => part !== 'Unknown')].join(' · ')
}

/** Returns the display name of the value of a filter, or of a dimension other than code. */
export function valueName(name: FilterName, value: string, ruleNames?: RuleNames): string {
  return namedValue(name, value, (id) => ruleName(id, ruleNames))
}
