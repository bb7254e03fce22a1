import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AnyCaller, Caller, Permission, SessionCaller } from '../../catalogue/organizations/callers.ts'
import type { ApiContext } from './api-context.ts'
import type { NeededScope } from '../../product/organizations/scopes.ts'

/** Requests that share places: see FairShare. */
export type PlaceKind = 'downloads' | 'uploads'

type CallerOf<Needed extends Permission> = {
  public: undefined
  session: SessionCaller
  anyCaller: AnyCaller
  ADMIN: Caller
  EDITOR: Caller
  VIEWER: Caller
}[Needed]

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The part of the API's document to which an endpoint belongs. */
export type EndpointTag =
  | 'Organizations'
  | 'QR codes'
  | 'Batches'
  | 'Bin'
  | 'Analytics'
  | 'Views'
  | 'Folders'
  | 'Styles'
  | 'UTM templates'
  | 'Domains'
  | 'Tags'
  | 'Bulk import'
  | 'Moves'
  | 'API keys'
  | 'Members'
  | 'Invitations'
  | 'Audit log'
  | 'Signing in'
  | 'Webhooks'
  | 'Events'
  | 'Documentation'

type Read<Schema> = Schema extends TSchema ? Static<Schema> : undefined

export type EndpointInput<Params = unknown, Query = unknown, Body = unknown> = {
  params: Params
  query: Query
  body: Body
  headers: IncomingHttpHeaders
  /** Address of the client; only for counting requests, never stored. */
  ip: string
  /** The request id in the log and in errors. */
  id: string
  log: FastifyBaseLogger
}

/** A list is sent as that many headers of the same name: only `Set-Cookie` may be one. */
type AnswerHeaders = Readonly<Record<string, string | string[]>>

/** A response with more than a JSON body: additional headers, or bytes instead of JSON. */
export class Answer<Body> {
  readonly body: Body
  readonly headers: AnswerHeaders

  constructor(body: Body, headers: AnswerHeaders) {
    this.body = body
    this.headers = headers
  }
}

/** A response in a form of `alsoProduces`. */
export class OtherForm extends Answer<string> {
  readonly isOtherForm = true
}

/**
 * A multipart form instead of a JSON body: its schema for the OpenAPI document, and the function
 * that reads it.
 */
export type Form<Received, From = AnyCaller> = {
  schema: TSchema
  /**
   * Returns the handler's body. As JSON, the body must identify the request, for `Idempotency-Key`.
   */
  receive: (context: ApiContext, caller: From, request: FastifyRequest) => Promise<Received>
}

/** An endpoint that admits keys names its scope: without it, its definition does not compile. */
type KeyAccess<Needed extends Permission> = Needed extends 'public' | 'session'
  ? { scope?: never; sessionOnly?: never }
  :
      | { scope: NeededScope; sessionOnly?: never }
      /** Rejects API keys of any role: only a signed-in user may use the endpoint. */
      | { scope?: never; sessionOnly: true }

type Definition<
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
  Response extends TSchema | undefined,
  Needed extends Permission,
  Received = undefined,
  Prepared = undefined,
> = KeyAccess<Needed> & {
  /** Name of the operation in the OpenAPI document, and hence of the client's method. */
  id: string
  method: Method
  /** Below /api/v1, with `:name` for parameters. */
  path: `/${string}`
  role: Needed
  /**
   * For a public endpoint: the requests per network and minute, so that no client can guess tokens
   * by the million.
   */
  triesPerMinute?: number
  /** The noun under which the OpenAPI document lists the endpoint. */
  tag: EndpointTag
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** The body may be absent; the handler then receives undefined or null. */
  bodyOptional?: boolean
  /** Overrides `limits.bodyBytesMax`. */
  bodyBytesMax?: number
  form?: Form<Received, CallerOf<Needed>>
  /**
   * Whether the endpoint supports `Idempotency-Key`. Never if the response contains a secret,
   * because responses are stored.
   */
  idempotent?: boolean
  /**
   * For requests that hold a connection or memory for long: the kind of place that each takes until
   * its response is closed.
   */
  takes?: PlaceKind
  /** Whether the handler only reads, and much of the catalogue: it may read a replica then. */
  readsMuch?: true
  /**
   * For a GET: whether the response says that a job has changed codes or domains. The front passes
   * it on when the next scan sees that.
   */
  tellsOfWork?: true
  /** Status of a successful response. */
  status: 200 | 201 | 202
  /** Whether a response with this body has status 200 instead, because nothing was created. */
  createdNothing?: (body: Read<Response>) => boolean
  /** Schema of a successful JSON response; `produces` replaces it if the body is not JSON. */
  response?: Response
  produces?: readonly string[]
  /** Media types of other forms of a JSON response, which a parameter requests. */
  alsoProduces?: readonly string[]
  /**
   * Headers that the handler reads, or sets on success: name → meaning, for the OpenAPI document.
   */
  requestHeaders?: Readonly<Record<string, string>>
  responseHeaders?: Readonly<Record<string, string>>
  /** Error statuses besides those that follow from role, params, query and body. */
  errors?: readonly number[]
  /**
   * Validation and work on styles: whatever takes long and writes nothing. Runs before `handle`,
   * outside the transaction in which an `Idempotency-Key` runs it.
   */
  prepare?: (
    context: ApiContext,
    caller: CallerOf<Needed>,
    input: EndpointInput<Read<Params>, Read<Query>, undefined extends Received ? Read<Body> : Received>,
  ) => MaybePromise<Prepared>
  handle: (
    context: ApiContext,
    caller: CallerOf<Needed>,
    input: EndpointInput<Read<Params>, Read<Query>, undefined extends Received ? Read<Body> : Received>,
    prepared: Prepared,
  ) => MaybePromise<Result<Response>>
}

type MaybePromise<Value> = Value | Promise<Value>
type Result<Response> = Response extends TSchema
  ? Static<Response> | Answer<Static<Response>> | OtherForm
  : Answer<Buffer | string | Readable>

/**
 * An endpoint as the route table sees it. Only `endpoint()` creates one: it checks the handler
 * against the schemas.
 */
export type Endpoint = Omit<
  Definition<TSchema | undefined, TSchema | undefined, TSchema | undefined, undefined, Permission>,
  'handle' | 'prepare' | 'response' | 'form' | 'scope' | 'sessionOnly'
> & {
  /** Absent exactly if the endpoint admits no keys. */
  scope?: NeededScope
  sessionOnly?: true
  form?: Form<unknown>
  response?: TSchema
  prepare?: (
    context: ApiContext,
    caller: AnyCaller | undefined,
    input: EndpointInput,
  ) => MaybePromise<unknown>
  handle: (
    context: ApiContext,
    caller: AnyCaller | undefined,
    input: EndpointInput,
    prepared: unknown,
  ) => MaybePromise<unknown>
}

/**
 * Defines an endpoint as a value: its input, its response, its permission and its handler. Routes,
 * validation, serialization, permissions and the OpenAPI document are all derived from these
 * values.
 */
export function endpoint<
  const Needed extends Permission,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Response extends TSchema | undefined = undefined,
  Received = undefined,
  Prepared = undefined,
>(definition: Definition<Params, Query, Body, Response, Needed, Received, Prepared>): Endpoint {
  // The only place that drops the types: the handler accepts what the schemas of the same value let
  // through.
  return definition as unknown as Endpoint
}
