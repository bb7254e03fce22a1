import { ConnectionError, EverscanError, TimeoutError, errorOfResponse } from './errors.ts'
import { sleep } from './sleep.ts'

/** What each call may be given by its caller. */
export type CallOptions = {
  /** Ends the call; it then rejects with the signal's reason. */
  signal?: AbortSignal
  /** In place of the client's, for each attempt of this call. */
  timeoutMs?: number
}

/** One call of the interface. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api/v1`, from `pathOf`. */
  path: string
  query?: Readonly<Record<string, QueryValue>> | undefined
  body?: unknown
  /** In place of `body`: a form with files. */
  form?: FormData
  headers?: Readonly<Record<string, string | undefined>>
  /** Whether doing it twice is doing it once, so that it may be sent again when nobody knows what became of it. */
  idempotent: boolean
  options?: CallOptions | undefined
}

type QueryValue = string | number | boolean | readonly (string | number)[] | undefined

/** An answer that was read whole. */
export type Answer = { headers: Headers; bytes: Uint8Array<ArrayBuffer> }

export type Send = (call: Call) => Promise<Answer>

/** An answer whose body comes in pieces, read no faster than they are taken; leaving the loop ends the call. */
export type StreamedAnswer = { headers: Headers; body: AsyncGenerator<Uint8Array, void, undefined> }

export type SendStreamed = (call: Call) => Promise<StreamedAnswer>

export type SendSettings = {
  baseUrl: string
  /** Undefined: calls have the session of the page that they are made from. */
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
  timeoutMs: number
  retries: number
}

const firstWaitMs = 250
const waitMsMax = 60_000

/** Statuses that say "not now": of the service, and of proxies on the way to it. */
const passingStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504])

/**
 * Makes the function that sends a call and reads its answer. It is sent again, at most `retries` times, after 429, and when it
 * is idempotent also after 502, 503, 504, a lost connection or a time-out. Waits as long as `Retry-After` says, else
 * 250 ms doubled each time with jitter; when it says more than a minute, the error is thrown instead.
 */
export function createSend(settings: SendSettings): Send {
  return (call) => repeated(settings, call, () => attemptCall(settings, call))
}

/**
 * The same for an answer that is read as a stream. It is sent again only until the answer has begun; `timeoutMs` is for its
 * beginning, and then for each piece. A body that breaks off rejects with a ConnectionError or TimeoutError.
 */
export function createSendStreamed(settings: SendSettings): SendStreamed {
  return (call) => repeated(settings, call, () => beginCall(settings, call))
}

async function repeated<Outcome>(
  settings: SendSettings,
  call: Call,
  attemptOnce: () => Promise<Outcome | EverscanError>,
): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await attemptOnce()
    if (!(outcome instanceof EverscanError)) return outcome
    const waitMs = outcome.retryAfterMs ?? backOffMs(attempt)
    if (attempt >= settings.retries || !mayRepeat(call, outcome) || waitMs > waitMsMax) throw outcome
    await sleep(waitMs, call.options?.signal)
  }
}

/** The path of a call: fixed words and ids, in turn. An id is never read as more than one step of the path. */
export function pathOf(parts: TemplateStringsArray, ...ids: string[]): string {
  return String.raw({ raw: parts }, ...ids.map(pathStep))
}

