import { request as httpRequest, type Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import type { ServerResponse } from 'node:http'
import { lateBody } from './bodies/body-watch.ts'
import { forwardedHeaders, hasBody } from './forwarded-headers.ts'
import { notNow, sendUnavailable, tooLate } from './front-errors.ts'

/** A request, its response, and the trail of addresses by which it came. */
export type Exchange = { request: IncomingMessage; response: ServerResponse; trail: readonly string[] }

export type Upstream = { socketPath: string; agent: Agent }

type Options = {
  firstByteMs: number
  onAnswer: (answer: IncomingMessage) => void
  /** Called if the API was not reached and the request can be sent again unchanged. */
  onUnreached: () => void
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Returns whether a request changes nothing, so that it may be sent twice. */
export function isSafe({ method = '' }: IncomingMessage): boolean {
  return safeMethods.has(method)
}

/** One request to one API process, which may not be running, or not answer. */
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
      request.once(lateBody, () => this.#leave(upstream))
    }
    // The API is at work on a file.
    upstream.on('information', this.#wait)
    upstream.on('response', (answer) => this.#takeAnswer(upstream, answer))
    upstream.on('error', (error) => this.#fail(upstream, error))
    upstream.on('close', () => this.#end(upstream))
    response.once('close', () => {
      if (!response.writableFinished) upstream.destroy()
    })
    request.pipe(upstream)
  }

  /**
   * Restarts the wait: an upload takes its time, so the wait begins when the API has taken the last
   * of it.
   */
  readonly #wait = (): void => {
    if (!this.#isAnswered) this.#waiting?.refresh()
  }

  #giveUp(upstream: ClientRequest): void {
    const { request, response } = this.#exchange
    // The API waits for the client, whose time is that of `BodyWatch`.
    if (hasBody(request) && !request.readableEnded && !request.isPaused()) return this.#wait()
    this.#leave(upstream)
    sendUnavailable(response, tooLate)
  }

  /** Ends the request to the API. Someone else answers. */
  #leave(upstream: ClientRequest): void {
    this.#isAnswered = true
    upstream.destroy()
  }

  #takeAnswer(upstream: ClientRequest, answer: IncomingMessage): void {
    this.#isAnswered = true
    clearTimeout(this.#waiting)
    // If a response is complete before the body was read (413), the API no longer reads the rest of
    // the body.
    answer.once('end', () => {
      if (!this.#exchange.request.readableEnded) upstream.destroy()
    })
    this.#options.onAnswer(answer)
  }

  #fail(upstream: ClientRequest, error: NodeJS.ErrnoException): void {
    const { request, response } = this.#exchange
    // The response may come before the body was read (413). A break after that concerns only the
    // response.
    if (this.#isAnswered || response.destroyed) return
    const isUnsent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
    // An API may have executed a request on a kept connection that breaks, so only a read is
    // repeated.
    const isBrokenRead = upstream.reusedSocket && isSafe(request)
    if ((isUnsent || isBrokenRead) && !hasBody(request)) this.#options.onUnreached()
    else sendUnavailable(response, notNow)
  }

  #end(upstream: ClientRequest): void {
    const { request } = this.#exchange
    request.off('data', this.#wait)
    clearTimeout(this.#waiting)
    // The rest of an unwanted body is read and discarded. Otherwise the next request on this
    // connection would wait behind it.
    request.unpipe(upstream)
    request.resume()
  }
}
