// Fields of the n8n node, from the parameters and schemas of the OpenAPI document. Names, orders
// and descriptions follow the rules of n8n's linter for community nodes.
import type { OpenApiDocument } from '../../server/src/api/openapi/openapi-document.ts'
import type { Schema } from './operations.ts'

/** A property of a node, as n8n reads it. */
export type Field = { displayName: string; name: string; [key: string]: unknown }

/** A place in a request: `data.url` of the body, a parameter of the query, or a header. */
export type Place = { type: 'body' | 'query'; property: string } | { type: 'header'; property: string }

const words: Readonly<Record<string, string>> = {
  id: 'ID',
  ids: 'IDs',
  url: 'URL',
  qr: 'QR',
  vcard: 'vCard',
  wifi: 'Wi-Fi',
  pdf: 'PDF',
  png: 'PNG',
  svg: 'SVG',
  eps: 'EPS',
  csv: 'CSV',
  sms: 'SMS',
  mm: 'Millimeters',
  dpi: 'DPI',
  ssid: 'SSID',
  ios: 'iOS',
  os: 'Operating System',
  webp: 'WebP',
  jpeg: 'JPEG',
  zip: 'ZIP',
  wpa: 'WPA',
  wep: 'WEP',
}

/** `folderId`, `FOLDER_ID` and `Folder-Id` become `Folder ID`. */
export function titleOf(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .map((word) => words[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join(' ')
}

/** A single sentence has no period at its end there, and a switch says "Whether". */
export function descriptionOf(text = '', isSwitch = false): string {
  const trimmed = text.trim()
  const plain = /\.\s/.test(trimmed) ? trimmed : trimmed.replace(/\.$/, '')
  if (!isSwitch || plain.startsWith('Whether')) return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`
  return `Whether to ${plain.charAt(0).toLowerCase()}${plain.slice(1)}`
}

/** A short phrase, such as in the list of actions: the beginning of a summary. */
export function actionOf(summary: string): string {
  return summary.replace(/[.,:(].*/, '').trim()
}

export function schemaNamed(name: string, { components }: OpenApiDocument): Schema {
  const schema = components['schemas']?.[name]
  if (schema === undefined) throw new Error(`the OpenAPI document has no schema ${name}`)
  return schema
}

/** Returns the schema itself for a reference to it. */
export function resolved(schema: Schema, document: OpenApiDocument): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '')
  return name === undefined ? schema : { ...schemaNamed(name, document), ...schema }
}

/** Returns the field for a value that goes to a place of the request. */
export function fieldOf(name: string, schema: Schema, place: Place, document: OpenApiDocument): Field {
  const { description, value, ...kind } = kindOf(resolved(schema, document))
  const displayName = titleOf(name)
  const says = description.toLowerCase().replace(/^the /, '') !== displayName.toLowerCase()
  return {
    displayName,
    name: name.replaceAll(/[-.](\w)/g, (_, letter: string) => letter.toUpperCase()),
    ...kind,
    ...(/^(password|secret)$/.test(name) && { typeOptions: { password: true } }),
    ...(description !== '' && says && { description }),
    routing: routingOf(place, value),
  }
}

type Kind = { type: string; description: string; default: unknown; value?: string; [key: string]: unknown }

/** Returns the kind of input for a schema. `value` is the expression that makes its value. */
function kindOf(schema: Schema): Kind {
  const types = [schema.type].flat()
  const description = descriptionOf(schema.description, types.includes('boolean'))
  const isNullable = types.includes('null')
  if (schema.enum !== undefined) {
    const options = optionsOf(schema.enum)
    return { type: 'options', options, default: schema.default ?? schema.enum[0], description }
  }
  if (types.includes('boolean')) return { type: 'boolean', default: schema.default ?? false, description }
  if (types.includes('integer') || types.includes('number')) {
    const { minimum, maximum } = schema
    const typeOptions = {
      ...(minimum !== undefined && { minValue: minimum }),
      ...(maximum !== undefined && { maxValue: maximum }),
    }
    return { type: 'number', typeOptions, default: schema.default ?? minimum ?? 0, description }
  }
  if (types.includes('array') && schema.items?.enum !== undefined)
    return { type: 'multiOptions', options: optionsOf(schema.items.enum), default: [], description }
  if (types.includes('array') && schema.items?.type === 'string')
    return { type: 'string', typeOptions: { multipleValues: true }, default: [], description }
  if (types.includes('string')) {
    const value = isNullable ? "={{ $value === '' ? null : $value }}" : undefined
    return { type: 'string', default: '', description, ...(value && { value }) }
  }
  const value = "={{ typeof $value === 'string' ? JSON.parse($value) : $value }}"
  const example = schema.examples?.[0] ?? (types.includes('array') ? [] : {})
  return { type: 'json', default: JSON.stringify(example), description, value }
}

export function optionsOf(values: readonly (string | null)[]): { name: string; value: string }[] {
  return values
    .filter((value) => value !== null)
    .map((value) => ({ name: value === '*' ? 'All' : titleOf(value), value }))
    .sort(byName)
}

function routingOf(place: Place, value: string | undefined): object {
  if (place.type === 'header') return { request: { headers: { [place.property]: value ?? '={{ $value }}' } } }
  return { send: { type: place.type, property: place.property, ...(value !== undefined && { value }) } }
}

export function byName(a: { name: string }, b: { name: string }): number {
  return a.name.localeCompare(b.name, 'en', { sensitivity: 'base' })
}

export function byDisplayName(a: Field, b: Field): number {
  return a.displayName.localeCompare(b.displayName, 'en', { sensitivity: 'base' })
}
