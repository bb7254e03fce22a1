import { escapeHtml } from '../guide/markdown.ts'

export type Json = Readonly<Record<string, unknown>>

/** Objects inside others are shown down to this depth. None of ours is deeper. */
const depthMax = 8

export const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** Returns a value as text. Empty: it is neither a text, a number nor a boolean. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Returns the name of a schema that a reference leads to. */
export function referredName(schema: Json): string | undefined {
  return /^#\/components\/schemas\/(\w+)$/.exec(textOf(schema['$ref']))?.[1]
}

export const schemaAddress = (name: string) => `/docs/api/types#${name}`

/** Renders what a schema takes: a link to a named type, fields, or alternatives. */
export function schemaHtml(schema: Json, depth = 0): string {
  const name = referredName(schema)
  if (name !== undefined) return `<p>${typeLink(name)}</p>`
  const { items } = schema
  if (items !== undefined && hasParts(asJson(items))) return schemaHtml(asJson(items), depth)
  const alternatives = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].map(asJson)
  const fields = Object.entries(asJson(schema['properties']))
  const required = new Set(listOf(schema['required']))
  const rows = fields.map(([field, one]) =>
    fieldHtml(field, asJson(one), { isRequired: required.has(field), depth }),
  )
  const list = rows.length === 0 ? '' : `<dl class="fields">${rows.join('')}</dl>`
  if (alternatives.length === 0) return list
  return `${list}<p>One of:</p><ul>${alternatives.map((one) => `<li>${alternativeHtml(one, depth)}</li>`).join('')}</ul>`
}

function alternativeHtml(schema: Json, depth: number): string {
  const title = textOf(schema['title'])
  const data = referredName(asJson(asJson(schema['properties'])['data']))
  if (data !== undefined) return `<code>${escapeHtml(title)}</code>: <code>data</code> is ${typeLink(data)}`
  const name = referredName(schema)
  if (name !== undefined) return typeLink(name)
  const nested = depth < depthMax ? schemaHtml(schema, depth + 1) : ''
  return `${typeText(schema)}${nested}`
}

const typeLink = (name: string) => `<a href="${schemaAddress(name)}"><code>${name}</code></a>`

function fieldHtml(
  name: string,
  schema: Json,
  { isRequired, depth }: { isRequired: boolean; depth: number },
): string {
  const needs = isRequired ? ' <strong class="required">required</strong>' : ''
  const nested = depth < depthMax && isNested(schema) ? schemaHtml(schema, depth + 1) : ''
  const parts =
    nested === ''
      ? ''
      : `<details><summary>Fields of <code>${escapeHtml(name)}</code></summary>${nested}</details>`
  return (
    `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeText(schema)}</span>${needs}</dt>` +
    `<dd>${inline(textOf(schema['description']))}${boundsHtml(schema)}${parts}</dd>`
  )
}

/** A named type is a link already. */
function isNested(schema: Json): boolean {
  if (referredName(schema) !== undefined) return false
  const items = asJson(schema['items'])
  return hasParts(schema) || (referredName(items) === undefined && hasParts(items))
}

const hasParts = (schema: Json) =>
  schema['properties'] !== undefined || schema['anyOf'] !== undefined || schema['oneOf'] !== undefined

/** Returns the type of a value as HTML. */
export function typeText(schema: Json): string {
  const name = referredName(schema)
  if (name !== undefined) return typeLink(name)
  const { type, format, items } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string')
  if (types.includes('array')) {
    const others = types.filter((one) => one !== 'array').map((one) => ` or ${one}`)
    return `list of ${typeText(asJson(items))}${others.join('')}`
  }
  if (schema['const'] !== undefined) return `<code>${escapeHtml(JSON.stringify(schema['const']))}</code>`
  if (types.length === 0) return hasParts(schema) ? 'object' : 'any value'
  return types.join(' or ') + (typeof format === 'string' ? ` (${format})` : '')
}

/** Returns the bounds, the values and the default of a value as HTML. */
export function boundsHtml(schema: Json): string {
  const number = (name: string) => {
    const value = schema[name]
    return typeof value === 'number' ? value.toLocaleString('en') : undefined
  }
  const values = listOf(schema['enum']).filter((one) => one !== null)
  const items = listOf(asJson(schema['items'])['enum'])
  const all = values.length > 0 ? values : items
  const parts = [
    between(number('minLength'), number('maxLength'), 'characters'),
    between(number('minItems'), number('maxItems'), 'entries'),
    between(number('minimum'), number('maximum'), ''),
    all.length > 0 && `one of ${all.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(', ')}`,
    schema['default'] !== undefined &&
      `default <code>${escapeHtml(JSON.stringify(schema['default']))}</code>`,
  ].filter((part) => part !== false && part !== '')
  return parts.length === 0 ? '' : `<span class="bounds">${parts.join(' · ')}</span>`
}

function between(min: string | undefined, max: string | undefined, unit: string): string {
  if (min === undefined && max === undefined) return ''
  const range =
    max === undefined
      ? `at least ${min}`
      : min === undefined || min === '0'
        ? `at most ${max}`
        : `${min} to ${max}`
  return unit === '' ? range : `${range} ${unit}`
}

/** Renders a sentence with code in backticks. */
export function inline(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
