// Runs the declarative requests of an n8n node as n8n does, without n8n: the part of its routing
// that our node uses. Source: the behaviour of `RoutingNode` in n8n-core 2.41.
import { runInNewContext } from 'node:vm'

export type Json = Record<string, unknown>
export type Item = { json: Json; binary?: Record<string, Binary> }
export type Binary = { data: string; mimeType: string; fileName?: string }

type Show = { displayOptions?: { show?: Record<string, unknown[]> } }
type Option = Show & { name: string; value: unknown; routing?: Routing }
export type Field = Show & {
  displayName: string
  name: string
  type: string
  default: unknown
  required?: boolean
  options?: (Option & Field)[]
  routing?: Routing
}
type PostReceive =
  | { type: 'rootProperty'; properties: { property: string } }
  | ((...args: never[]) => Promise<Item[]>)
type Routing = {
  request?: Json
  send?: {
    type?: string
    property?: string
    value?: string
    paginate?: string
    preSend?: ((...args: never[]) => Promise<Json>)[]
  }
  output?: { postReceive?: PostReceive[] }
  operations?: { pagination?: (...args: never[]) => Promise<Item[]> }
}
export type NodeDescription = { requestDefaults: Json; properties: Field[]; credentials: { name: string }[] }
export type Credentials = Readonly<Record<string, string>>
export type CredentialType = {
  name: string
  properties: Field[]
  authenticate: { properties: { headers: Record<string, string> } }
  test: { request: Json }
}

type Request = {
  options: Json
  paginate: boolean
  preSend: NonNullable<Routing['send']>['preSend'] & object
  postReceive: PostReceive[]
  pagination?: NonNullable<Routing['operations']>['pagination']
}

/** A request that the service refused, with its answer. */
export class RefusedError extends Error {
  readonly statusCode: number
  constructor(statusCode: number, body: string) {
    super(`${statusCode} ${body}`)
    this.statusCode = statusCode
  }
}

/** Evaluates `=…{{ expression }}…`. Other values are returned as they are, objects part by part. */
export function evaluated(value: unknown, keys: Json): unknown {
  if (Array.isArray(value)) return value.map((one) => evaluated(one, keys))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, evaluated(one, keys)]))
  if (typeof value !== 'string' || !value.startsWith('=')) return value
  const text = value.slice(1)
  const whole = /^\{\{((?:(?!\}\})[^])*)\}\}$/.exec(text)
  if (whole !== null) return runInNewContext(`(${whole[1]})`, { ...keys })
  return text.replaceAll(/\{\{((?:(?!\}\})[^])*)\}\}/g, (_, code: string) =>
    String(runInNewContext(`(${code})`, { ...keys })),
  )
}

/** Returns the parameters of a node with the defaults of the fields that are shown. */
export function withDefaults(fields: readonly Field[], given: Json): Json {
  const parameters = { ...given }
  for (const field of fields)
    if (isShown(field, parameters) && !(field.name in parameters)) parameters[field.name] = field.default
  return parameters
}

export function isShown({ displayOptions }: Show, parameters: Json): boolean {
  return Object.entries(displayOptions?.show ?? {}).every(([name, values]) =>
    values.includes(parameters[name]),
  )
}

