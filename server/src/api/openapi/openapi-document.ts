import { STATUS_CODES } from 'node:http'
import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { OpenData } from '@everscan/contract/code-types/open-data.ts'
import { errorCodes } from '@everscan/contract/schema/errors.ts'
import { sessionCookie } from '@everscan/contract/resources/sessions.ts'
import type { TSchema } from 'typebox'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import {
  commonHeaders,
  documentDescription,
  errorName,
  errorResponse,
  tagsOf,
  withCommonParts,
} from './openapi-common.ts'
import { frontPaths } from './front-paths.ts'
import { dataSchemaName, namedSchemas } from './openapi-schemas.ts'

/** An OpenAPI 3.1 document, as plain data. */
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; license: Json }
  servers: readonly { url: string }[]
  tags: readonly Json[]
  paths: Record<string, Record<string, Json>>
  components: Record<string, Record<string, Json>>
}
type Json = Record<string, unknown>

/** Describes the API of a route table as an OpenAPI document. */
export function describeEndpoints(endpoints: readonly Endpoint[]): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: withCommonParts(operation(endpoint), endpoint),
    }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Everscan',
      version: '1.0.0',
      description: documentDescription(),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1' }],
    tags: tagsOf(endpoints),
    paths: { ...paths, ...frontPaths },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            'A key with scopes needs the one that `x-required-scope` of the operation names; `anyScope` means that each is enough. A key with networks is accepted only from them.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description: 'Set by `POST /auth/sign-in`; over https its name has the prefix `__Host-`.',
        },
      },
      schemas: Object.fromEntries(
        Object.entries(namedSchemas).map(([name, schema]) => [
          name,
          { ...contentsOf(schema), ...(typedByContent.has(name) && { oneOf: byType }) },
        ]),
      ),
      headers: { ...commonHeaders },
      responses: Object.fromEntries(
        [...new Set(Object.values(errorCodes))]
          .sort((a, b) => a - b)
          .map((status) => [errorName(status), errorResponse(status)]),
      ),
    },
  }
}

function operation(endpoint: Endpoint): Json {
  const { id, summary, description, role, scope, params, query, requestHeaders = {} } = endpoint
  const parameters = [
    ...fieldsOf(params).map((field) => parameter(field, 'path')),
    ...fieldsOf(query).map((field) => parameter(field, 'query')),
    ...Object.entries(requestHeaders).map(([name, text]) => ({
      name,
      in: 'header',
      required: false,
      description: text,
      schema: { type: 'string' },
    })),
  ]
  return {
    operationId: id,
    summary,
    description: [...(description === undefined ? [] : [description]), permissionOf(endpoint)].join(' '),
    tags: [endpoint.tag],
    security: securityOf(endpoint),
    'x-permission': role,
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBody(endpoint),
    responses: {
      [endpoint.status]: successResponse(endpoint),
      ...(endpoint.createdNothing === undefined
        ? {}
        : {
            200: {
              ...successResponse(endpoint),
              description: 'OK: every item failed, and nothing was created.',
            },
          }),
      ...Object.fromEntries(
        errorStatuses(endpoint).map((status) => [
          status,
          { $ref: `#/components/responses/${errorName(status)}` },
        ]),
      ),
    },
  }
}

function permissionOf({ role, scope, sessionOnly }: Endpoint): string {
  if (role === 'public') return 'Requires no API key.'
  if (role === 'anyCaller') return 'Requires any valid API key or session.'
  if (role === 'session') return 'Requires a session; API keys are rejected.'
  if (sessionOnly === true) return `Requires the role ${role}, and a session; API keys are rejected.`
  const ofKey = scope === 'anyScope' ? 'any scope' : `the scope \`${scope}\``
  return `Requires the role ${role}, and ${ofKey} of an API key with scopes.`
}

function securityOf({ role, sessionOnly }: Endpoint): Json[] {
  if (role === 'public') return []
  return [...(role === 'session' || sessionOnly === true ? [] : [{ apiKey: [] }]), { session: [] }]
}

