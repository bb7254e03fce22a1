import type { Scan } from '@everscan/client/create-client.ts'
import { dimensions, type FilterDimension, type ValueKind } from '@everscan/contract/dimensions/dimensions.ts'
import { formatCountry, formatLanguage } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords

const unknownOr = (value: string) => (value === 'Unknown' || value === '' ? text.unknown : value)

/** Returns the display name of a value that scans have in common. */
export function namedValue(
  name: FilterDimension,
  value: string,
  nameOfRule: (value: string) => string,
): string {
  const names: Readonly<Record<ValueKind, () => string>> = {
    country: () => formatCountry(value) ?? text.unknown,
    device: () => text.devices[value as Scan['deviceType']],
    language: () => formatLanguage(value) ?? unknownOr(value),
    referrer: () => (value === '' ? text.noReferrer : value),
    rule: () => nameOfRule(value),
    arm: () => (value === '' ? text.destinations.none : value),
    text: () => unknownOr(value),
  }
  return names[dimensions[name].values]()
}
