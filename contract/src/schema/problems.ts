import type { ErrorDetail } from './errors.ts'
import { joinPath } from './paths.ts'
import { patternMessages } from './patterns.ts'
import { isRecord } from './records.ts'

/** One problem of a value. `path` has dots and indexes (`links[0].url`). Empty: the whole value. */
export type Problem = Pick<ErrorDetail, 'path' | 'message'>

/** The common part of what Ajv and TypeBox report about a value that does not fit its schema. */
export type SchemaError = {
  keyword: string
  instancePath: string
  params: object
  message?: string | undefined
}

type Params = Readonly<Record<string, unknown>>

/** The message of each JSON Schema keyword: the expected value, then the received one. */
const messages: Readonly<Record<string, (params: Params, value: unknown) => string>> = {
  type: ({ type }, value) => `must be ${typeWords(type)}, got ${shown(value)}`,
  enum: ({ allowedValues }, value) => `must be one of ${listed(allowedValues)}, got ${shown(value)}`,
  const: ({ allowedValue }, value) => `must be ${JSON.stringify(allowedValue)}, got ${shown(value)}`,
  minimum: ({ limit }, value) => `must be at least ${String(limit)}, got ${shown(value)}`,
  maximum: ({ limit }, value) => `must be at most ${String(limit)}, got ${shown(value)}`,
  minLength: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }, value) => `must have at most ${String(limit)} characters${lengthOf(value)}`,
  minItems: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} entries`,
  maxItems: ({ limit }, value) => `must have at most ${String(limit)} entries${lengthOf(value)}`,
  minProperties: ({ limit }) =>
    limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} fields`,
  maxProperties: ({ limit }) => `must have at most ${String(limit)} fields`,
  not: () => 'cannot change',
  uniqueItems: () => 'must not contain the same entry twice',
  pattern: ({ pattern }) => patternMessages.get(String(pattern)) ?? 'has the wrong form',
  format: ({ format }) =>
    format === 'date-time' ? 'must be an ISO 8601 date and time' : 'has the wrong form',
}

/**
 * Converts the errors of Ajv or TypeBox about `value` to problems in our words. `prefix` is the
 * path of the value in the request (`data`, `qrCodes[3]`).
 */
export function problemsOf(errors: readonly SchemaError[], value: unknown, prefix = ''): Problem[] {
  // By path, so that a field is named once, with its first problem. A Map, because a body can have
  // thousands of errors.
  const byPath = new Map<string, Problem>()
  for (const error of errors) {
    for (const problem of problemsOfOne(error, value, prefix)) {
      if (!byPath.has(problem.path)) byPath.set(problem.path, problem)
    }
  }
  return [...byPath.values()]
}

/**
 * Joins problems into one sentence for `message`: the first ones with their paths, and how many
 * more there are.
 */
export function problemsSentence(problems: readonly Problem[]): string {
  const shownMax = 3
  const parts = problems
    .slice(0, shownMax)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
  const more = problems.length > shownMax ? `; and ${problems.length - shownMax} more` : ''
  return parts.join('; ') + more
}

function problemsOfOne(error: SchemaError, root: unknown, prefix: string): Problem[] {
  const { path, value } = resolvePointer(error.instancePath, root, prefix)
  const params: Params = { ...error.params }
  switch (error.keyword) {
    case 'required':
      return namesIn(params, 'missingProperty', 'requiredProperties').map((name) => ({
        path: joinPath(path, name),
        message: 'is required',
      }))
    case 'additionalProperties':
      return namesIn(params, 'additionalProperty', 'additionalProperties').map((name) => ({
        path: joinPath(path, name),
        message: 'is not a known field',
      }))
    case 'boolean': // TypeBox says each unknown field a second time, as a `false` schema.
    case 'if':
      return []
    default: {
      // No message repeats a password, not even one that is no text.
      const isSecret = error.keyword === 'type' && error.instancePath.endsWith('/password')
      const message = messages[error.keyword]?.(params, value) ?? error.message ?? 'is not valid'
      return [{ path, message: isSecret ? message.replace(/, got .*$/s, '') : message }]
    }
  }
}

/** Ajv names one property in an error, TypeBox all of them. */
function namesIn(params: Params, one: string, all: string): string[] {
  const names = params[all]
  return Array.isArray(names) ? names.map(String) : [String(params[one])]
}

function resolvePointer(pointer: string, root: unknown, prefix: string): { path: string; value: unknown } {
  let path = prefix
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    path = joinPath(path, Array.isArray(value) ? Number(key) : key)
    value = valueAt(value, key)
  }
  return { path, value }
}

function valueAt(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value[Number(key)]
  return isRecord(value) ? value[key] : undefined
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : String(type).split(',')
  return types.map((name) => typeNames[String(name)] ?? String(name)).join(' or ')
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values)
}

function lengthOf(value: unknown): string {
  if (typeof value === 'string') return `, got ${Array.from(value).length}`
  return Array.isArray(value) ? `, got ${value.length}` : ''
}

/** A value as an error shows it: short, and never the whole of somebody's upload. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