function requestBody({ body, bodyOptional, form }: Endpoint): Json {
  if (body === undefined && form === undefined) return {}
  const content =
    form === undefined
      ? { 'application/json': { schema: referring(body) } }
      : { 'multipart/form-data': { schema: withFiles(referring(form)) } }
  return { requestBody: { required: bodyOptional !== true, content } }
}

/** Adds the format by which generators of clients know a file from a text. */
function withFiles({ properties, ...form }: Json): Json {
  const fields = Object.entries(properties as Record<string, Json>).map(([name, field]) => {
    const { contentMediaType: type } = field
    const isFile = type !== undefined && type !== 'application/json'
    return [name, isFile ? { ...field, format: 'binary' } : field] as const
  })
  return { ...form, properties: Object.fromEntries(fields) }
}

function successResponse(endpoint: Endpoint): Json {
  const { status, response, produces = [], alsoProduces = [], responseHeaders = {} } = endpoint
  const headers = Object.fromEntries(
    Object.entries(responseHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  )
  return {
    description: STATUS_CODES[status],
    ...(responseHeaders === undefined ? {} : { headers }),
    content:
      response === undefined
        ? Object.fromEntries(produces.map((type) => [type, {}]))
        : {
            'application/json': { schema: referring(response) },
            ...Object.fromEntries(alsoProduces.map((type) => [type, {}])),
          },
  }
}

/** Derives the errors of an endpoint from its input; only the others are listed in the table. */
function errorStatuses(endpoint: Endpoint): number[] {
  const { role, triesPerMinute, params, query, idempotent, errors = [] } = endpoint
  const body = endpoint.body ?? endpoint.form
  const ids = fieldsOf(params).filter(({ name }) => name !== 'orgId')
  return [
    ...new Set([
      ...(query === undefined && body === undefined ? [] : [400]),
      ...(role === 'public' ? [] : [401, 403, 429]),
      ...(triesPerMinute === undefined ? [] : [429]),
      // A request from another site.
      ...(role === 'public' && endpoint.method !== 'GET' ? [403] : []),
      ...(ids.length === 0 ? [] : [404]),
      ...(body === undefined ? [] : [408, 413, 415]),
      // The same Idempotency-Key with another body.
      ...(idempotent === true ? [409] : []),
      500,
      503,
      ...errors,
    ]),
  ].sort((a, b) => a - b)
}

type Field = { name: string; schema: Json; required: boolean }

function fieldsOf(schema: TSchema | undefined): Field[] {
  if (schema === undefined) return []
  const { properties, required } = schema as unknown as { properties: Json; required?: string[] }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: referring(field),
    required: required?.includes(name) ?? false,
  }))
}

function parameter({ name, schema, required }: Field, place: 'path' | 'query'): Json {
  const { description, ...rest } = schema
  return { name, in: place, required, ...(description === undefined ? {} : { description }), schema: rest }
}

/**
 * Names of schemas by their JSON. By JSON, because TypeBox copies a schema that it makes optional.
 */
const names = new Map(Object.entries(namedSchemas).map(([name, schema]) => [JSON.stringify(schema), name]))

/** Schemas of a whole code: its `type` says which content `data` is. */
const typedByContent: ReadonlySet<string> = new Set(['QrCode', 'CreateQrCode'])
const contents = qrCodeTypes.map((type) => ({ $ref: `#/components/schemas/${dataSchemaName(type)}` }))
const byType = qrCodeTypes.map((type, at) => ({
  title: type,
  required: ['type', 'data'],
  properties: { type: { const: type }, data: contents[at] },
}))
const openData = JSON.stringify(OpenData)

/** Returns a schema as plain data, with references to every named schema in it. */
function referring(schema: unknown): Json {
  const json = JSON.stringify(schema)
  if (json === openData) return { ...contentsOf(OpenData), anyOf: contents }
  const name = names.get(json)
  return name === undefined ? contentsOf(schema) : { $ref: `#/components/schemas/${name}` }
}

function contentsOf(schema: unknown): Json {
  return Object.fromEntries(
    Object.entries(schema as Json).map(([key, value]) => [
      key,
      key === 'default' || key === 'examples' ? value : inner(value),
    ]),
  )
}

function inner(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inner)
  return typeof value === 'object' && value !== null ? referring(value) : value
}
