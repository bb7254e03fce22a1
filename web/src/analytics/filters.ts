import {
  dimensions,
  filterDimensions,
  filterOf,
  type FilterDimension,
} from '@everscan/contract/dimensions/dimensions.ts'
import type { ScanFilters } from '@everscan/contract/resources/analytics.ts'
import { deviceTypes } from '@everscan/contract/rules/device-names.ts'
import { limits } from '@everscan/contract/schema/limits.ts'

export const filterNames = filterDimensions
export type FilterName = FilterDimension

/**
 * Values of filters as the API takes them: `!` before a value excludes it. An absent filter does
 * not apply.
 */
export type Filters = { [name in FilterName]?: string[] | undefined }

/** A chosen value of a filter. With `isNot`, scans with this value are left out. */
export type Filter = { name: FilterName; value: string; isNot: boolean }

/** Search parameters without any filter. */
export const noFilters: Filters = Object.fromEntries(filterNames.map((name) => [name, undefined]))

/** Returns the chosen filters in the form of the API. */
export function chosenFilters(filters: Filters): ScanFilters {
  return Object.fromEntries(
    filterNames.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]]])),
  )
}

/** Returns the chosen filters, in the order of `filterNames`. */
export function filtersIn(filters: Filters): readonly Filter[] {
  return filterNames.flatMap((name) =>
    (filters[name] ?? []).map((given) => ({ name, ...parsedValue(given) })),
  )
}

/** Returns a value in the form of the API. `\!` stands for a value that begins with `!`. */
export function filterValue({ value, isNot }: Pick<Filter, 'value' | 'isNot'>): string {
  if (isNot) return `!${value}`
  return value.startsWith('!') ? `\\${value}` : value
}

/** Reads a value in the form of the API. */
export function parsedValue(given: string): Pick<Filter, 'value' | 'isNot'> {
  if (given.startsWith('!')) return { value: given.slice(1), isNot: true }
  return { value: given.startsWith('\\!') ? given.slice(1) : given, isNot: false }
}

/**
 * Returns the changes that add filters. A value that is wanted replaces the wanted one before it,
 * and no value is both wanted and excluded.
 */
export function withFilters(filters: Filters, added: readonly Filter[]): Filters {
  const changes: Filters = {}
  for (const filter of added) {
    const known = filtersIn(changes[filter.name] === undefined ? filters : changes)
    const kept = known.filter(
      ({ name, value, isNot }) => name === filter.name && value !== filter.value && (isNot || filter.isNot),
    )
    changes[filter.name] = [...kept, filter].map(filterValue).slice(-limits.analyticsFilterValuesMax)
  }
  return changes
}

/** Returns the changes that remove filters. */
export function withoutFilters(filters: Filters, removed: readonly Filter[]): Filters {
  const changes: Filters = {}
  for (const filter of removed) {
    const values = (filter.name in changes ? changes : filters)[filter.name] ?? []
    const rest = values.filter((value) => value !== filterValue(filter))
    changes[filter.name] = rest.length === 0 ? undefined : rest
  }
  return changes
}

/** Returns the change that turns "is" into "is not", or back. Its place among the others stays. */
export function withSwitched(filters: Filters, filter: Filter): Filters {
  const switched = filterValue({ value: filter.value, isNot: !filter.isNot })
  const values = filters[filter.name] ?? []
  const changed = values.map((value) => (value === filterValue(filter) ? switched : value))
  return { [filter.name]: [...new Set(changed)] }
}

export function hasFilters(filters: Filters): boolean {
  return filterNames.some((name) => filters[name] !== undefined)
}

/** Returns whether each of these filters is chosen. */
export function isFilteredBy(filters: Filters, wanted: readonly Filter[]): boolean {
  return wanted.every((one) => filters[one.name]?.includes(filterValue(one)) === true)
}

/** Reads the values of a filter. Invalid ones are left out. */
export function readFilterValues(name: FilterName, given: unknown): string[] | undefined {
  const values = (Array.isArray(given) ? given : [given])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((value) => isValue(name, value))
  const different = [...new Set(values)].slice(0, limits.analyticsFilterValuesMax)
  return different.length === 0 ? undefined : different
}

function isValue(name: FilterName, given: string): boolean {
  const { value } = parsedValue(given)
  if (dimensions[name].values === 'device') return deviceTypes.some((one) => one === value)
  const { pattern, mayBeEmpty } = filterOf(name)
  if (pattern !== undefined) return new RegExp(pattern).test(given)
  return given.length <= 255 && (value !== '' || mayBeEmpty === true)
}