/** Sends a request with the credentials, as n8n's `httpRequestWithAuthentication`. */
export async function send(
  options: Json,
  type: CredentialType,
  credentials: Credentials,
): Promise<{ body: unknown; headers: Json; statusCode: number }> {
  const headers = new Headers(options['headers'] as Record<string, string>)
  const authentication = evaluated(type.authenticate.properties.headers, { $credentials: credentials })
  for (const [name, value] of Object.entries(authentication as Record<string, string>))
    headers.set(name, value)
  const { baseURL = '', url, qs = {}, body, method = 'GET', encoding } = options
  const address = new URL(`${String(baseURL)}${String(url)}`)
  for (const [name, values] of Object.entries(qs as Json))
    for (const value of [values].flat() as (string | undefined)[])
      if (value !== undefined) address.searchParams.append(name, value)
  const isForm = body instanceof FormData
  const isEmpty = !isForm && Object.keys(body ?? {}).length === 0
  if (!isForm && !isEmpty) headers.set('content-type', 'application/json')
  const response = await fetch(address, {
    method: String(method),
    headers,
    ...(isForm ? { body } : isEmpty ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new RefusedError(response.status, await response.text())
  const answer: unknown = encoding === 'arraybuffer' ? await response.arrayBuffer() : await response.json()
  return { body: answer, headers: Object.fromEntries(response.headers), statusCode: response.status }
}

/** Sends the request that tests credentials. */
export function testCredentials(type: CredentialType, credentials: Credentials): ReturnType<typeof send> {
  const keys = { $credentials: credentials, encodeURIComponent }
  return send(evaluated(type.test.request, keys) as Json, type, credentials)
}

/** Runs an operation of a node for one item, and returns the items of its output. */
export async function runOperation(
  node: NodeDescription,
  credentialType: CredentialType,
  credentials: Credentials,
  given: Json,
  item: Item = { json: {} },
): Promise<Item[]> {
  const parameters = withDefaults(node.properties, given)
  const keys = { $credentials: credentials, $parameter: parameters, encodeURIComponent }
  const request: Request = {
    options: {
      qs: {},
      body: {},
      ...(evaluated(node.requestDefaults, keys) as Json),
    },
    paginate: false,
    preSend: [],
    postReceive: [],
  }
  for (const field of node.properties)
    if (isShown(field, parameters)) addField(request, field, parameters[field.name], keys)
  const context = contextOf(parameters, item)
  for (const prepare of request.preSend)
    request.options = await prepare.call(context as never, request.options as never)
  const makeRoutingRequest = async ({ options }: { options: Json }): Promise<Item[]> =>
    outputOf(await send(options, credentialType, credentials), request.postReceive, context)
  if (request.paginate && request.pagination !== undefined)
    return request.pagination.call({ ...context, makeRoutingRequest } as never, request as never)
  return makeRoutingRequest(request)
}

function addField(request: Request, field: Field, value: unknown, keys: Json): void {
  if (field.routing !== undefined) addRouting(request, field.routing, { ...keys, $value: value })
  if (field.type === 'options') {
    const chosen = field.options?.find((one) => one.value === value)
    if (chosen?.routing !== undefined) addRouting(request, chosen.routing, { ...keys, $value: value })
  }
  if (field.type !== 'collection') return
  for (const option of field.options ?? [])
    if (option.name in (value as Json)) addField(request, option, (value as Json)[option.name], keys)
}

function addRouting(target: Request, { request, send: sent, output, operations }: Routing, keys: Json): void {
  for (const [name, value] of Object.entries(evaluated(request ?? {}, keys) as Json)) {
    const before = target.options[name]
    target.options[name] = typeof value === 'object' ? { ...(before as Json), ...(value as Json) } : value
  }
  if (sent?.property !== undefined) {
    const value = sent.value === undefined ? keys['$value'] : evaluated(sent.value, keys)
    setAt(target.options[sent.type === 'body' ? 'body' : 'qs'] as Json, sent.property.split('.'), value)
  }
  if (sent?.paginate !== undefined) target.paginate = Boolean(evaluated(sent.paginate, keys))
  target.preSend.push(...(sent?.preSend ?? []))
  target.postReceive.push(...(output?.postReceive ?? []))
  if (operations?.pagination !== undefined) target.pagination = operations.pagination
}

function setAt(target: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value
  else setAt((target[name] ??= {}) as Json, rest, value)
}

async function outputOf(
  response: { body: unknown },
  actions: readonly PostReceive[],
  context: object,
): Promise<Item[]> {
  let items: Item[] = [{ json: response.body as Json }]
  for (const action of actions)
    items =
      typeof action === 'function'
        ? await action.call(context as never, items as never, response as never)
        : items.flatMap(({ json }) =>
            (json[action.properties.property] as Json[]).map((one) => ({ json: one })),
          )
  return items
}

function contextOf(parameters: Json, { binary = {} }: Item): object {
  const found = (field: string): Binary => {
    const one = binary[field]
    if (one === undefined) throw new Error(`the item has no file in ${field}`)
    return one
  }
  return {
    getNodeParameter: (name: string) => parameters[name],
    helpers: {
      prepareBinaryData: async (bytes: Buffer, fileName: string, mimeType: string): Promise<Binary> => ({
        data: bytes.toString('base64'),
        fileName,
        mimeType,
      }),
      assertBinaryData: found,
      getBinaryDataBuffer: async (field: string) => Buffer.from(found(field).data, 'base64'),
    },
  }
}
