import { joinPath, problemsOf } from '@everscan/contract/schema/problems.ts'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormatsModule from 'ajv-formats'
import type { TSchema } from 'typebox'
import type { ProblemDetail } from '../errors.ts'

export type RequestPart = 'body' | 'querystring' | 'params'

/** Of a larger value only the first problem is looked for: a million wrong entries must not become a million errors. */
const valuesListedMax = 5_000
const depthMax = 32

const common: Options = { removeAdditional: false, strict: false }
const addFormats = addFormatsModule.default

/** Bodies are taken as they are: a number in quotes is not a number. Everything in a query is text, so there it is. */
const optionsOf: Record<RequestPart, Options> = {
  body: { ...common, coerceTypes: false, useDefaults: true },
  params: { ...common, coerceTypes: false },
  querystring: { ...common, coerceTypes: 'array', useDefaults: true },
}

/** What is wrong with a value, as sentences with paths; none when it is right. */
export function problemFinder(schema: TSchema, part: RequestPart): (value: unknown) => ProblemDetail[] {
  // Compiled at first use: most schemas of a process are not asked for in most of its tests.
  let quick: ValidateFunction | undefined
  let thorough: ValidateFunction | undefined
  return (value) => {
    const { count, problem } = survey(value)
    if (problem !== undefined) return [problem]
    // Before the values are coerced.
    const odd = part === 'querystring' ? oddNumbers(schema, value) : []
    quick ??= compilerOf(part, 'first').compile(schema)
    if (quick(value)) return odd
    thorough ??= compilerOf(part, 'all').compile(schema)
    const validate = count > valuesListedMax ? quick : thorough
    validate(value)
    const problems = problemsOf(validate.errors ?? [], value)
    return [...odd, ...problems.filter(({ path }) => odd.every((one) => one.path !== path))]
  }
}

/**
 * Goes once through a value, whatever its shape: how many values it holds, and what no schema says. PostgreSQL stores no
 * U+0000, and what is nested deeper than any record of ours would only serve to overflow a stack.
 */
function survey(value: unknown): { count: number; problem?: ProblemDetail } {
  const todo: { value: unknown; path: string; depth: number }[] = [{ value, path: '', depth: 0 }]
  let count = 0
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    count++
    const { path, depth } = next
    if (typeof next.value === 'string' && next.value.includes('\0'))
      return { count, problem: { path, message: 'must not contain the character U+0000' } }
    if (typeof next.value !== 'object' || next.value === null) continue
    if (depth >= depthMax) return { count, problem: { path: '', message: 'is nested too deeply' } }
    for (const [key, inner] of Object.entries(next.value)) {
      if (key.includes('\0'))
        return {
          count,
          problem: { path, message: 'must have no field with the character U+0000 in its name' },
        }
      todo.push({
        value: inner,
        path: joinPath(path, Array.isArray(next.value) ? Number(key) : key),
        depth: depth + 1,
      })
    }
  }
  return { count }
}

const compilers = new Map<string, Ajv>()

/** The one that all schemas of a part share: each would compile the schema of schemas anew, which takes longer than their own. */
function compilerOf(part: RequestPart, errors: 'first' | 'all'): Ajv {
  const name = `${part} ${errors}`
  const compiler = compilers.get(name) ?? newCompiler({ ...optionsOf[part], allErrors: errors === 'all' })
  compilers.set(name, compiler)
  return compiler
}

function newCompiler(options: Options): Ajv {
  const ajv = addFormats(new Ajv(options))
  // White space around a tag is not part of it, so it does not count either.
  ajv.addKeyword({
    keyword: 'x-trim',
    type: 'string',
    modifying: true,
    before: 'maxLength',
    errors: false,
    validate: (_wanted: boolean, text: string, _schema: unknown, place?: DataValidationCxt) => {
      if (place !== undefined) place.parentData[place.parentDataProperty] = text.trim()
      return true
    },
  })
  return ajv
}

/** Numbers in a query are written as people write them: not 1e1, 0x10 or +5, which the library would take. */
function oddNumbers(schema: TSchema, query: unknown): ProblemDetail[] {
  const properties = (schema as { properties?: Record<string, { type?: string }> }).properties ?? {}
  return Object.entries(query ?? {}).flatMap(([path, value]) => {
    const type = properties[path]?.type
    const form = type === 'integer' ? wholeNumber : type === 'number' ? decimalNumber : undefined
    if (form === undefined || typeof value !== 'string' || form.test(value)) return []
    const message = `must be ${type === 'integer' ? 'a whole number' : 'a number'}, got "${value.slice(0, 40)}"`
    return [{ path, message }]
  })
}

const wholeNumber = /^-?\d+$/

const decimalNumber = /^-?\d+(\.\d+)?$/
