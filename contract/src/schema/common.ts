import { Type, type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import { limits } from './limits.ts'
import { patterns } from './patterns.ts'

type Options = Record<string, unknown>

/** An object whose unknown fields are an error: nothing that a client sends is ignored in silence. */
export function strictObject<P extends TProperties>(properties: P, options: Options = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The same schema, or null. `type: [x, 'null']` rather than `anyOf`, so that an error names one expectation. */
export function nullable<S extends TSchema>(schema: S, options: Options = {}): TUnsafe<Static<S> | null> {
  const fields: TSchema = schema
  const { type, enum: values, ...rest }: Record<string, unknown> = { ...fields }
  const orNull = { ...rest, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
  return Type.Unsafe<Static<S> | null>({ ...orNull, ...options })
}

/** One of a fixed list of words. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: Options = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** An id of ours in a record: a prefix for its kind and 26 time-ordered characters; ids of a kind sort by creation. */
export function Id(prefix: string, description = 'Identifier.') {
  return Type.String({
    description,
    pattern: `^${prefix}_[0-9a-z]{26}$`,
    examples: [`${prefix}_01jqzv4x8m3c5t7w9y2b4d6f8h`],
  })
}

/** An id that a client sends. Any text is an id; one that does not exist is a 404, never a 400. */
export function IdInput(description: string) {
  return Type.String({ description, minLength: 1, maxLength: 200, pattern: patterns.id })
}

/** One line of text that must not be blank, 1 to `charsMax` characters. */
export function Line(charsMax: number, description: string, options: Options = {}) {
  return Type.String({ description, minLength: 1, maxLength: charsMax, pattern: patterns.line, ...options })
}

/** One line of text that may be empty, up to `charsMax` characters. */
export function OptionalLine(charsMax: number, description: string, options: Options = {}) {
  return Type.String({ description, maxLength: charsMax, pattern: patterns.optionalLine, ...options })
}

/** Text of several lines, up to `charsMax` characters. */
export function Text(charsMax: number, description: string, options: Options = {}) {
  return Type.String({ description, maxLength: charsMax, pattern: patterns.text, ...options })
}

/** An http or https address. The schema bounds its length; `destinationProblem` decides. */
export function Url(description: string, options: Options = {}) {
  return Type.String({ description, minLength: 1, maxLength: limits.urlCharsMax, ...options })
}

/** ISO 8601 UTC with milliseconds. */
export function Timestamp(description: string) {
  return Type.String({ description, format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] })
}

/** A count of things, 0 or more. */
export function Count(description: string) {
  return Type.Integer({ description, minimum: 0 })
}

/** Share of scans on a 0 to 100 scale, one decimal. */
export function Percentage() {
  return Type.Number({
    description: 'Share of all scans of the period, 0 to 100, one decimal.',
    minimum: 0,
    maximum: 100,
  })
}

/** A color, `#RRGGBB`. */
export function HexColor(description: string, options: Options = {}) {
  return Type.String({ description, pattern: patterns.hexColor, ...options })
}

/** Start or end of a period as a client sends it: ISO 8601, a date alone is accepted. */
export function DateInput(description: string) {
  return Type.String({ description, maxLength: 40, pattern: patterns.date, examples: ['2026-03-01'] })
}

export const roles = ['ADMIN', 'EDITOR', 'VIEWER'] as const

/** What a member or a key may do. `ADMIN`: everything; `EDITOR`: codes, folders, imports; `VIEWER`: reads. */
export const Role = oneOf(roles, {
  description:
    'What a member or key may do: ADMIN everything, EDITOR codes, folders and imports, VIEWER reads.',
})
export type Role = Static<typeof Role>

/** Whether a caller with role `actual` may do what asks for role `needed`. */
export function roleAllows(actual: Role, needed: Role): boolean {
  return roles.indexOf(actual) <= roles.indexOf(needed)
}

/** Path parameters of everything inside one organization. */
export const OrganizationParams = strictObject({ orgId: IdInput('Organization identifier.') })
export type OrganizationParams = Static<typeof OrganizationParams>

/** Path parameters of one record of an organization. */
export const RecordParams = strictObject({
  orgId: IdInput('Organization identifier.'),
  id: IdInput('Identifier of the record.'),
})
export type RecordParams = Static<typeof RecordParams>

/** Path parameters of one thing of the caller's own account. */
export const OwnParams = strictObject({ id: IdInput('Identifier of the record.') })
export type OwnParams = Static<typeof OwnParams>

/** The answer to a deletion. */
export const Deleted = strictObject({
  id: Type.String({ description: 'Identifier of what was deleted.' }),
  deleted: Type.Literal(true, { type: 'boolean' }),
})
export type Deleted = Static<typeof Deleted>

/** A query of nothing: any parameter is an error. */
export const NoQuery = strictObject({})
export type NoQuery = Static<typeof NoQuery>
