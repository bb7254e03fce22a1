import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { apiPrefix } from '../http/endpoint-routes.ts'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'

type Json = Record<string, unknown>
type Answer = {
  statusCode: number
  headers: Readonly<Record<string, unknown>>
  body: string
}
type Check = (method: string, url: string, answer: Answer) => void

/**
 * Returns a function that fails if a response does not match its operation in the OpenAPI document:
 * status, media type, headers, body.
 */
export function answerChecker(document: OpenApiDocument): Check {
  // Each test file compiles what it asks for, and uses it a few times: compiling must be cheap.
  const options = { strict: false, inlineRefs: false, code: { optimize: false } }
  const ajv = addFormatsModule.default(new Ajv2020(options))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (place: string, schema: unknown): ValidateFunction => {
    const known = validators.get(place)
    const validate = known ?? ajv.compile(absolute(schema) as Json)
    validators.set(place, validate)
    return validate
  }
  // A fixed segment takes precedence over a parameter, even if its path lacks the method: that is
  // a 405.
  const operations = Object.entries(document.paths)
    .map(([path, methods]) => ({ path, segments: path.split('/'), methods }))
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)

  return (method, url, answer) => {
    // An empty id leaves the path of the collection, with a slash that counts for nothing.
    const path = url
      .replace(apiPrefix, '')
      .replace(/\?.*$/, '')
      .replace(/\/\.?$/, '')
    const segments = path.split('/')
    const found = operations.find((one) => matches(one.segments, segments))
    const operation = found?.methods[methodOf(method)]
    if (operation === undefined) return
    const status = answer.statusCode
    const place = `${method} ${found?.path} ${status}`
    const response = resolved(document, (operation['responses'] as Json)[status])
    assert.ok(response, `${place} is not documented: ${answer.body.slice(0, 300)}`)
    for (const name of Object.keys(response['headers'] ?? {}))
      if (mustHave(name, status))
        assert.ok(answer.headers[name.toLowerCase()] !== undefined, `${place}: ${name}`)
    if (method === 'HEAD' || status === 304) return
    const type = String(answer.headers['content-type']).replace(/;.*$/, '')
    const content = (response['content'] ?? {}) as Record<string, Json>
    const media = Object.entries(content).find(([name]) => name.replace(/;.*$/, '') === type)?.[1]
    assert.ok(media, `${place} is documented as ${Object.keys(content).join(', ')}, but is ${type}`)
    if (type !== 'application/json' || media['schema'] === undefined) return
    const validate = validatorOf(place, media['schema'])
    const right = validate(JSON.parse(answer.body))
    assert.ok(right, `${place}: ${JSON.stringify(validate.errors)} ${answer.body.slice(0, 500)}`)
  }
}

/**
 * Makes the references in a part of a document absolute, so that the part can be compiled by
 * itself.
 */
export function absolute(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(absolute)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? `everscan${inner}` : absolute(inner),
    ]),
  )
}

/** Resolves a reference; returns any other value unchanged. */
export function resolved(document: OpenApiDocument, value: unknown): Json | undefined {
  const reference = (value as Json | undefined)?.['$ref']
  if (typeof reference !== 'string') return value as Json | undefined
  let target: unknown = document
  for (const step of reference.slice(2).split('/')) target = (target as Json)[step]
  return target as Json
}

function methodOf(method: string): string {
  return method === 'HEAD' ? 'get' : method.toLowerCase()
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, i) => part.startsWith('{') || part === segments[i])
  )
}

/** The other headers depend on rate limits, repeated requests and record versions. */
function mustHave(name: string, status: number): boolean {
  return name === 'X-Request-Id' || (name === 'Retry-After' && status === 503)
}
