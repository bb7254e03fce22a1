import type { Socket } from 'node:net'

/** An open client connection, and when it was last used. */
export type Connection = {
  readonly socket: Socket
  /** Undefined if it has no limit of its own. */
  readonly network: string | undefined
  /** The turn of its opening, of its last request, or of the end of a long answer. */
  usedAt: number
  /** Whether its first request has come. */
  hasAsked: boolean
}

/**
 * A connection in the order. Its `usedAt` may be older than that of the connection, and is put
 * right when the place comes first.
 */
type Place = { readonly connection: Connection; usedAt: number; index: number }

/**
 * Any connection may turn out to be in use, so a search has an end. On average it takes one or two
 * looks, because at most half of the connections have a request in progress for long.
 */
const looksMax = 1_000

/**
 * Connections in the order of their last use: a binary heap of which only the beginning is put
 * right, when it is needed. A request therefore costs the order nothing. No connection was used
 * before the time of its place, so a first place whose time is right is the oldest of all.
 */
export class IdleOrder {
  readonly #heap: Place[] = []
  readonly #places = new Map<Connection, Place>()

  get size(): number {
    return this.#heap.length
  }

  add(connection: Connection): void {
    const place = { connection, usedAt: connection.usedAt, index: this.#heap.length }
    this.#places.set(connection, place)
    this.#heap.push(place)
    this.#rise(place)
  }

  /** Returns false if the connection is not in the order. */
  remove(connection: Connection): boolean {
    const place = this.#places.get(connection)
    const last = this.#heap.at(-1)
    if (place === undefined || last === undefined) return false
    this.#places.delete(connection)
    this.#heap.pop()
    if (last === place) return true
    this.#put(last, place.index)
    this.#rise(last)
    this.#sink(last)
    return true
  }

  /**
   * Returns the connection that has been idle longest. Returns undefined if there is none, or if
   * every connection that this search looked at is in use: those count as used in this `turn`, so
   * the next search looks at others.
   */
  longestIdle(turn: number): Connection | undefined {
    for (let looks = 0; looks < looksMax; looks++) {
      const first = this.#heap[0]
      if (first === undefined) return undefined
      const { connection } = first
      const isFree = isIdle(connection)
      const usedAt = isFree ? connection.usedAt : turn
      if (usedAt <= first.usedAt) return isFree ? connection : undefined
      first.usedAt = usedAt
      this.#sink(first)
    }
    return undefined
  }

  #rise(place: Place): void {
    while (place.index > 0) {
      const { index } = place
      const above = this.#heap[(index - 1) >> 1] as Place
      if (above.usedAt <= place.usedAt) return
      this.#put(place, above.index)
      this.#put(above, index)
    }
  }

  #sink(place: Place): void {
    for (;;) {
      const { index } = place
      const left = this.#heap[2 * index + 1]
      const right = this.#heap[2 * index + 2]
      const below = left !== undefined && right !== undefined && right.usedAt < left.usedAt ? right : left
      if (below === undefined || below.usedAt >= place.usedAt) return
      this.#put(place, below.index)
      this.#put(below, index)
    }
  }

  #put(place: Place, index: number): void {
    this.#heap[index] = place
    place.index = index
  }
}

/**
 * Returns whether no request is in progress. Node sets the timeout of a kept connection when it has
 * sent an answer, and removes it when the next request has come. Nothing is in progress before the
 * first request is complete, however much of it has come.
 */
function isIdle({ socket, hasAsked }: Connection): boolean {
  return !hasAsked || (socket.timeout ?? 0) > 0
}
