/** The content of a code as it is stored. What was written past the interface may hold anything. */
export type Fields = Readonly<Record<string, unknown>>

/** The value as an object; nothing when it is none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** A list of objects; what is none is left out. */
export function listOf(fields: Fields, key: string): Fields[] {
  const value = fields[key]
  return Array.isArray(value) ? value.map(fieldsOf) : []
}

/** A text of the content; empty when there is none. */
export function textOf(fields: Fields, key: string): string {
  const value = fields[key]
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
