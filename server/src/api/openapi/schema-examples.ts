import { patterns } from '@everscan/contract/schema/patterns.ts'
import type { TSchema } from 'typebox'

type Fields = Readonly<Record<string, unknown>>

/** Texts that match the patterns of the contract. */
const patternExamples: ReadonlyMap<string, string> = new Map([
  [patterns.line, 'Spring poster'],
  [patterns.optionalLine, 'Spring'],
  [patterns.text, 'Welcome'],
  [patterns.id, 'qr_01jqzv4x8m3c5t7w9y2b4d6f8h'],
  [patterns.hexColor, '#1a1a1a'],
  [patterns.date, '2026-03-01'],
  [patterns.timezone, 'Europe/Berlin'],
  [patterns.country, 'DE'],
  [patterns.countryFilter, 'DE'],
  [patterns.ruleFilter, 'none'],
  [patterns.matrix, 'code,city'],
  [patterns.email, 'ada@example.com'],
  [patterns.mailAddress, 'ada@example.com'],
  [patterns.phone, '+49 30 123456'],
  [patterns.twoFactorCode, '123456'],
  [patterns.base64Url, 'dGhlIGJ5dGVz'],
  [patterns.shortCode, 'SUMMER-2026'],
  [patterns.metadataKey, 'campaign'],
  [patterns.webhookSecret, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
])

/**
 * Returns a value that matches a schema: its own example if it has one, otherwise one made from the
 * examples of its parts. With `only: 'required'`, optional fields without an example are omitted.
 */
export function exampleOf(schema: TSchema, only: 'required' | 'all' = 'all'): unknown {
  const fields = schema as unknown as Fields
  const { examples, const: constant, enum: values, default: defaultValue } = fields
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (constant !== undefined) return constant
  if (defaultValue !== undefined) return defaultValue
  if (Array.isArray(values)) return values[0]
  const [type] = [fields['type']].flat()
  switch (type) {
    case 'object':
      return objectExample(fields, only)
    case 'array':
      return arrayExample(fields, only)
    case 'integer':
    case 'number':
      return fields['minimum'] ?? 0
    case 'boolean':
      return false
    case 'string':
      return textExample(fields)
    default: {
      const [first] = [fields['anyOf'], fields['oneOf'], fields['allOf']].flat()
      return first === undefined ? null : exampleOf(first as TSchema, only)
    }
  }
}

function objectExample({ properties, required }: Fields, only: 'required' | 'all'): object {
  const names = Array.isArray(required) ? required : []
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Record<string, TSchema>)
      .filter(([name, field]) => only === 'all' || names.includes(name) || 'examples' in field)
      .map(([name, field]) => [name, exampleOf(field, only)]),
  )
}

function arrayExample({ items }: Fields, only: 'required' | 'all'): unknown[] {
  return items === undefined ? [] : [exampleOf(items as TSchema, only)]
}

function textExample({ pattern, format, description }: Fields): string {
  if (format === 'date-time') return '2026-03-01T09:30:00.000Z'
  if (typeof pattern === 'string') return patternExamples.get(pattern) ?? ''
  return /url|address|picture/i.test(String(description)) ? 'https://example.com/spring' : 'Spring'
}
