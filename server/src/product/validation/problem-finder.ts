import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { problemsOf } from '@everscan/contract/schema/problems.ts'
import { tidy, type Tidying } from '@everscan/contract/schema/tidying.ts'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { TSchema } from 'typebox'

export type RequestPart = 'body' | 'querystring' | 'params'

/**
 * A larger value reports only its first problem: a million wrong entries must not become a million
 * errors.
 */
const valuesListedMax = 5_000
const depthMax = 32

const common: Options = { removeAdditional: false, strict: false }
const addFormats = addFormatsModule.default

/**
 * Bodies are not coerced: a number in quotes is not a number. Query values are always text, so they
 * are coerced.
 */
const optionsOf: Record<RequestPart, Options> = {
  body: { ...common, coerceTypes: false, useDefaults: true },
  params: { ...common, coerceTypes: false },
  querystring: { ...common, coerceTypes: 'array', useDefaults: true },
}

/**
 * Returns a function that lists the problems of a value as sentences with paths; the list is empty
 * if the value is valid. It first writes the value as its schema spells it, in place.
 */
export function problemFinder(
  schema: TSchema,
  part: RequestPart,
  tidying?: Tidying,
): (value: unknown) => FieldProblem[] {
  // Compiled at first use: most tests of a process use few of its schemas.
  let quick: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  return (value) => {
    const { count, found } = survey(value)
    if (found !== undefined) return [found]
    tidy(schema, value, tidying)
    // Must run before the values are coerced.
    const malformed = part === 'querystring' ? malformedNumbers(schema, value) : []
    quick ??= compilerOf(part, 'first').compile(schema)
    if (quick(value)) return malformed
    thorough ??= compilerOf(part, 'all').compile(schema)
    const validate = count > valuesListedMax ? quick : thorough
    validate(value)
    const problems = problemsOf(validate.errors ?? [], value)
    return [...malformed, ...problems.filter(({ path }) => malformed.every((one) => one.path !== path))]
  }
}

/**
 * Walks once through a value of any shape: counts its values and checks what no schema can express.
 * PostgreSQL cannot store U+0000, and deeper nesting than that of any record would only overflow a
 * stack.
 */
function survey(value: unknown): { count: number; found?: FieldProblem } {
  const todo: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }]
  let count = 0
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    count++
    const { path, depth } = next
    const unstorable = typeof next.value === 'string' ? unstorableIn(next.value) : undefined
    if (unstorable !== undefined) return { count, found: { path, ...problem(unstorableTexts[unstorable]) } }
    if (typeof next.value !== 'object' || next.value === null) continue
    if (depth >= depthMax) return { count, found: { path: '', ...problem('nestedTooDeeply') } }
    for (const [key, inner] of Object.entries(next.value)) {
      const inName = unstorableIn(key)
      if (inName !== undefined) return { count, found: { path, ...problem(unstorableNames[inName]) } }
      todo.push({
        value: inner,
        path: joinPath(path, Array.isArray(next.value) ? Number(key) : key),
        depth: depth + 1,
      })
    }
  }
  return { count }
}

/** PostgreSQL stores neither of them, and UTF-8 has no surrogates. */
function unstorableIn(text: string): 'halfPair' | 'nul' | undefined {
  if (text.includes('\0')) return 'nul'
  return text.isWellFormed() ? undefined : 'halfPair'
}

const unstorableTexts = { nul: 'containsNul', halfPair: 'containsHalfPair' } as const
const unstorableNames = { nul: 'fieldNameWithNul', halfPair: 'fieldNameWithHalfPair' } as const

const compilers = new Map<string, Ajv>()

/**
 * Returns the compiler that all schemas of a part share. A compiler of its own would compile the
 * meta-schema anew, which takes longer than the schema.
 */
function compilerOf(part: RequestPart, errors: 'first' | 'all'): Ajv {
  const name = `${part} ${errors}`
  const compiler =
    compilers.get(name) ?? addFormats(new Ajv({ ...optionsOf[part], allErrors: errors === 'all' }))
  compilers.set(name, compiler)
  return compiler
}

/**
 * Finds numbers in a query that are not in plain notation, such as 1e1, 0x10 or +5, which the
 * library would accept.
 */
function malformedNumbers(schema: TSchema, query: unknown): FieldProblem[] {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.entries(query ?? {}).flatMap(([path, value]) => {
    const type = properties[path]?.type
    const form = type === 'integer' ? wholeNumber : type === 'number' ? decimalNumber : undefined
    if (form === undefined || typeof value !== 'string' || form.test(value)) return []
    return [{ path, ...problem('wrongType', { expected: type ?? 'number', got: `"${value.slice(0, 40)}"` }) }]
  })
}

const wholeNumber = /^-?\d+$/

const decimalNumber = /^-?\d+(\.\d+)?$/
