import { createServer, type Socket } from 'node:net'
import { errorMessage } from '../../../errors.ts'
import type { Log } from '../../../log.ts'
import { listenOnUnixSocket } from '../../unix-socket.ts'
import type { EngineReads } from '../file-scans.ts'
import { fileWrites, type FileWrites } from '../parquet/file-writes.ts'
import { keepIds } from '../parquet/kept-ids.ts'
import { isOutage } from '../parquet/scan-engine.ts'
import { SegmentBlock } from '../segment-block.ts'
import { MessageSocket } from './messages.ts'
import type { EngineAnswer, EngineMessage, SelectMessage } from './requests.ts'

export type EngineServerOptions = EngineReads & { socketPath: string; log: Log }

/** A served engine. `close` abandons what is under way, and leaves the engine open. */
export type EngineServer = { close: () => Promise<void> }

/**
 * Serves an engine to the other processes of this service. Throws if another process answers on the
 * socket.
 */
export async function serveEngine({ socketPath, log, ...reads }: EngineServerOptions): Promise<EngineServer> {
  const sockets = new Set<Socket>()
  const underWay = new Set<Promise<void>>()
  const writes = fileWrites(reads.engine)
  const server = createServer((socket) => {
    sockets.add(socket)
    const ended = new Connection(socket, reads, writes)
      .serve()
      .catch((error: unknown) => log.trace({ error: errorMessage(error) }, 'a client of the engine left'))
      .finally(() => {
        socket.destroy()
        sockets.delete(socket)
        underWay.delete(ended)
      })
    underWay.add(ended)
  })
  await listenOnUnixSocket(server, socketPath)
  return {
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await Promise.all(underWay)
    },
  }
}

/** A connection of a client, who asks one thing after the other. */
class Connection {
  readonly #socket: Socket
  readonly #reads: EngineReads
  readonly #writes: FileWrites
  readonly #messages: MessageSocket
  readonly #left = new AbortController()

  constructor(socket: Socket, reads: EngineReads, writes: FileWrites) {
    this.#socket = socket
    this.#reads = reads
    this.#writes = writes
    this.#messages = new MessageSocket(socket)
    socket.once('close', () => this.#left.abort())
  }

  /** Answers until the client has closed the connection, which is an error of the next message. */
  async serve(): Promise<never> {
    for (;;) {
      const message = (await this.#messages.next()) as EngineMessage
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
  return { failure: { message: errorMessage(error), isOutage: isOutage(error) } }
}
