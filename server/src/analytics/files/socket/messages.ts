import type { Socket } from 'node:net'
import { deserialize, serialize } from 'node:v8'

/** The length of a message comes before it. */
const lengthBytes = 4

type Waiting = { resolve: (message: unknown) => void; reject: (error: unknown) => void }

/**
 * Messages over a socket, in either direction: values of plain objects, arrays, bytes, texts and
 * numbers, bigints included. The other end is a process of this service: nobody else may open the
 * socket. It is read all the time, so that the end of the other one shows at once.
 */
export class MessageSocket {
  readonly #socket: Socket
  readonly #arrived: unknown[] = []
  readonly #waiting: Waiting[] = []
  #chunks: Buffer[] = []
  #bytes = 0
  #end: { error: unknown } | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#finish(error))
    socket.on('close', () => this.#finish(new Error('the connection was closed')))
  }

  /** Sends a message, unless the other end is gone. */
  send(message: unknown): void {
    if (this.#socket.destroyed) return
    const bytes = serialize(message)
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt32LE(bytes.length)
    this.#socket.cork()
    this.#socket.write(length)
    this.#socket.write(bytes)
    this.#socket.uncork()
  }

  /** Returns the next message. Rejects when the connection is closed, with the reason. */
  next(): Promise<unknown> {
    if (this.#arrived.length > 0) return Promise.resolve(this.#arrived.shift())
    if (this.#end !== undefined) return Promise.reject(this.#end.error)
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    for (let wanted = this.#wanted(); this.#bytes >= wanted; wanted = this.#wanted()) {
      const all = Buffer.concat(this.#chunks)
      this.#arrive(deserialize(all.subarray(lengthBytes, wanted)))
      this.#chunks = [all.subarray(wanted)]
      this.#bytes = all.length - wanted
    }
  }

  /** Returns the bytes of the next message and its length; Infinity while that is unknown. */
  #wanted(): number {
    if (this.#bytes < lengthBytes) return Infinity
    const [first = Buffer.alloc(0)] = this.#chunks
    if (first.length < lengthBytes) this.#chunks = [Buffer.concat(this.#chunks)]
    return lengthBytes + (this.#chunks[0]?.readUInt32LE() ?? Infinity)
  }

  #arrive(message: unknown): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#arrived.push(message)
    else waiting.resolve(message)
  }

  #finish(error: unknown): void {
    this.#end ??= { error }
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end.error)
  }
}
