import type { BlockList, Socket } from 'node:net'
import { visitorNetwork } from '../address-networks.ts'
import { clientAddress, isTrusted } from './client-address.ts'
import { IdleOrder, type Connection } from './idle-order.ts'

type Options = {
  /** The most connections that are open at once. */
  connectionsMax: number
  trustedProxies: BlockList | undefined
}

/** The number of connections that were closed, by the limit that was reached. */
export type ClosedConnections = {
  /** Idle connections that made room for a new one. */
  idle: number
  /** New connections, because every connection looked at had a request in progress. */
  refused: number
}

/** One network may have this share of the connections. */
const networkShare = 0.25

/** The property of a socket with its record, which a request finds without a lookup. */
const record = Symbol('connection')
type Recorded = Socket & { [record]?: Connection }

/**
 * The open client connections. At the limit of all, or of a network, a new connection replaces the
 * one that has been idle longest: otherwise idle connections would take every file of the process,
 * and neither redirects nor the journal could go on. A network is an IPv4 address or an IPv6 /64.
 * Proxies have no limit of their own, because every client comes through them.
 */
export class OpenConnections {
  readonly connectionsMax: number
  readonly #networkMax: number
  readonly #trustedProxies: BlockList | undefined
  readonly #all = new IdleOrder()
  readonly #networks = new Map<string, IdleOrder>()
  readonly #closed = { all: { idle: 0, refused: 0 }, network: { idle: 0, refused: 0 } }
  #turn = 0

  constructor({ connectionsMax, trustedProxies }: Options) {
    this.connectionsMax = connectionsMax
    this.#networkMax = Math.max(1, Math.floor(connectionsMax * networkShare))
    this.#trustedProxies = trustedProxies
  }

  /** The number of open connections. */
  get size(): number {
    return this.#all.size
  }

  /** The connections closed at the limit of all connections, and at that of a network. */
  closed(): Readonly<Record<'all' | 'network', Readonly<ClosedConnections>>> {
    return this.#closed
  }

  /** Takes up a new connection. At a limit another one is closed, or else the new one. */
  add(socket: Recorded): void {
    const network = this.#networkOf(socket)
    const ofNetwork = network === undefined ? undefined : this.#networks.get(network)
    if (ofNetwork !== undefined && ofNetwork.size >= this.#networkMax) {
      if (!this.#makeRoom(ofNetwork, this.#closed.network)) return void socket.destroy()
    } else if (this.#all.size >= this.connectionsMax && !this.#makeRoom(this.#all, this.#closed.all))
      return void socket.destroy()
    this.#keep(socket, { socket, network, usedAt: ++this.#turn, hasAsked: false })
  }

  /** Gives the socket of a complete handshake the record of the connection below it. */
  secure(socket: Recorded, secured: Recorded): void {
    const connection = socket[record]
    if (connection !== undefined) secured[record] = connection
  }

  /** Whether a connection never had a request. */
  isUnused(socket: Recorded): boolean {
    return socket[record]?.hasAsked === false
  }

  /** Notes a request, or the end of a long answer. It costs a redirect some nanoseconds. */
  use(socket: Recorded): void {
    const connection = socket[record]
    if (connection === undefined) return
    connection.usedAt = ++this.#turn
    connection.hasAsked = true
  }

  #makeRoom(order: IdleOrder, closed: ClosedConnections): boolean {
    const idle = order.longestIdle(++this.#turn)
    if (idle === undefined) {
      closed.refused++
      return false
    }
    closed.idle++
    this.#forget(idle)
    idle.socket.destroy()
    return true
  }

  #keep(socket: Recorded, connection: Connection): void {
    socket[record] = connection
    this.#all.add(connection)
    this.#ofNetwork(connection)?.add(connection)
    socket.once('close', () => this.#forget(connection))
  }

  #forget(connection: Connection): void {
    if (!this.#all.remove(connection)) return
    const order = this.#ofNetwork(connection)
    order?.remove(connection)
    if (order?.size === 0) this.#networks.delete(connection.network ?? '')
  }

  /** Returns the connections of the same network. */
  #ofNetwork({ network }: Connection): IdleOrder | undefined {
    if (network === undefined) return undefined
    const found = this.#networks.get(network) ?? new IdleOrder()
    this.#networks.set(network, found)
    return found
  }

  /** Returns undefined for a proxy, and for a client that has already gone. */
  #networkOf({ remoteAddress }: Socket): string | undefined {
    const address = clientAddress(remoteAddress, undefined, undefined)
    const trusted = this.#trustedProxies
    if (address === '' || (trusted !== undefined && isTrusted(address, trusted))) return undefined
    return visitorNetwork(address)
  }
}
