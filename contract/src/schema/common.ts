import { Type, type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import { limits } from './limits.ts'
import { patterns } from './patterns.ts'

type Options = Record<string, unknown>

/** An object that rejects unknown fields, so that nothing a client sends is silently ignored. */
export function strictObject<P extends TProperties>(properties: P, options: Options = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The fields of something new: null for an optional field is the same as leaving it out. */
export function newObject<P extends TProperties>(properties: P, options: Options = {}): TObject<P> {
  return strictObject(properties, { 'x-null-is-absent': true, ...options })
}

/**
 * The same schema, or null. Uses `type: [x, 'null']`, not `anyOf`: an error then names one
 * expectation.
 */
export function nullable<S extends TSchema>(schema: S, options: Options = {}): TUnsafe<Static<S> | null> {
  const fields: TSchema = schema
  const { type, enum: values, ...rest }: Record<string, unknown> = { ...fields }
  const orNull = { ...rest, type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }) }
  return Type.Unsafe<Static<S> | null>({ ...orNull, ...options })
}

/** One string of a fixed list. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: Options = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/**
 * An Everscan id: a prefix for the kind of record and 26 time-ordered characters. Ids of one kind
 * sort by creation time.
 */
export function Id(prefix: string, description = 'Identifier.') {
  return Type.String({
    description,
    pattern: `^${prefix}_[0-9a-z]{26}$`,
    examples: [`${prefix}_01jqzv4x8m3c5t7w9y2b4d6f8h`],
  })
}

/** An id that a client sends. Any text is a valid id: an unknown id is a 404, never a 400. */
export function IdInput(description: string) {
  return Type.String({ description, minLength: 1, maxLength: 200, pattern: patterns.id })
}

/**
 * One line of text, not blank, 1 to `charsMax` characters. White space around it is removed first
 * (`tidying.ts`).
 */
export function Line(charsMax: number, description: string, options: Options = {}) {
  const form = { minLength: 1, maxLength: charsMax, pattern: patterns.line, 'x-trim': true }
  return Type.String({ description, ...form, ...options })
}

/** One line of text, possibly empty, at most `charsMax` characters. */
export function OptionalLine(charsMax: number, description: string, options: Options = {}) {
  return Type.String({ description, maxLength: charsMax, pattern: patterns.optionalLine, ...options })
}

/** Multi-line text, at most `charsMax` characters. */
export function Text(charsMax: number, description: string, options: Options = {}) {
  return Type.String({ description, maxLength: charsMax, pattern: patterns.text, ...options })
}

/**
 * An http or https URL; a host alone gets https:// (`tidying.ts`). The schema bounds only the
 * length; `destinationProblem` validates the rest.
 */
export function Url(description: string, options: Options = {}) {
  const form = { minLength: 1, maxLength: limits.urlCharsMax, 'x-trim': true, 'x-web-address': true }
  return Type.String({ description, ...form, ...options })
}

/** ISO 8601 UTC with milliseconds. */
export function Timestamp(description: string) {
  return Type.String({ description, format: 'date-time', examples: ['2026-03-01T09:30:00.000Z'] })
}

/** A count, 0 or more. */
export function Count(description: string) {
  return Type.Integer({ description, minimum: 0 })
}

/** Share of scans from 0 to 100, with one decimal. */
export function Percentage() {
  return Type.Number({
    description: 'Share of all scans in the period, 0 to 100, with one decimal.',
    minimum: 0,
    maximum: 100,
  })
}

/** A color, `#RRGGBB`. */
export function HexColor(description: string, options: Options = {}) {
  return Type.String({ description, pattern: patterns.hexColor, ...options })
}

/** Start or end of a period as a client sends it: an ISO 8601 date, or date and time. */
export function DateInput(description: string) {
  return Type.String({ description, maxLength: 40, pattern: patterns.date, examples: ['2026-03-01'] })
}

export const roles = ['ADMIN', 'EDITOR', 'VIEWER'] as const

/**
 * The permissions of a member or a key. `ADMIN`: everything; `EDITOR`: codes, folders and imports;
 * `VIEWER`: read only.
 */
export const Role = oneOf(roles, {
  description:
    'Permissions of the member or key. ADMIN: everything; EDITOR: codes, folders and imports; VIEWER: read only.',
})
export type Role = Static<typeof Role>

/** Whether a caller with role `actual` may use an endpoint that requires role `needed`. */
export function roleAllows(actual: Role, needed: Role): boolean {
  return roles.indexOf(actual) <= roles.indexOf(needed)
}

/** Path parameters of an endpoint inside an organization. */
export const OrganizationParams = strictObject({ orgId: IdInput('Organization identifier.') })
export type OrganizationParams = Static<typeof OrganizationParams>

/** Path parameters of one record in an organization. */
export const RecordParams = strictObject({
  orgId: IdInput('Organization identifier.'),
  id: IdInput('Identifier of the record.'),
})
export type RecordParams = Static<typeof RecordParams>

/** Path parameters of one record of the caller's account. */
export const AccountRecordParams = strictObject({ id: IdInput('Identifier of the record.') })
export type AccountRecordParams = Static<typeof AccountRecordParams>

/** The response to a deletion. */
export const Deleted = strictObject({
  id: Type.String({ description: 'Identifier of the deleted record.' }),
  deleted: Type.Literal(true, { type: 'boolean' }),
})
export type Deleted = Static<typeof Deleted>

/** An empty query: any parameter is an error. */
export const NoQuery = strictObject({})
export type NoQuery = Static<typeof NoQuery>
