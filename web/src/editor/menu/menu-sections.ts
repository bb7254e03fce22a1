import { isRecord } from '@everscan/contract/schema/records.ts'
import type { Dish, MenuSection, ReadMenu } from './menu-list.ts'

/** The place of a dish, or of a section itself if `at` is -1. */
export type DishPlace = { section: number; at: number }

/** Returns the sections of a menu while it is edited, whatever they hold. */
export function sectionsOf(data: Readonly<Record<string, unknown>>): MenuSection[] {
  const { sections } = data
  if (!Array.isArray(sections)) return []
  return sections.map((section: unknown) => {
    const { name, items } = isRecord(section) ? section : {}
    return {
      ...(isRecord(section) ? section : {}),
      name: typeof name === 'string' ? name : '',
      items: Array.isArray(items) ? items.map(dishOf) : [],
    }
  })
}

function dishOf(item: unknown): Dish {
  return isRecord(item) && typeof item['name'] === 'string' ? { ...item, name: item['name'] } : { name: '' }
}

/** Returns the currency of all dishes. Undefined if they have several, or if there are none. */
export function sharedCurrency(sections: readonly MenuSection[]): string | undefined {
  const all = new Set(sections.flatMap(({ items }) => items.map((dish) => dish.currency ?? '')))
  return all.size === 1 ? [...all][0] : undefined
}

/** Returns whether dishes have prices in several currencies. */
export function hasSeveralCurrencies(sections: readonly MenuSection[]): boolean {
  const all = sections.flatMap(({ items }) => items.map((dish) => dish.currency ?? ''))
  return new Set(all).size > 1
}

/** Returns the sections with one currency for all dishes. */
export function withCurrency(sections: readonly MenuSection[], currency: string): MenuSection[] {
  return sections.map((section) => ({
    ...section,
    items: section.items.map((dish) => dishIn(dish, currency)),
  }))
}

/** Returns a dish in a currency; in none if that is empty. */
export function dishIn({ currency: _before, ...dish }: Dish, currency: string): Dish {
  return currency === '' ? dish : { ...dish, currency }
}

/** Returns the sections after a function changed the dishes of one. */
export function changeItems(
  sections: readonly MenuSection[],
  section: number,
  change: (items: Dish[]) => Dish[],
): MenuSection[] {
  return sections.map((one, at) => (at === section ? { ...one, items: change(one.items) } : one))
}

/** Moves a dish before the one at a place, which is counted before the move. */
export function moveDish(sections: readonly MenuSection[], from: DishPlace, to: DishPlace): MenuSection[] {
  const dish = sections[from.section]?.items[from.at]
  if (dish === undefined) return [...sections]
  const taken = changeItems(sections, from.section, (items) => items.toSpliced(from.at, 1))
  const shift = from.section === to.section && from.at < to.at ? 1 : 0
  return changeItems(taken, to.section, (items) => items.toSpliced(to.at - shift, 0, dish))
}

/** Returns the place one up or down, also in the section beside; undefined at both ends. */
export function placeBeside(
  sections: readonly MenuSection[],
  { section, at }: DishPlace,
  way: 'up' | 'down',
): DishPlace | undefined {
  const count = sections[section]?.items.length ?? 0
  if (way === 'up' && at > 0) return { section, at: at - 1 }
  if (way === 'down' && at < count - 1) return { section, at: at + 2 }
  const beside = sections[section + (way === 'up' ? -1 : 1)]
  if (beside === undefined) return undefined
  return way === 'up' ? { section: section - 1, at: beside.items.length } : { section: section + 1, at: 0 }
}

/** Returns where a dish is after `moveDish`. */
export function placeAfterMove(from: DishPlace, to: DishPlace): DishPlace {
  const shift = from.section === to.section && from.at < to.at ? 1 : 0
  return { section: to.section, at: to.at - shift }
}

/** Adds dishes and sections that were read from a list; empty ones at the end give way. */
export function withRead(
  sections: readonly MenuSection[],
  read: ReadMenu,
  { currency, after }: { currency: string; after?: DishPlace },
): MenuSection[] {
  const added = withCurrency(read.sections, currency)
  const [first, ...others] = added
  if (first === undefined) return [...sections]
  if (after !== undefined && first.name === '') {
    const place = sections[after.section]?.items[after.at]?.name === '' ? after.at : after.at + 1
    const isReplaced = place === after.at
    const filled = changeItems(sections, after.section, (items) =>
      items.toSpliced(place, isReplaced ? 1 : 0, ...first.items),
    )
    return filled.toSpliced(after.section + 1, 0, ...others)
  }
  const kept = sections.filter(({ name, items }) => name !== '' || items.some((dish) => !isEmpty(dish)))
  return [...kept, ...added]
}

export function isEmpty({ name, description = '', price }: Dish): boolean {
  return name === '' && description === '' && price === undefined
}

/** Moves a section to the place of another one. */
export function moveSection(sections: readonly MenuSection[], from: number, to: number): MenuSection[] {
  const section = sections[from]
  return section === undefined ? [...sections] : sections.toSpliced(from, 1).toSpliced(to, 0, section)
}
