import { limits } from '@everscan/contract/schema/limits.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { codeType, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { withWebScheme } from '@everscan/contract/schema/web-addresses.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'

/** Parts of a JSON Schema of the contract that a form needs. */
export type FieldSchema = {
  type?: string
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
  items?: FieldSchema
  enum?: readonly string[]
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  examples?: readonly unknown[]
}

/** Content while it is edited. It may still be invalid. */
export type DraftData = Readonly<Record<string, unknown>>

export const contentSchema = (type: QrCodeType): FieldSchema => codeType(type).schema

/** Returns the kind of input for a text. */
export function textKind({
  pattern,
  maxLength = 0,
}: FieldSchema): 'lines' | 'url' | 'email' | 'phone' | 'line' {
  if (pattern === patterns.email) return 'email'
  if (pattern === patterns.phone) return 'phone'
  if (pattern === undefined && maxLength === limits.urlCharsMax) return 'url'
  return pattern === patterns.text && maxLength >= limits.descriptionCharsMax ? 'lines' : 'line'
}

/**
 * Returns a new list entry, or the content of a new code. Its required texts are present and empty.
 */
export function emptyValue({ properties = {}, required = [] }: FieldSchema): Record<string, unknown> {
  return Object.fromEntries(
    required.map((name) => {
      const schema = properties[name] ?? {}
      if (schema.type !== 'array') return [name, '']
      return [name, (schema.minItems ?? 0) > 0 ? [emptyValue(schema.items ?? {})] : []]
    }),
  )
}

/** Returns the content of a new code. A menu begins as a link. */
export const emptyData = (type: QrCodeType): DraftData =>
  type === 'MENU' ? { url: '' } : emptyValue(contentSchema(type))

/** Initial content of a menu that is written out. */
export const emptyMenu: DraftData = {
  title: '',
  sections: [{ name: '', items: [{ name: '', currency: 'EUR' }] }],
}

/**
 * Fields that a form requires although the schema does not. For a menu, those of the chosen
 * variant.
 */
const askedFor: { readonly [T in QrCodeType]?: readonly string[] } = { MENU: ['url', 'title', 'sections'] }

/** Returns the content to send, without empty optional fields. */
export function sentData(type: QrCodeType, data: DraftData): Record<string, unknown> {
  const schema = contentSchema(type)
  const required = [...(schema.required ?? []), ...(askedFor[type] ?? [])]
  return withoutEmpty(data, { ...schema, required })
}

function withoutEmpty(value: DraftData, { properties = {}, required = [] }: FieldSchema) {
  const kept = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    const schema = properties[name]
    const sent = schema === undefined ? field : sentField(field, schema)
    const isEmpty =
      sent === '' ||
      sent === undefined ||
      (schema?.type === 'object' && isRecord(sent) && Object.keys(sent).length === 0)
    return isEmpty && !required.includes(name) ? [] : [[name, sent]]
  })
  return Object.fromEntries(kept)
}

function sentField(value: unknown, schema: FieldSchema): unknown {
  const { items } = schema
  if (typeof value === 'string') return textKind(schema) === 'url' ? withScheme(value) : value
  if (Array.isArray(value) && items !== undefined)
    return value.map((one: unknown) => (isRecord(one) ? withoutEmpty(one, items) : one))
  return isRecord(value) ? withoutEmpty(value, schema) : value
}

/** Adds a missing https:// to an address, because people write "example.com". */
export const withScheme = (address: string): string => withWebScheme(address.trim())
