/** Links as a table: the names of the columns, and the cells of each link. */
export type LinkTable = { header: string[]; rows: string[][] }

/**
 * Returns the links of an answer of the API of a product, or undefined if it has no list of
 * objects.
 */
export function jsonLinkTable(value: unknown): LinkTable | undefined {
  const links = linksIn(value)
  if (links === undefined) return undefined
  const entries = links.map((link) => new Map(flatCells(link)))
  const header = [...new Set(entries.flatMap((entry) => [...entry.keys()]))]
  return { header, rows: entries.map((entry) => header.map((name) => entry.get(name) ?? '')) }
}

type Entry = Readonly<Record<string, unknown>>

const depthMax = 3

/**
 * Finds the links: the first list of objects, at most three levels deep. An object of objects with
 * numbered names is a list too.
 */
function linksIn(value: unknown, depth = 0): Entry[] | undefined {
  if (Array.isArray(value)) return value.every(isEntry) ? value : undefined
  if (!isEntry(value) || depth >= depthMax) return undefined
  const values = Object.values(value)
  const names = Object.keys(value)
  if (names.length > 0 && names.every((name) => /^\w+_\d+$/.test(name)) && values.every(isEntry))
    return values
  for (const one of values) {
    const found = linksIn(one, depth + 1)
    if (found !== undefined && found.length > 0) return found
  }
  return undefined
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the cells of a link: texts of its own, and of objects in it as `object.name`. */
function flatCells(link: Entry): [string, string][] {
  return Object.entries(link).flatMap(([name, value]): [string, string][] => {
    if (isEntry(value))
      return Object.entries(value).flatMap(([inner, one]): [string, string][] =>
        isPlain(one) ? [[`${name}.${inner}`, String(one)]] : [],
      )
    if (Array.isArray(value)) return [[name, value.flatMap(nameOf).join('|')]]
    return isPlain(value) ? [[name, String(value)]] : []
  })
}

/** A tag is a text, or an object with a name. */
function nameOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  const name = isEntry(value) ? value['name'] : undefined
  return typeof name === 'string' ? [name] : []
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}
