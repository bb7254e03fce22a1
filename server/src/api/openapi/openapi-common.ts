import { STATUS_CODES } from 'node:http'
import { keyScopes, scopeDescriptions } from '@everscan/contract/resources/api-keys.ts'
import type { ErrorCode } from '@everscan/contract/schema/errors.ts'
import { errorCodes } from '@everscan/contract/schema/errors.ts'
import type { TSchema } from 'typebox'
import { isLive } from '../http/endpoint-routes.ts'
import type { Endpoint, EndpointTag } from '@everscan/contract/endpoints/endpoint.ts'
import { codesOf, errorDescriptions, errorExample } from './error-descriptions.ts'
import { exampleOf } from './schema-examples.ts'

type Json = Record<string, unknown>

function listOfScopes(): string {
  return keyScopes.map((scope) => `| \`${scope}\` | ${scopeDescriptions[scope]} |`).join('\n')
}

const conventions = `
Dynamic QR codes for organizations: print a code once, change its destination at any time, and count every scan.

**API keys.** Every request needs an API key in the header \`X-API-Key\`, unless its description says otherwise. A key belongs to one
organization and has a role: \`VIEWER\` reads, \`EDITOR\` also changes codes, folders and imports, \`ADMIN\` may do everything. Use keys
only in server-side code. Give each program only what it needs: scopes limit a key to parts of the API, networks limit from where it is
accepted, and a key can expire. Both its role and its scopes must allow a request. Keys without scopes may do all that their role allows.

| Scope | What a key with it may do, as far as its role allows |
|---|---|
${listOfScopes()}

**Sessions.** The dashboard signs in (\`POST /auth/sign-in\`) and sends a cookie instead of a key. A session acts in every organization
of its account, with the role of the member there. A change with a session must come from a page of this site, according to
\`Sec-Fetch-Site\` or \`Origin\`. A request has either a key or a session, never both.

**Lists** are paged with \`page\` and \`limit\` (at most 100), newest first; a page past the end is empty. **Timestamps** are ISO 8601 UTC
with milliseconds. **Unknown fields** in a body or a query are an error: nothing is silently ignored.

**Safe retries.** Send an \`Idempotency-Key\` with a request that creates records: a repeat within 24 hours returns the first response.
**Safe updates.** Send \`If-Match\` with the \`ETag\` that you read: if the record has changed since, the update fails with 412.
**Conditional reads.** Send \`If-None-Match\` with the \`ETag\` of an earlier response: if nothing has changed, the response is 304 without
a body. Long responses are compressed if the request has \`Accept-Encoding: br\` or \`gzip\`.

**Errors** all have the same body: \`message\` says what to do, \`code\` is for programs, \`details\` lists the fields, and the log has the
cause under \`requestId\`.
`

/** Returns the text at the top of the document: the rules that apply to every endpoint. */
export function documentDescription(): string {
  const rows = (Object.keys(errorCodes) as ErrorCode[]).map(
    (code) => `| ${errorCodes[code]} | \`${code}\` | ${errorDescriptions[code].when} |`,
  )
  return `${conventions.trim()}\n\n| Status | \`code\` | When |\n|---|---|---|\n${rows.join('\n')}\n`
}

