import { request as httpRequest, type Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import type { ServerResponse } from 'node:http'
import { forwardedHeaders, hasBody } from './forwarded-headers.ts'
import { notNow, sendUnavailable, tooLate } from './unavailable.ts'

/** A request, its response, and the way on which it came. */
export type Exchange = { request: IncomingMessage; response: ServerResponse; trail: readonly string[] }

export type Upstream = { socketPath: string; agent: Agent }

type Options = {
  firstByteMs: number
  onAnswer: (answer: IncomingMessage) => void
  /** The API was not reached, and the request can be sent again as it is. */
  onUnreached: () => void
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request changes nothing, so that it may be sent twice. */
export function isSafe({ method = '' }: IncomingMessage): boolean {
  return safeMethods.has(method)
}

/** One request to one API process, which may not be there, or not answer. */
export class ForwardAttempt {
  readonly #exchange: Exchange
  readonly #options: Options
  #isAnswered = false
  #waiting: NodeJS.Timeout | undefined

  constructor(exchange: Exchange, options: Options) {
    this.#exchange = exchange
    this.#options = options
  }

  start({ socketPath, agent }: Upstream): void {
    const { request, response, trail } = this.#exchange
    const { method, url: path } = request
    const headers = forwardedHeaders(request, trail)
    const upstream = httpRequest({ socketPath, agent, method, path, headers, setHost: false })
    this.#waiting = setTimeout(() => this.#giveUp(upstream), this.#options.firstByteMs)
    if (hasBody(request)) {
      request.on('data', this.#wait)
      upstream.once('finish', this.#wait)
    }
    upstream.on('response', (answer) => this.#takeAnswer(upstream, answer))
    upstream.on('error', (error) => this.#fail(upstream, error))
    upstream.on('close', () => this.#end(upstream))
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy()
    })
    request.pipe(upstream)
  }

  /** An upload takes its time: the wait begins with the last of it that the API took. */
  readonly #wait = (): void => {
    if (!this.#isAnswered) this.#waiting?.refresh()
  }

  #giveUp(upstream: ClientRequest): void {
    this.#isAnswered = true
    sendUnavailable(this.#exchange.response, tooLate)
    upstream.destroy()
  }

  #takeAnswer(upstream: ClientRequest, answer: IncomingMessage): void {
    this.#isAnswered = true
    clearTimeout(this.#waiting)
    // An answer that is whole before the body was read (413): the API does not read the rest of it any more.
    answer.once('end', () => {
      if (!this.#exchange.request.readableEnded) upstream.destroy()
    })
    this.#options.onAnswer(answer)
  }

  #fail(upstream: ClientRequest, error: NodeJS.ErrnoException): void {
    const { request, response } = this.#exchange
    // The answer may come before the body was read (413); a break after that is the answer's own matter.
    if (this.#isAnswered || response.destroyed) return
    const isUnsent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
    // A kept connection that breaks may have done what was asked: only a read is asked again.
    const isBrokenRead = upstream.reusedSocket && isSafe(request)
    if ((isUnsent || isBrokenRead) && !hasBody(request)) this.#options.onUnreached()
    else sendUnavailable(response, notNow)
  }

  #end(upstream: ClientRequest): void {
    const { request } = this.#exchange
    request.off('data', this.#wait)
    clearTimeout(this.#waiting)
    // The rest of an unwanted body is read away, or the next request on this connection would wait behind it.
    request.unpipe(upstream)
    request.resume()
  }
}
