import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AnyCaller, Caller, Permission, SessionCaller } from './callers.ts'
import type { ApiContext } from './api-context.ts'

type CallerOf<Needed extends Permission> = {
  public: undefined
  session: SessionCaller
  anyCaller: AnyCaller
  ADMIN: Caller
  EDITOR: Caller
  VIEWER: Caller
}[Needed]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

type Read<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export type EndpointInput<Params = unknown, Query = unknown, Body = unknown> = {
  params: Params
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  /** Of whoever asks; only to count by, never kept. */
  ip: string
  /** Names the request, in the log and in errors. */
  id: string
  log: FastifyBaseLogger
}

/** A response that is more than its body: other headers, or bytes in place of JSON. */
export class Answer<Body> {
  readonly body: Body
  readonly headers: Readonly<Record<string, string>>

  constructor(body: Body, headers: Readonly<Record<string, string>>) {
    this.body = body
    this.headers = headers
  }
}

/** A multipart form in place of a JSON body: its schema in the document, and how it is read. */
export type Form<Received> = {
  schema: TSchema
  /** What it gives is the handler's body; as JSON it must say which request this is, for `Idempotency-Key`. */
  receive: (context: ApiContext, caller: Caller, request: FastifyRequest) => Promise<Received>
}

type Definition<
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
  Response extends TSchema | undefined,
  Needed extends Permission,
  Received = undefined,
> = {
  /** Name of the operation in the OpenAPI document, and so of the client's method. */
  id: string
  method: Method
  /** Below /api/v1, with `:name` for parameters. */
  path: `/${string}`
  role: Needed
  /** Keys are refused, whatever their role: only a person may do it. */
  sessionOnly?: true
  /** Of a public one: how often each network may ask it, so that nobody can try tokens by the million. */
  triesPerMinute?: number
  /** The noun under which the document lists it. */
  tag: string
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** The body may be left out; the handler must then expect undefined, or null, in its place. */
  bodyOptional?: boolean
  /** In place of `limits.bodyBytesMax`. */
  bodyBytesMax?: number
  form?: Form<Received>
  /** Whether `Idempotency-Key` is heeded. Never where the answer holds a secret: it is stored. */
  idempotent?: boolean
  /** Status of success. */
  status: 200 | 201 | 202
  /** Schema of the JSON body of success; `produces` in its place when the body is something else. */
  response?: Response
  produces?: readonly string[]
  /** Headers that the handler heeds, or sets on success: name → meaning, for the document. */
  requestHeaders?: Readonly<Record<string, string>>
  responseHeaders?: Readonly<Record<string, string>>
  /** Error statuses beside those that follow from role, params, query and body. */
  errors?: readonly number[]
  handle: (
    context: ApiContext,
    caller: CallerOf<Needed>,
    input: EndpointInput<Read<Params>, Read<Query>, undefined extends Received ? Read<Body> : Received>,
  ) => MaybePromise<Result<Response>>
}

type MaybePromise<Value> = Value | Promise<Value>
type Result<Response> = Response extends TSchema
  ? Static<Response> | Answer<Static<Response>>
  : Answer<Buffer | string | Readable>

/** An endpoint as the route table sees it. Made by `endpoint()` only, which checks the handler against the schemas. */
export type Endpoint = Omit<
  Definition<TSchema | undefined, TSchema | undefined, TSchema | undefined, undefined, Permission>,
  'handle' | 'response' | 'form'
> & {
  form?: Form<unknown>
  response?: TSchema
  handle: (context: ApiContext, caller: AnyCaller | undefined, input: EndpointInput) => MaybePromise<unknown>
}

/**
 * An endpoint is a value: what it takes, what it answers, who may call it, and the function that does it. Routes,
 * validation, serialization, permissions and the OpenAPI document are all made from these values.
 */
export function endpoint<
  const Needed extends Permission,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Response extends TSchema | undefined = undefined,
  Received = undefined,
>(definition: Definition<Params, Query, Body, Response, Needed, Received>): Endpoint {
  // The one place where types are forgotten: the handler takes what the schemas of the same value have let through.
  return definition as unknown as Endpoint
}
