import { ConnectionError, EverscanError, TimeoutError, errorOfResponse } from './errors.ts'
import { sleep } from './sleep.ts'

/** Options of a single call. */
export type CallOptions = {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Overrides the client's timeout, for each attempt of this call, and with it that of a file. */
  timeoutMs?: number
}

/** A call of the API. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, from `pathOf`. */
  path: string
  query?: Readonly<Record<string, QueryValue>> | undefined
  body?: unknown
  /** Replaces `body`: a form with files. */
  form?: FormData
  headers?: Readonly<Record<string, string | undefined>>
  /** Whether sending the call twice has the effect of sending it once, so that a retry is safe. */
  idempotent: boolean
  /** A user is waiting: after 429 the client doesn't retry, so that the page can show the wait. */
  interactive?: true
  options?: CallOptions | undefined
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** A response that was read completely. */
export type Answer = { headers: Headers; bytes: Uint8Array<ArrayBuffer> }

export type Send = (call: Call) => Promise<Answer>

/** A call that failed, after all retries. */
export type FailedCall = Pick<Call, 'method' | 'path' | 'idempotent'> & { error: EverscanError }

/** A response read in pieces, no faster than the caller takes them. Leaving the loop ends it. */
export type StreamedAnswer = { headers: Headers; body: AsyncGenerator<Uint8Array, void, undefined> }

export type SendStreamed = (call: Call) => Promise<StreamedAnswer>

export type SendSettings = {
  baseUrl: string
  /** If undefined, calls use the session of the page that makes them. */
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retries: number
  onFailure: ((failed: FailedCall) => Promise<void>) | undefined
}

/** The least rate at which the service takes a file. A file adds its time at this rate. */
export const uploadBytesPerSecondMin = 16 * 1024

const firstWaitMs = 250
const waitMsMax = 60_000

/** Statuses of transient failures of the service and of proxies in front of it. */
const transientStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Returns a function that sends a call and reads its response. It retries at most `retries` times:
 * after 429, and if the call is idempotent also after 502, 503, 504, a lost connection or a
 * timeout. It waits for `Retry-After`, else 250 ms doubled each time with jitter. If `Retry-After`
 * is more than a minute, it throws the error instead. Then `onFailure` decides, once for each
 * status.
 */
export function createSend(settings: SendSettings): Send {
  return (call) => withRetries(settings, call, () => attemptCall(settings, call))
}

/**
 * Returns the same for a response that is read as a stream. It retries only until the response has
 * begun. `timeoutMs` applies to the beginning, and then to each piece. A body that breaks off
 * rejects with a ConnectionError or TimeoutError.
 */
export function createSendStreamed(settings: SendSettings): SendStreamed {
  return (call) => withRetries(settings, call, () => beginCall(settings, call))
}

async function withRetries<Outcome>(
  settings: SendSettings,
  call: Call,
  attemptOnce: () => Promise<Outcome | EverscanError>,
): Promise<Outcome> {
  const repeatedAfter = new Set<number>()
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce()
    if (!(outcome instanceof EverscanError)) return outcome
    const waitMs = outcome.retryAfterMs ?? backOffMs(attempt)
    if (attempt < settings.retries && isRetryable(call, outcome) && waitMs <= waitMsMax) {
      await sleep(waitMs, call.options?.signal)
      continue
    }
    if (settings.onFailure === undefined || repeatedAfter.has(outcome.status)) throw outcome
    repeatedAfter.add(outcome.status)
    const { method, path, idempotent, options } = call
    await unlessAborted(settings.onFailure({ method, path, idempotent, error: outcome }), options?.signal)
  }
}

/** Waits for a promise. Rejects with the signal's reason as soon as the caller aborts. */
async function unlessAborted(waited: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return waited
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    await Promise.race([waited, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}

/** Returns the path of a call: fixed words and ids in turn. An id is always a single segment. */
export function pathOf(parts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: parts }, ...ids.map(pathSegment))
}