const tagDescriptions: Readonly<Record<EndpointTag, string>> = {
  'QR codes':
    'A code has a type, content that matches the type, a style, and a short URL that never changes.',
  Batches: 'Many codes in one call. Each item succeeds or fails alone, except with `atomic=true`.',
  Bin: 'Codes that were deleted with `bin=true`. They can be restored until they are removed for good.',
  Folders: 'Folders contain codes and other folders.',
  Styles: 'Styles that an organization has saved for its codes.',
  'UTM templates': 'Campaign parameters that an organization has saved for its destinations.',
  Domains:
    'Host names of an organization. A domain is proved by a TXT record; then codes can be on it. A code stays on its domain for ever, as it is printed.',
  Tags: 'Words that group codes across folders.',
  'Bulk import': 'Files of rows that become codes, as work in the background with progress and errors.',
  Moves: 'Links of other products, from their exports, as work in the background with a preview and reasons.',
  Documentation: 'This document.',
  Organizations: 'Every record belongs to an organization, whose id is part of most paths.',
  Analytics: 'Scans are hits by humans; crawlers, link previews and prefetches are counted separately.',
  'API keys':
    'API keys are created and revoked with the role ADMIN. A key creates only keys with at most its own scopes, networks and time.',
  'Signing in': 'Accounts of people, their sessions and second factors.',
  Members: 'People with an account. An API key never has more permissions than the member who created it.',
  Invitations: 'Invitations turn people into members.',
  Views:
    'A view is a saved query of analytics. It can be shared by a public link, with a password and an end, and mailed every week or month. A link or a mail shows sums only: no single scans, identifiers or short codes.',
  Webhooks:
    'Calls are signed as the Standard Webhooks specification defines. A call succeeds with any 2xx within 15 s; others are retried after 5 s, 1 min, 10 min, 1 h, 6 h and 24 h. An event can arrive more than once and in any order; `webhook-id` identifies it.',
  Events: 'A live stream of the events that webhooks receive.',
  'Audit log': 'Entries never change and contain no IP address.',
}

/** Returns the tags of the document, in the order of the route table. */
export function tagsOf(endpoints: readonly Endpoint[]): Json[] {
  return [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagDescriptions[name],
  }))
}

const text = { type: 'string' }
const count = { type: 'integer', minimum: 0 }

/** Headers that many responses share, by their name in the document. */
export const commonHeaders: Readonly<Record<string, Json>> = {
  'X-Request-Id': {
    description: 'Identifies this request; error bodies contain it too.',
    schema: text,
    example: 'req_01jqzv4x8m3c5t7w9y2b4d6f8h',
  },
  ETag: {
    description: 'Identifies this version of the response, for If-None-Match.',
    schema: text,
    example: 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  'RateLimit-Limit': {
    description: 'Requests per minute that the key or session may make.',
    schema: count,
    example: 6000,
  },
  'RateLimit-Remaining': {
    description: 'Requests left in the current minute.',
    schema: count,
    example: 5999,
  },
  'RateLimit-Reset': { description: 'Seconds until the next minute begins.', schema: count, example: 42 },
  'Retry-After': { description: 'Seconds to wait before retrying.', schema: count, example: 5 },
}
const rateLimitHeaders = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Adds the parameters and responses common to all endpoints, and an example of each part. */
export function withCommonParts(operation: Json, endpoint: Endpoint): Json {
  const { method, status, response, role } = endpoint
  const reads = method === 'GET' && !isLive(endpoint)
  const parametersOfEndpoint = (operation['parameters'] ?? []) as Json[]
  const asks = parametersOfEndpoint.some(({ name }) => name === 'If-None-Match')
  const parameters = [...parametersOfEndpoint, ...(reads && !asks ? [ifNoneMatch] : [])]
  const requestBody = operation['requestBody'] as { content: Record<string, Json> } | undefined
  const {
    [String(status)]: success,
    '200': nothingCreated,
    ...errors
  } = operation['responses'] as Record<string, Json>
  const common = ['X-Request-Id', ...(role === 'public' ? [] : rateLimitHeaders)]
  const completed = (answer: Json | undefined): Json => ({
    ...answer,
    headers: {
      ...referTo([...common, ...(reads ? ['ETag'] : [])]),
      ...((answer?.['headers'] ?? {}) as Json),
    },
    content: successContent(answer?.['content'] as Record<string, Json>, response),
  })
  return {
    ...operation,
    ...(parameters.length === 0
      ? {}
      : { parameters: parameters.map((parameter) => withExample(parameter, endpoint)) }),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: contentExamples(requestBody.content, endpoint) } }),
    responses: {
      ...(nothingCreated === undefined ? {} : { 200: completed(nothingCreated) }),
      [status]: completed(success),
      ...(reads ? { 304: { description: STATUS_CODES[304], headers: referTo([...common, 'ETag']) } } : {}),
      ...Object.fromEntries(
        [400, ...(endpoint.params === undefined ? [] : [404]), ...(method === 'GET' ? [] : [413, 415])].map(
          (each) => [each, { $ref: `#/components/responses/${errorName(each)}` }],
        ),
      ),
      ...errors,
    },
  }
}

