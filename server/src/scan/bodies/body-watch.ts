import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '@everscan/contract/schema/limits.ts'
import { fileBytesMaxOf } from '@everscan/contract/schema/uploads.ts'

/** How a body must arrive. */
export type ArrivalLimits = {
  /** The time that every body has. */
  bodyMs: number
  /** The rate of a file, in bytes a second, that it must keep after that time. */
  bytesPerSecondMin: number
  /** How far a file may fall behind its rate. */
  pauseMs: number
  /** How often the rate of a file is looked at. */
  lookMs: number
  /** How long the connection stays open after a 408, so that its client can read it. */
  lingerMs: number
}

export const arrivalLimits: ArrivalLimits = {
  bodyMs: limits.bodySecondsMax * 1_000,
  bytesPerSecondMin: limits.uploadBytesPerSecondMin,
  pauseMs: limits.uploadPauseSecondsMax * 1_000,
  lookMs: 1_000,
  lingerMs: 5_000,
}

/** Event of a request whose body came too late: what reads the body leaves it. */
export const lateBody = Symbol('late body')

type Watched = { request: IncomingMessage; response: ServerResponse; answer408: (socket: Socket) => void }

/**
 * Waits for the body of a request, in place of Node's `requestTimeout`, which has one time for all.
 * Every body has `bodyMs`. A file may take longer, as long as it keeps its rate: the time that it
 * is ahead of its rate is its credit, and a body without credit is late. As credit comes from bytes
 * only, a file takes at most `bodyMs` and the time of its largest size at the least rate. Time in
 * which the reader holds the body back does not count. An answered request has `bodyMs` for the
 * rest of its body, file or not: only callers that the API admits may send slowly.
 */
export class BodyWatch {
  readonly #watched: Watched
  readonly #limits: ArrivalLimits
  /** Undefined after the answer: Node takes the socket away from a request. */
  readonly #socket: Socket
  #timer: NodeJS.Timeout | undefined
  #creditMs: number
  /** The rest of the time for a file of the largest size. */
  #leftMs = 0
  #bytes: number
  #lookedMs = performance.now()
  #isOver = false

  constructor(watched: Watched, arrival: ArrivalLimits) {
    this.#watched = watched
    this.#limits = arrival
    this.#socket = watched.request.socket
    this.#creditMs = arrival.bodyMs
    this.#bytes = this.#socket.bytesRead
  }

  start(): void {
    const { request, response } = this.#watched
    const { bodyMs, bytesPerSecondMin, lookMs } = this.#limits
    const fileBytesMax = fileBytesMaxOf(request.method ?? '', request.url ?? '')
    if (fileBytesMax === undefined) this.#timer = setTimeout(this.#refuse, bodyMs)
    else {
      this.#leftMs = bodyMs + (fileBytesMax / bytesPerSecondMin) * 1_000
      this.#timer = setInterval(this.#look, lookMs)
    }
    request.once('end', this.#end).once('close', this.#end)
    response.once('finish', this.#awaitRest)
  }

  readonly #look = (): void => {
    const nowMs = performance.now()
    const passedMs = nowMs - this.#lookedMs
    const bytes = this.#socket.bytesRead
    const cameMs = ((bytes - this.#bytes) / this.#limits.bytesPerSecondMin) * 1_000
    this.#lookedMs = nowMs
    this.#bytes = bytes
    // The client has sent more than was taken.
    if (this.#watched.request.isPaused()) return
    // The credit of the beginning may be more than that of a pause, and is used up first.
    const gainedMs = Math.min(this.#limits.pauseMs, this.#creditMs + cameMs)
    this.#creditMs = Math.max(this.#creditMs, gainedMs) - passedMs
    this.#leftMs -= passedMs
    if (Math.min(this.#creditMs, this.#leftMs) <= 0) this.#refuse()
  }

  readonly #refuse = (): void => {
    const { request, response, answer408 } = this.#watched
    this.#end()
    request.emit(lateBody)
    // An answer that has begun, or that waits behind another one, cannot become a 408.
    if (response.headersSent || response.socket === null) return void this.#socket.destroy()
    answer408(this.#socket)
    this.#destroyAfter(this.#limits.lingerMs)
  }

  readonly #awaitRest = (): void => {
    if (this.#isOver) return
    clearInterval(this.#timer)
    this.#destroyAfter(this.#limits.bodyMs)
  }

  #destroyAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#socket.destroy(), ms)
    this.#socket.once('close', this.#end)
  }

  /** Also leaves the socket, which may have many more requests. */
  readonly #end = (): void => {
    this.#isOver = true
    clearInterval(this.#timer)
    this.#socket.off('close', this.#end)
  }
}

/** Watches a request that has a body. Node has read one without a body to its end. */
export function watchBody(watched: Watched, arrival: ArrivalLimits): void {
  if (!watched.request.readableEnded) new BodyWatch(watched, arrival).start()
}
