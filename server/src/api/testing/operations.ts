import { resolved } from './documented-answers.ts'
import type { Method } from '@everscan/contract/endpoints/endpoint.ts'
import { frontPaths } from '../openapi/front-paths.ts'
import { openApiDocument } from '../openapi/openapi.ts'

type Json = Record<string, unknown>

/** The place of a value in a request. */
export type Place = { in: 'path' | 'query' | 'body'; name: string; path: readonly (string | number)[] }

/** An operation of the OpenAPI document, with an example of a request. */
export type Operation = {
  id: string
  method: Method
  path: string
  role: string
  /** The example of the JSON body. */
  body: unknown
  parameters: readonly { name: string; in: string; schema: Json; example: unknown; required: boolean }[]
  bodySchema: Json | undefined
  /** Whether the body is a form with a file. */
  takesFile: boolean
  /** Every place that can hold an id, except the organization's id in the path. */
  idPlaces: readonly Place[]
}

const document = openApiDocument()
const idName = /^ids?$|[a-z]Ids?$/

/** Every operation of the OpenAPI document that the API answers. */
export function documentedOperations(): Operation[] {
  const paths = Object.entries(document.paths).filter(([path]) => !(path in frontPaths))
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describe(path, method.toUpperCase() as Method, operation),
    ),
  )
}

/** The example of a request with other values in some places. */
export function requestOf(
  operation: Operation,
  orgId: string,
  values: readonly { place: Place; value: unknown }[] = [],
): { path: string; payload?: object } {
  const inPath = new Map(
    values.filter(({ place }) => place.in === 'path').map(({ place, value }) => [place.name, value]),
  )
  const path = operation.path
    .replace('{orgId}', inUrl(orgId))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => inUrl(inPath.get(name) ?? 'unknown'))
  const query = new URLSearchParams()
  for (const { name, example, required } of operation.parameters.filter((one) => one.in === 'query'))
    if (required) query.append(name, textOf(example))
  for (const { place, value } of values) if (place.in === 'query') query.set(place.name, textOf(value))
  let body = structuredClone(operation.body)
  for (const { place, value } of values) if (place.in === 'body') body = withValue(body, place.path, value)
  const search = query.size > 0 ? `?${query.toString()}` : ''
  return { path: path + search, ...(body === undefined ? {} : { payload: body as object }) }
}

/** A URL cannot contain half of a surrogate pair. */
function inUrl(value: unknown): string {
  return encodeURIComponent(textOf(value).toWellFormed())
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A copy of a value with `inner` at `path`. */
export function withValue(value: unknown, path: readonly (string | number)[], inner: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return inner
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as unknown[])] : []
    list[step] = withValue(list[step], rest, inner)
    return list
  }
  const fields = typeof value === 'object' && value !== null ? (value as Json) : {}
  return { ...fields, [step]: withValue(fields[step], rest, inner) }
}

function describe(path: string, method: Method, operation: Json): Operation {
  const parameters = (operation['parameters'] ?? []) as Operation['parameters'][number][]
  const { content = {} } = (operation['requestBody'] ?? {}) as { content?: Record<string, Json> }
  const media = content['application/json']
  const bodySchema = media === undefined ? undefined : (media['schema'] as Json)
  return {
    id: String(operation['operationId']),
    method,
    path,
    role: String(operation['x-permission']),
    body: media?.['example'],
    parameters,
    bodySchema,
    takesFile: content['multipart/form-data'] !== undefined,
    idPlaces: [
      ...parameters
        .filter(({ name, in: place }) => place !== 'header' && name !== 'orgId' && idName.test(name))
        .map(({ name, in: place }) => ({ in: place as 'path' | 'query', name, path: [] })),
      ...idsIn(bodySchema, media?.['example'], []),
    ],
  }
}

/** The ids in a body, found by their names; where the schema is open, in the example. */
function idsIn(schema: Json | undefined, example: unknown, path: readonly (string | number)[]): Place[] {
  const { properties, items } = (resolved(document, schema) ?? {}) as { properties?: Json; items?: Json }
  if (items !== undefined) return idsIn(items, [example].flat()[0], [...path, 0])
  if (properties === undefined) return path.at(-1) === 0 ? codeFields(example, path) : []
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = (example as Json | undefined)?.[name]
    const at = [...path, name]
    if (!idName.test(name)) return idsIn(field as Json, inner, at)
    const isList = (resolved(document, field) as Json)['items'] !== undefined
    return [{ in: 'body' as const, name, path: isList ? [...at, 0] : at }]
  })
}

/**
 * The create bodies in a batch are open in the schema, because each one is validated separately.
 */
function codeFields(example: unknown, path: readonly (string | number)[]): Place[] {
  const isCode = typeof example === 'object' && example !== null && 'type' in example && 'data' in example
  return isCode ? [{ in: 'body', name: 'folderId', path: [...path, 'folderId'] }] : []
}
