import type { System } from '@everscan/contract/code-types/code-type.ts'
import { textOf, type Fields } from '@everscan/contract/schema/fields.ts'

/** Returns an address in one line, as map services search for it. Empty: there is none. */
export function placeOf(address: Fields): string {
  const part = (name: string) => textOf(address, name).trim()
  const town = [part('zip'), part('city')].filter(Boolean).join(' ')
  return [part('street'), town, part('state'), part('country')].filter(Boolean).join(', ')
}

/** Returns a link to the map of each system. A system without its own map gets OpenStreetMap. */
export function mapHref(place: string, system: System): string {
  const query = encodeURIComponent(place.toWellFormed())
  if (system === 'ios') return `https://maps.apple.com/?q=${query}`
  return system === 'android' ? `geo:0,0?q=${query}` : `https://www.openstreetmap.org/search?query=${query}`
}