/** Returns the JSON of a response without validation: the contract defines its type. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names the type
export function readJson<T>(answer: Answer): T {
  const text = new TextDecoder().decode(answer.bytes)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EverscanError('The response was not JSON. Does the base URL point to the service?', {
      status: 200,
      code: 'UNEXPECTED_ANSWER',
      cause,
    })
  }
}

async function attemptCall(settings: SendSettings, call: Call): Promise<Answer | EverscanError> {
  const deadline = startDeadline(settings, call)
  try {
    const response = await request(settings, call, deadline.signal)
    // The timeout covers the body too: an incomplete response is no response.
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.ok) return { headers: response.headers, bytes }
    return errorOfResponse(response, new TextDecoder().decode(bytes))
  } catch (cause) {
    return deadline.errorOf(cause, `The service at ${settings.baseUrl} cannot be reached.`)
  } finally {
    deadline.end()
  }
}

async function beginCall(settings: SendSettings, call: Call): Promise<StreamedAnswer | EverscanError> {
  const deadline = startDeadline(settings, call)
  try {
    const response = await request(settings, call, deadline.signal)
    if (response.ok) {
      deadline.pause()
      return { headers: response.headers, body: piecesOf(response, deadline) }
    }
    const error = errorOfResponse(response, await response.text())
    deadline.end()
    return error
  } catch (cause) {
    deadline.end()
    return deadline.errorOf(cause, `The service at ${settings.baseUrl} cannot be reached.`)
  }
}

async function* piecesOf(
  response: Response,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    deadline.end()
    return
  }
  try {
    for (;;) {
      deadline.restart()
      const { done, value } = await reader.read()
      deadline.pause()
      if (done) return
      yield value
    }
  } catch (cause) {
    throw deadline.errorOf(cause, 'The response broke off.')
  } finally {
    deadline.end()
    // If the caller leaves early, stop the service from sending the rest.
    await reader.cancel().catch(() => undefined)
  }
}

/** The timeout of an attempt, and the caller's signal. */
type Deadline = {
  signal: AbortSignal
  /** Starts the timeout again. */
  restart: () => void
  /** Stops the timeout while the caller works. */
  pause: () => void
  end: () => void
  /** Returns the error for a failure. Throws the caller's own reason if the caller aborted. */
  errorOf: (cause: unknown, message: string) => EverscanError
}

function startDeadline(settings: SendSettings, call: Call): Deadline {
  const caller = call.options?.signal
  caller?.throwIfAborted()
  const timeoutMs = call.options?.timeoutMs ?? settings.timeoutMs + uploadMs(call.form)
  const abort = new AbortController()
  const forwardAbort = () => abort.abort(caller?.reason)
  caller?.addEventListener('abort', forwardAbort, { once: true })
  let timeout: ReturnType<typeof setTimeout> | undefined
  const pause = () => clearTimeout(timeout)
  const restart = () => {
    pause()
    timeout = setTimeout(() => abort.abort(), timeoutMs)
  }
  restart()
  return {
    signal: abort.signal,
    restart,
    pause,
    end: () => {
      pause()
      caller?.removeEventListener('abort', forwardAbort)
    },
    errorOf: (cause, message) => {
      caller?.throwIfAborted()
      if (!abort.signal.aborted)
        return new ConnectionError(message, { status: 0, code: 'CONNECTION_FAILED', cause })
      const late = `No response within ${timeoutMs} ms.`
      return new TimeoutError(late, { status: 0, code: 'TIMED_OUT', cause })
    },
  }
}

function uploadMs(form: FormData | undefined): number {
  let bytes = 0
  for (const [, value] of form ?? []) if (typeof value !== 'string') bytes += value.size
  return Math.ceil(bytes / uploadBytesPerSecondMin) * 1_000
}

function request(settings: SendSettings, call: Call, signal: AbortSignal): Promise<Response> {
  const { fetch } = settings // a browser's fetch throws if called as a method
  return fetch(urlOf(settings.baseUrl, call), requestOf(settings, call, signal))
}

function requestOf(settings: SendSettings, call: Call, signal: AbortSignal): RequestInit {
  const { apiKey } = settings
  const headers = new Headers(apiKey === undefined ? {} : { 'x-api-key': apiKey })
  for (const [name, value] of Object.entries(call.headers ?? {}))
    if (value !== undefined) headers.set(name, value)
  if (call.body !== undefined) headers.set('content-type', 'application/json')
  return {
    method: call.method,
    headers,
    signal,
    // The API never redirects, and fetch would send the key to any other host.
    redirect: 'manual',
    // A key and a session are never sent together.
    credentials: apiKey === undefined ? 'same-origin' : 'omit',
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    // `fetch` sets the content type, which contains the boundary.
    ...(call.form !== undefined && { body: call.form }),
  }
}

function urlOf(baseUrl: string, { path, query }: Call): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) parameters.append(name, String(one))
    }
  }
  const search = parameters.size > 0 ? `?${parameters.toString()}` : ''
  return `${baseUrl}/api/v1${path}${search}`
}

function pathSegment(id: string): string {
  // Every URL parser removes "." and "..", and an empty segment is another endpoint.
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`An id must be a string like "qr_…", got "${id}".`)
  return encodeURIComponent(id)
}

function isRetryable(call: Call, error: EverscanError): boolean {
  if (error.status === 429) return call.interactive !== true
  return call.idempotent && (error.status === 0 || transientStatuses.has(error.status))
}

function backOffMs(attempt: number): number {
  const fullMs = Math.min(firstWaitMs * 2 ** attempt, waitMsMax)
  return fullMs / 2 + (Math.random() * fullMs) / 2
}
