import { problem } from '../problems/local-problem.ts'
import type { FieldProblem, Problem } from '../problems/problem.ts'
import { joinPath } from './paths.ts'
import { patterns } from './patterns.ts'
import { isRecord, keysOf } from './records.ts'

/** The common part of what Ajv and TypeBox report about a value that does not fit its schema. */
export type SchemaError = {
  keyword: string
  instancePath: string
  params: object
  message?: string | undefined
}

type Params = Readonly<Record<string, unknown>>

const formNames = new Map(keysOf(patterns).map((name) => [patterns[name] as string, `${name}Form` as const]))

/** Returns the problem of a text that does not match a pattern: an error has only the pattern. */
export function formProblem(pattern: string): Problem {
  const name = formNames.get(pattern)
  return name === undefined ? problem('wrongForm') : problem(name)
}

/** The problem of each JSON Schema keyword. */
const keywordProblems: Readonly<Record<string, (params: Params, value: unknown) => Problem>> = {
  type: ({ type }, value) => problem('wrongType', { expected: typesOf(type), got: shown(value) }),
  enum: ({ allowedValues }, value) =>
    problem('notAmong', { allowed: listed(allowedValues), got: shown(value) }),
  const: ({ allowedValue }, value) =>
    problem('notExactly', { expected: JSON.stringify(allowedValue), got: shown(value) }),
  minimum: ({ limit }, value) => problem('tooSmall', { min: Number(limit), got: shown(value) }),
  maximum: ({ limit }, value) => problem('tooLarge', { max: Number(limit), got: shown(value) }),
  minLength: ({ limit }) => (limit === 1 ? problem('empty') : problem('tooShort', { min: Number(limit) })),
  maxLength: ({ limit }, value) => problem('tooLong', { max: Number(limit), got: lengthOf(value) }),
  minItems: ({ limit }) =>
    limit === 1 ? problem('empty') : problem('tooFewEntries', { min: Number(limit) }),
  maxItems: ({ limit }, value) => problem('tooManyEntries', { max: Number(limit), got: lengthOf(value) }),
  minProperties: ({ limit }) =>
    limit === 1 ? problem('empty') : problem('tooFewFields', { min: Number(limit) }),
  maxProperties: ({ limit }) => problem('tooManyFields', { max: Number(limit) }),
  not: () => problem('unchangeable'),
  uniqueItems: () => problem('sameEntryTwice'),
  pattern: ({ pattern }) => formProblem(String(pattern)),
  format: ({ format }) => (format === 'date-time' ? problem('notDateTime') : problem('wrongForm')),
}

/**
 * Converts the errors of Ajv or TypeBox about `value` to problems in our words. `prefix` is the
 * path of the value in the request (`data`, `qrCodes[3]`).
 */
export function problemsOf(errors: readonly SchemaError[], value: unknown, prefix = ''): FieldProblem[] {
  // By path, so that a field is named once, with its first problem. A Map, because a body can have
  // thousands of errors.
  const byPath = new Map<string, FieldProblem>()
  for (const error of errors) {
    for (const found of problemsOfOne(error, value, prefix)) {
      if (!byPath.has(found.path)) byPath.set(found.path, found)
    }
  }
  return [...byPath.values()]
}

/**
 * Joins problems into one sentence for `message`: the first ones with their paths, and how many
 * more there are.
 */
export function problemsSentence(problems: readonly FieldProblem[]): string {
  const shownMax = 3
  const parts = problems
    .slice(0, shownMax)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message))
  const more = problems.length > shownMax ? `; and ${problems.length - shownMax} more` : ''
  return parts.join('; ') + more
}

function problemsOfOne(error: SchemaError, root: unknown, prefix: string): FieldProblem[] {
  const { path, value } = resolvePointer(error.instancePath, root, prefix)
  const params: Params = { ...error.params }
  switch (error.keyword) {
    case 'required':
      return namesIn(params, 'missingProperty', 'requiredProperties').map((name) => ({
        path: joinPath(path, name),
        ...problem('required'),
      }))
    case 'additionalProperties':
      return namesIn(params, 'additionalProperty', 'additionalProperties').map((name) => ({
        path: joinPath(path, name),
        ...problem('unknownField'),
      }))
    case 'boolean': // TypeBox says each unknown field a second time, as a `false` schema.
    case 'if':
      return []
    default: {
      // No message repeats a password, not even one that is no text.
      const isSecret = error.keyword === 'type' && error.instancePath.endsWith('/password')
      if (isSecret) return [{ path, ...problem('wrongSecretType', { expected: typesOf(params['type']) }) }]
      return [{ path, ...(keywordProblems[error.keyword]?.(params, value) ?? problem('notValid')) }]
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

function typesOf(type: unknown): string {
  return (Array.isArray(type) ? type : String(type).split(',')).join(' or ')
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : String(values)
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Array.from(String(value)).length
}

/** A value as an error shows it: short, and never the whole of somebody's upload. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}
