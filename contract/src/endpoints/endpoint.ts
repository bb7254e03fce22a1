import type { Static, TSchema } from 'typebox'
import type { KeyScope } from '../resources/api-keys.ts'
import type { Role } from '../schema/common.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The callers that an endpoint admits: all, any signed-in user, any valid key or signed-in user, or
 * a key or member with at least this role in the organization in the path.
 */
export type Permission = 'public' | 'session' | 'anyCaller' | Role

/**
 * The scope that an API key needs for an endpoint, if the key has scopes. `anyScope`: each of them
 * is enough.
 */
export type NeededScope = KeyScope | 'anyScope'

/** Requests that share places, as each holds a connection or memory for long. */
export type PlaceKind = 'downloads' | 'uploads'

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

/** An endpoint that admits keys names its scope: without it, its definition does not compile. */
type KeyAccess<Needed extends Permission> = Needed extends 'public' | 'session'
  ? { scope?: never; sessionOnly?: never }
  :
      | { scope: NeededScope; sessionOnly?: never }
      /** Rejects API keys of any role: only a signed-in user may use the endpoint. */
      | { scope?: never; sessionOnly: true }

type Schema = TSchema | undefined

/** Everything that is said of an endpoint, besides what it takes and answers. */
type Fields = {
  /** Below /api/v1, with `:name` for parameters. */
  path: `/${string}`
  method: Method
  /**
   * The method of the client, if it is not the noun and the name in the table (`remove` is
   * `delete`). `byHand`: the client has more than a method that sends it, or nothing.
   */
  call?: `${string}.${string}` | 'byHand'
  /**
   * Whether a client may send it again when the connection breaks. By default everything but a POST
   * may be; with `Idempotency-Key` or `If-Match`, it depends on the header.
   */
  repeatable?: boolean
  /** A person waits at a form, so that a client tells of 429 at once. */
  interactive?: true
  /**
   * For a public endpoint: the requests per network and minute, so that no client can guess tokens
   * by the million.
   */
  triesPerMinute?: number
  /** The noun under which the OpenAPI document lists the endpoint. */
  tag: EndpointTag
  summary: string
  description?: string
  /** The body may be absent; the handler then receives undefined or null. */
  bodyOptional?: boolean
  /** Overrides `limits.bodyBytesMax`. */
  bodyBytesMax?: number
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
}

type Definition<
  Id extends string,
  Needed extends Permission,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Form extends Schema,
  Response extends Schema,
> = Fields & {
  /** Name of the operation in the OpenAPI document. */
  id: Id
  role: Needed
  params?: Params
  query?: Query
  body?: Body
  /** A multipart form instead of a JSON body. */
  form?: Form
  /** Schema of a successful JSON response; `produces` replaces it if the body is not JSON. */
  response?: Response
  /** Whether a response with this body has status 200 instead, because nothing was created. */
  createdNothing?: (body: Response extends TSchema ? Static<Response> : undefined) => boolean
}

/** An endpoint of any kind, as tables of them hold it. Only `endpoint()` creates one. */
export type Endpoint = Omit<
  Definition<string, Permission, Schema, Schema, Schema, Schema, undefined>,
  'response' | 'createdNothing'
> & {
  /** Absent exactly if the endpoint admits no keys. */
  scope?: NeededScope
  sessionOnly?: true
  response?: Schema
  createdNothing?: (body: never) => boolean
}

/** An endpoint whose id, role and schemas are known: its handler is checked against them. */
export type EndpointOf<
  Id extends string,
  Needed extends Permission,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Form extends Schema,
  Response extends Schema,
> = Omit<Endpoint, 'id' | 'role' | 'params' | 'query' | 'body' | 'form' | 'response'> & {
  id: Id
  role: Needed
  params: Params
  query: Query
  body: Body
  form: Form
  response: Response
}

/**
 * Describes an endpoint as a value: its input, its response, its permission. Routes, validation,
 * serialization, permissions, handlers' types and the OpenAPI document are all derived from these
 * values.
 */
export function endpoint<
  const Id extends string,
  const Needed extends Permission,
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
  Form extends Schema = undefined,
  Response extends Schema = undefined,
>(
  definition: KeyAccess<Needed> & Definition<Id, Needed, Params, Query, Body, Form, Response>,
): EndpointOf<Id, Needed, Params, Query, Body, Form, Response> {
  return definition as unknown as EndpointOf<Id, Needed, Params, Query, Body, Form, Response>
}
