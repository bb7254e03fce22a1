import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { ForwardAttempt, isSafe, type Exchange, type Upstream } from './forward-attempt.ts'
import { endToEnd, tellsOfWork } from './forwarded-headers.ts'
import { notNow, sendUnavailable } from './front-errors.ts'

type Options = {
  socketPaths: readonly string[]
  /**
   * Called before the response to a change is passed on, or one that tells of changes by jobs, so
   * that the next scan sees them.
   */
  beforeChangeAnswer: () => Promise<void>
  /**
   * How long an unused connection to the API stays open. This is less than the API keeps it:
   * otherwise a request may be written to a connection that is just being closed.
   */
  idleMs?: number
  /**
   * The time within which the API must begin its response after it received the last of the
   * request. Otherwise the answer is 503. The rest of the response may take any time. Default:
   * 30 s.
   */
  firstByteMs?: number
  /**
   * The most requests in progress. Others are answered with 503, because requests that never end
   * would otherwise take the connections of redirects. Default: no limit.
   */
  requestsMax?: number
}

/** The trail of addresses by which a request came, and a function to call when it ends. */
type Forwarding = { trail: readonly string[]; onEnd?: () => void }

/**
 * The proxy of the API processes. It streams both ways: uploads, downloads and server-sent events
 * pass as they arrive, and an abort on one side ends the other.
 */
export class Forward {
  readonly #upstreams: readonly Upstream[]
  readonly #beforeChangeAnswer: Options['beforeChangeAnswer']
  readonly #firstByteMs: number
  readonly #requestsMax: number
  /** Functions that each end a response which lasts for as long as its client reads it. */
  readonly #streams = new Set<() => void>()
  #requests = 0
  #turn = 0
  #isStopping = false

  constructor({
    socketPaths,
    beforeChangeAnswer,
    idleMs = 30_000,
    firstByteMs = 30_000,
    requestsMax = Infinity,
  }: Options) {
    this.#upstreams = socketPaths.map((socketPath) => ({
      socketPath,
      agent: new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs }),
    }))
    this.#beforeChangeAnswer = beforeChangeAnswer
    this.#firstByteMs = firstByteMs
    this.#requestsMax = requestsMax
  }

  /** Forwards a request and streams the response back. */
  forward(request: IncomingMessage, response: ServerResponse, { trail, onEnd }: Forwarding): void {
    if (this.#requests >= this.#requestsMax) {
      // Its body is not awaited.
      response.setHeader('Connection', 'close')
      return sendUnavailable(response, notNow)
    }
    this.#requests++
    response.once('close', () => {
      this.#requests--
      onEnd?.()
    })
    this.#attempt({ request, response, trail }, { first: this.#turn++, tried: 0 })
  }

  /** Ends the responses that last for as long as their clients read them, including later ones. */
  endStreams(): void {
    this.#isStopping = true
    for (const end of this.#streams) end()
  }

  close(): void {
    for (const { agent } of this.#upstreams) agent.destroy()
  }

  /** Tries one API process after the other. Each of them takes its turn as the first. */
  #attempt(exchange: Exchange, { first, tried }: { first: number; tried: number }): void {
    const upstream = this.#upstreams[(first + tried) % this.#upstreams.length]
    if (upstream === undefined || tried >= this.#upstreams.length)
      return sendUnavailable(exchange.response, notNow)
    const attempt = new ForwardAttempt(exchange, {
      firstByteMs: this.#firstByteMs,
      onAnswer: (answer) => void this.#passOn(exchange, answer),
      onUnreached: () => this.#attempt(exchange, { first, tried: tried + 1 }),
    })
    attempt.start(upstream)
  }

  async #passOn({ request, response }: Exchange, answer: IncomingMessage): Promise<void> {
    const status = answer.statusCode ?? 502
    if ((!isSafe(request) || tellsOfWork(answer)) && status < 400) await this.#beforeChangeAnswer()
    if (response.destroyed) return void answer.destroy()
    response.writeHead(status, answer.statusMessage, endToEnd(answer.rawHeaders))
    response.flushHeaders()
    pipeline(answer, response, () => undefined)
    if (answer.headers['content-type']?.startsWith('text/event-stream') === true)
      this.#follow(answer, response)
  }

  #follow(answer: IncomingMessage, response: ServerResponse): void {
    const end = (): void => {
      answer.unpipe(response)
      // Called only when everything was sent: the reader sees an end, not a break.
      response.end(() => answer.destroy())
    }
    this.#streams.add(end)
    response.once('close', () => {
      this.#streams.delete(end)
      answer.destroy()
    })
    if (this.#isStopping) end()
  }
}