/** The JSON of an answer, taken at its word: the contract says what it is. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller names what the contract says
export function readJson<T>(answer: Answer): T {
  const text = new TextDecoder().decode(answer.bytes)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EverscanError('The answer was not JSON. Does the base URL lead to the service?', {
      status: 200,
      code: 'UNEXPECTED_ANSWER',
      cause,
    })
  }
}

async function attemptCall(settings: SendSettings, call: Call): Promise<Answer | EverscanError> {
  const watch = watchOver(settings, call)
  try {
    const response = await request(settings, call, watch.signal)
    // The body is read under the same time-out: an answer that stops half-way is no answer.
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.ok) return { headers: response.headers, bytes }
    return errorOfResponse(response, new TextDecoder().decode(bytes))
  } catch (cause) {
    return watch.errorOf(cause, `The service at ${settings.baseUrl} cannot be reached.`)
  } finally {
    watch.end()
  }
}

async function beginCall(settings: SendSettings, call: Call): Promise<StreamedAnswer | EverscanError> {
  const watch = watchOver(settings, call)
  try {
    const response = await request(settings, call, watch.signal)
    if (response.ok) {
      watch.rest()
      return { headers: response.headers, body: piecesOf(response, watch) }
    }
    const error = errorOfResponse(response, await response.text())
    watch.end()
    return error
  } catch (cause) {
    watch.end()
    return watch.errorOf(cause, `The service at ${settings.baseUrl} cannot be reached.`)
  }
}

async function* piecesOf(response: Response, watch: Watch): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    watch.end()
    return
  }
  try {
    for (;;) {
      watch.wait()
      const { done, value } = await reader.read()
      watch.rest()
      if (done) return
      yield value
    }
  } catch (cause) {
    throw watch.errorOf(cause, 'The answer broke off.')
  } finally {
    watch.end()
    // Whoever does not want the rest must not leave the service sending it.
    await reader.cancel().catch(() => undefined)
  }
}

/** The time-out of an attempt, and its caller's wish to end it. */
type Watch = {
  signal: AbortSignal
  /** Starts the time-out anew. */
  wait: () => void
  /** Stops it: the next move is the caller's. */
  rest: () => void
  end: () => void
  /** What went wrong; throws the caller's own reason when that was it. */
  errorOf: (cause: unknown, message: string) => EverscanError
}

function watchOver(settings: SendSettings, call: Call): Watch {
  const caller = call.options?.signal
  caller?.throwIfAborted()
  const timeoutMs = call.options?.timeoutMs ?? settings.timeoutMs
  const abort = new AbortController()
  const passOn = () => abort.abort(caller?.reason)
  caller?.addEventListener('abort', passOn, { once: true })
  let timeout: ReturnType<typeof setTimeout> | undefined
  const rest = () => clearTimeout(timeout)
  const wait = () => {
    rest()
    timeout = setTimeout(() => abort.abort(), timeoutMs)
  }
  wait()
  return {
    signal: abort.signal,
    wait,
    rest,
    end: () => {
      rest()
      caller?.removeEventListener('abort', passOn)
    },
    errorOf: (cause, message) => {
      caller?.throwIfAborted()
      if (!abort.signal.aborted)
        return new ConnectionError(message, { status: 0, code: 'CONNECTION_FAILED', cause })
      const late = `No answer within ${timeoutMs} ms.`
      return new TimeoutError(late, { status: 0, code: 'TIMED_OUT', cause })
    },
  }
}

function request(settings: SendSettings, call: Call, signal: AbortSignal): Promise<Response> {
  const { fetch } = settings // a browser's fetch must not be called as a method
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
    // The interface never redirects, and fetch would hand the key on to whatever host it is sent to.
    redirect: 'manual',
    // A key and a session are never sent together.
    credentials: apiKey === undefined ? 'same-origin' : 'omit',
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    // `fetch` writes the content type, which names the boundary.
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

function pathStep(id: string): string {
  // "." and ".." would be taken out of the path by every URL parser, and an empty step is another endpoint.
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new TypeError(`An id must be a string like "qr_…", got "${id}".`)
  return encodeURIComponent(id)
}

function mayRepeat(call: Call, error: EverscanError): boolean {
  if (error.status === 429) return true
  return call.idempotent && (error.status === 0 || passingStatuses.has(error.status))
}

function backOffMs(attempt: number): number {
  const fullMs = Math.min(firstWaitMs * 2 ** attempt, waitMsMax)
  return fullMs / 2 + (Math.random() * fullMs) / 2
}
