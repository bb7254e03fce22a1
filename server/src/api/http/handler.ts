import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Endpoint, Permission } from '@everscan/contract/endpoints/endpoint.ts'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { AnyCaller, Caller, SessionCaller } from '../../catalogue/organizations/callers.ts'
import type { ApiContext } from './api-context.ts'

type CallerOf<Needed extends Permission> = {
  public: undefined
  session: SessionCaller
  anyCaller: AnyCaller
  ADMIN: Caller
  EDITOR: Caller
  VIEWER: Caller
}[Needed]

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

type MaybePromise<Value> = Value | Promise<Value>

/** The response that an endpoint has, or its bytes. */
type Result<Response> = Response extends TSchema
  ? Static<Response> | Answer<Static<Response>> | OtherForm
  : Answer<Buffer | string | Readable>

type InputOf<Of extends Endpoint, Received> = EndpointInput<
  Read<Of['params']>,
  Read<Of['query']>,
  Of['form'] extends TSchema ? Received : Read<Of['body']>
>

/** The work of an endpoint, checked against its schemas. */
type Handling<Of extends Endpoint, Received, Prepared> = {
  /**
   * Validation and work on styles: whatever takes long and writes nothing. Runs before `handle`,
   * outside the transaction in which an `Idempotency-Key` runs it.
   */
  prepare?: (
    context: ApiContext,
    caller: CallerOf<Of['role']>,
    input: InputOf<Of, Received>,
  ) => MaybePromise<Prepared>
  handle: (
    context: ApiContext,
    caller: CallerOf<Of['role']>,
    input: InputOf<Of, Received>,
    prepared: Prepared,
  ) => MaybePromise<Result<Of['response']>>
} & (Of['form'] extends TSchema
  ? {
      /**
       * Reads the form, and returns the handler's body. As JSON, the body must identify the
       * request, for `Idempotency-Key`.
       */
      receive: (
        context: ApiContext,
        caller: CallerOf<Of['role']>,
        request: FastifyRequest,
      ) => Promise<Received>
    }
  : { receive?: never })

/** The work of an endpoint, as its route sees it. Only `handler()` creates one. */
export type Handler<Id extends string = string> = {
  readonly id: Id
  receive?: (context: ApiContext, caller: AnyCaller, request: FastifyRequest) => Promise<unknown>
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

/** An endpoint with what it does, which is loaded when it is first asked. */
export type Route = Endpoint & { readonly handler: () => MaybePromise<Handler> }

/** Gives an endpoint what it does. */
export function handler<Of extends Endpoint, Received = undefined, Prepared = undefined>(
  { id }: Of,
  handling: Handling<Of, Received, Prepared>,
): Handler<Of['id']> {
  // The only place that drops the types: the handler accepts what the schemas of the endpoint let
  // through.
  return { id, ...(handling as unknown as Omit<Handler, 'id'>) }
}

/** Returns an endpoint with what it does: for tables of a test. */
export function routeOf<Of extends Endpoint, Received = undefined, Prepared = undefined>(
  endpoint: Of,
  handling: Handling<Of, Received, Prepared>,
): Route {
  const bound = handler(endpoint, handling)
  return { ...endpoint, handler: () => bound }
}
