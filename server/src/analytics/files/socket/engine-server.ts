import { rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { listenOnUnixSocket } from '../../unix-socket.ts'
import type { EngineReads } from '../file-scans.ts'
import { fileWrites, type FileWrites } from '../parquet/file-writes.ts'
import { keepIds } from '../parquet/kept-ids.ts'
import { isOutage } from '../parquet/scan-engine.ts'
import { SegmentBlock } from '../segment-block.ts'
import { MessageSocket } from './messages.ts'
import type { EngineAnswer, EngineMessage, SelectMessage } from './requests.ts'

export type EngineServerOptions = EngineReads & {
  socketPath: string
  log: Log
  /**
   * Ends serving when nobody has asked for anything for this time. `onEnded` is called when the
   * socket is gone and no client is lost: who comes later finds nobody. By default, it never ends.
   */
  idle?: { afterMs: number; onEnded: () => void }
}

/** A served engine. `close` abandons what is under way, and leaves the engine open. */
export type EngineServer = { close: () => Promise<void> }

/**
 * Serves an engine to the other processes of this service. Throws if another process answers on the
 * socket.
 */
export async function serveEngine(options: EngineServerOptions): Promise<EngineServer> {
  const served = new ServedEngine(options)
  await served.listen()
  return served
}

class ServedEngine implements EngineServer {
  readonly #options: EngineServerOptions
  #server: Server
  readonly #sockets = new Set<Socket>()
  #accepted = 0
  readonly #underWay = new Set<Promise<void>>()
  /** Connections of clients who have asked for something. A ping is nothing. */
  #asking = 0
  #idle: NodeJS.Timeout | undefined
  #ending: Promise<void> | undefined
  #isClosed = false

  constructor(options: EngineServerOptions) {
    this.#options = options
    this.#server = createServer((socket) => this.#serve(socket))
  }

  async listen(): Promise<void> {
    await listenOnUnixSocket(this.#server, this.#options.socketPath)
    this.#rest()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#ending
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#underWay)
  }

  #serve(socket: Socket): void {
    this.#accepted++
    this.#sockets.add(socket)
    let isAsking = false
    const onAsked = (): void => {
      clearTimeout(this.#idle)
      if (!isAsking) this.#asking++
      isAsking = true
    }
    const ended = new Connection(socket, { reads: this.#options, onAsked })
      .serve()
      .catch((error: unknown) =>
        this.#options.log.trace({ error: errorMessage(error) }, 'a client of the engine left'),
      )
      .finally(() => {
        socket.destroy()
        this.#sockets.delete(socket)
        this.#underWay.delete(ended)
        if (isAsking && --this.#asking === 0) this.#rest()
      })
    this.#underWay.add(ended)
  }

  #rest(): void {
    const { idle } = this.#options
    clearTimeout(this.#idle)
    if (idle === undefined || this.#isClosed || this.#ending !== undefined) return
    const end = (): void => {
      this.#ending = this.#endUnlessAsked(idle.onEnded)
    }
    this.#idle = setTimeout(end, idle.afterMs).unref()
  }

  /**
   * Accepts the connections in the backlog of the system, one in each turn of the loop. The turn in
   * which this begins may have polled before: two without a connection prove that none waits.
   */
  async #acceptWaiting(): Promise<void> {
    for (let known = -1; known < this.#accepted;) {
      known = this.#accepted
      await nextTurn()
      await nextTurn()
    }
  }

  /** A client who connected before the socket was gone is served, and all goes on. */
  async #endUnlessAsked(onEnded: () => void): Promise<void> {
    await rm(this.#options.socketPath, { force: true })
    await this.#acceptWaiting()
    if (this.#isClosed) return
    this.#server.close()
    if (this.#sockets.size === 0) {
      this.#isClosed = true
      return onEnded()
    }
    this.#server = createServer((socket) => this.#serve(socket))
    await listenOnUnixSocket(this.#server, this.#options.socketPath)
    this.#ending = undefined
    if (this.#asking === 0) this.#rest()
  }
}

/** A connection of a client, who asks one thing after the other. */
class Connection {
  readonly #socket: Socket
  readonly #reads: EngineReads
  readonly #writes: FileWrites
  readonly #messages: MessageSocket
  readonly #onAsked: () => void
  readonly #left = new AbortController()

  constructor(socket: Socket, { reads, onAsked }: { reads: EngineReads; onAsked: () => void }) {
    this.#socket = socket
    this.#reads = reads
    this.#writes = fileWrites(reads.engine, this.#left.signal)
    this.#onAsked = onAsked
    this.#messages = new MessageSocket(socket)
    socket.once('close', () => this.#left.abort())
  }

  /** Answers until the client has closed the connection, which is an error of the next message. */
  async serve(): Promise<never> {
    for (;;) {
      const message = (await this.#messages.next()) as EngineMessage
      if (message.type !== 'ping') this.#onAsked()
      if (message.type === 'read') await this.#read(message)
      else await this.#answer(() => this.#valueFor(message))
    }
  }

  /** Answers queries on one list of scans until the client leaves. */
  async #read({ deadlineMs }: Extract<EngineMessage, { type: 'read' }>): Promise<void> {
    const { engine, readListed } = this.#reads
    try {
      await engine.readColumns(
        async (select) => {
          this.#messages.send({ value: await readListed() })
          for (;;) {
            const { sql, params } = (await this.#messages.next()) as SelectMessage
            await this.#answer(() => select(sql, params))
          }
        },
        { deadlineMs, left: this.#left.signal },
      )
    } catch (error) {
      this.#messages.send(failureOf(error))
      this.#socket.destroySoon()
    }
  }

  async #valueFor(message: Exclude<EngineMessage, { type: 'read' }>): Promise<unknown> {
    const { type } = message
    if (type === 'keepIds') return await keepIds(this.#reads.engine, message.ids)
    if (type === 'rows') return await this.#writes.rows(message.sql)
    if (type === 'writeMerged') return await this.#writes.writeMerged(message.rows, message.to)
    if (type === 'ping') return true
    if (type === 'change') return await this.#writes.change(message.sql)
    const block = SegmentBlock.fromBytes(Buffer.concat(message.block))
    if (type === 'insertBlock') return await this.#writes.insertBlock(block, message.to)
    return await this.#writes.writeBlock(block, message.to)
  }

  async #answer(value: () => Promise<unknown>): Promise<void> {
    let answer: EngineAnswer
    try {
      answer = { value: await value() }
    } catch (error) {
      if (isOutage(error) && !this.#left.signal.aborted) this.#reads.onOutage?.()
      answer = failureOf(error)
    }
    this.#messages.send(answer)
  }
}

function failureOf(error: unknown): EngineAnswer {
  // The client makes one of it again.
  const told = error instanceof ScanStoreUnavailable ? error.cause : error
  return { failure: { message: errorMessage(told), isOutage: isOutage(error) } }
}
