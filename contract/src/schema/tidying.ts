import { isRecord } from './records.ts'
import { withWebScheme } from './web-addresses.ts'

/**
 * Keywords by which a schema says how a value may be written:
 *
 * - `x-trim`: white space at both ends is not part of the text.
 * - `x-web-address`: also, a host without a scheme gets https://.
 * - `x-aliases`: other spellings of a value, each with the value.
 * - `x-null-is-absent`: null for an optional field that knows no null is the same as leaving it
 *   out, also in the objects and lists below.
 */
type TidySchema = {
  type?: unknown
  properties?: Readonly<Record<string, TidySchema>>
  required?: readonly string[]
  items?: TidySchema
  enum?: readonly unknown[]
  'x-trim'?: boolean
  'x-web-address'?: boolean
  'x-aliases'?: Readonly<Record<string, string>>
  'x-null-is-absent'?: boolean
}

export const tidyingKeywords = ['x-trim', 'x-web-address', 'x-aliases', 'x-null-is-absent'] as const

export type Tidying = {
  /** As if the schema had `x-null-is-absent`. */
  dropsNulls?: boolean
  /** Whether a host without a scheme gets one. */
  completesAddresses?: boolean
}

/**
 * Writes a value as its schema spells it, in place: texts without white space around them,
 * addresses with their scheme. Parts that do not have the shape of the schema stay as they are,
 * which a validation then reports.
 */
export function tidy(schema: object, value: unknown, tidying: Tidying = {}): void {
  const { properties = {}, required = [], items, 'x-null-is-absent': dropsNulls } = schema as TidySchema
  const below = dropsNulls === true ? { ...tidying, dropsNulls } : tidying
  if (Array.isArray(value)) {
    if (items !== undefined) for (const key of value.keys()) tidyPart(items, value, key, below)
    return
  }
  if (!isRecord(value)) return
  for (const [name, part] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name)) continue
    const isAbsent = below.dropsNulls === true && value[name] === null && !required.includes(name)
    if (isAbsent && !allowsNull(part)) delete value[name]
    else tidyPart(part, value, name, below)
  }
}

function tidyPart<Key extends string | number>(
  schema: TidySchema,
  parent: Record<Key, unknown>,
  key: Key,
  tidying: Tidying,
): void {
  const value = parent[key]
  // In a query, a list may be one text.
  if (typeof value === 'string') parent[key] = tidyText(schema.items ?? schema, value, tidying)
  else tidy(schema, value, tidying)
}

function tidyText(schema: TidySchema, text: string, { completesAddresses = true }: Tidying): string {
  const trimmed = schema['x-trim'] === true ? text.trim() : text
  if (schema['x-web-address'] === true && completesAddresses) return withWebScheme(trimmed)
  const aliases = schema['x-aliases']
  return aliases !== undefined && Object.hasOwn(aliases, trimmed) ? (aliases[trimmed] ?? trimmed) : trimmed
}

function allowsNull({ type, enum: values }: TidySchema): boolean {
  return (
    type === 'null' || (Array.isArray(type) && type.includes('null')) || (values?.includes(null) ?? false)
  )
}
