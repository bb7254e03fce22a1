import { Agent, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { ForwardAttempt, isSafe, type Exchange, type Upstream } from './forward-attempt.ts'
import { endToEnd } from './forwarded-headers.ts'
import { notNow, sendUnavailable } from './unavailable.ts'

type Options = {
  socketPaths: readonly string[]
  /** Called before the answer to a change is passed on, so that the next scan sees the change. */
  beforeChangeAnswer: () => Promise<void>
  /**
   * A connection to the API stays open unused for so long: less than the API keeps it, or a request may be written to
   * one that is just being closed.
   */
  idleMs?: number
  /**
   * The API begins an answer within this time after it got the last of the request: 503 otherwise, however long the
   * rest takes. 30 s.
   */
  firstByteMs?: number
}

/**
 * Hands requests on to the API processes. It streams both ways: uploads, downloads and server-sent events pass as they
 * come, and an abort on one side ends the other.
 */
export class Forward {
  readonly #upstreams: readonly Upstream[]
  readonly #beforeChangeAnswer: Options['beforeChangeAnswer']
  readonly #firstByteMs: number
  /** How to end each answer that goes on for as long as its client reads it. */
  readonly #streams = new Set<() => void>()
  #turn = 0
  #isStopping = false

  constructor({ socketPaths, beforeChangeAnswer, idleMs = 30_000, firstByteMs = 30_000 }: Options) {
    this.#upstreams = socketPaths.map((socketPath) => ({
      socketPath,
      agent: new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs }),
    }))
    this.#beforeChangeAnswer = beforeChangeAnswer
    this.#firstByteMs = firstByteMs
  }

  /** Hands a request on and streams the answer back. */
  forward(request: IncomingMessage, response: ServerResponse, { trail }: { trail: readonly string[] }): void {
    this.#attempt({ request, response, trail }, { first: this.#turn++, tried: 0 })
  }

  /** Ends the answers that go on for as long as their clients read them, those that are yet to come too. */
  endStreams(): void {
    this.#isStopping = true
    for (const end of this.#streams) end()
  }

  close(): void {
    for (const { agent } of this.#upstreams) agent.destroy()
  }

  /** Tries one API process after the other, each in its turn first. */
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
    if (!isSafe(request) && status < 400) await this.#beforeChangeAnswer()
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
      // Called only when all was sent: a reader sees an end, not a break.
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