/** An error response, with an example of each error code of the status. */
export function errorResponse(status: number): Json {
  const codes = codesOf(status)
  const waits = status === 429 || status === 503
  return {
    description: codes.map((code) => `\`${code}\`: ${errorDescriptions[code].when}`).join('\n\n'),
    headers: referTo(['X-Request-Id', ...(waits ? ['Retry-After'] : [])]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}

/** The name of a status's response in the document. */
export function errorName(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(' ', '')
}

const ifNoneMatch: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier response; the response is 304 if it still applies.',
  schema: text,
}

const headerExamples: Readonly<Record<string, string>> = {
  'If-Match': '"qr_01jqzv4x8m3c5t7w9y2b4d6f8h.3.137.90.1h2k9x"',
  'If-None-Match': 'W/"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  'Idempotency-Key': 'order-2026-0017',
  'Last-Event-ID': 'evt_01jqzv4x8m3c5t7w9y2b4d6f8h',
}

/** Prefixes of ids by the path segment before them. */
const idPrefixes: Readonly<Record<string, string>> = {
  organizations: 'org',
  'qr-codes': 'qr',
  'api-keys': 'key',
  folders: 'fld',
  styles: 'sty',
  'utm-templates': 'utm',
  domains: 'dom',
  'bulk-import': 'job',
  webhooks: 'whk',
  sessions: 'ses',
  deliveries: 'dlv',
}

function withExample(parameter: Json, { path, params, query }: Endpoint): Json {
  const { name, in: place } = parameter as { name: string; in: string }
  if (place === 'header') return { ...parameter, example: headerExamples[name] ?? 'text' }
  if (place === 'path') {
    const word = path.split('/').at(path.split('/').indexOf(`:${name}`) - 1) ?? ''
    const prefix = idPrefixes[word]
    if (prefix !== undefined) return { ...parameter, example: `${prefix}_01jqzv4x8m3c5t7w9y2b4d6f8h` }
  }
  const schema = propertiesOf(place === 'path' ? params : query)[name]
  return schema === undefined ? parameter : { ...parameter, example: exampleOf(schema) }
}

function contentExamples(content: Record<string, Json>, { body }: Endpoint): Record<string, Json> {
  const json = content['application/json']
  if (json === undefined || body === undefined) return content
  return { ...content, 'application/json': { ...json, example: exampleOf(body, 'required') } }
}

function successContent(content: Record<string, Json>, response: TSchema | undefined): Record<string, Json> {
  if (response !== undefined)
    return {
      ...withSchemas(content),
      'application/json': { ...content['application/json'], example: exampleOf(response) },
    }
  return withSchemas(content)
}

function withSchemas(content: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      Object.keys(media).length > 0 ? media : { schema: schemaOfType(type) },
    ]),
  )
}

/** Any type other than text is bytes, which OpenAPI 3.1 describes by their media type alone. */
function schemaOfType(type: string): Json {
  if (/\/json\b/.test(type)) return { type: 'object' }
  return /^text\/|svg/.test(type) ? { type: 'string' } : { type: 'string', contentMediaType: type }
}

function propertiesOf(schema: TSchema | undefined): Record<string, TSchema> {
  const properties: unknown = schema !== undefined && 'properties' in schema ? schema.properties : {}
  return properties as Record<string, TSchema>
}

function referTo(headers: readonly string[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
