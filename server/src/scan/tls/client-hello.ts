/** The first message of a TLS client (RFC 8446, 4.1.2), as far as it matters here. */
export type ClientHello = {
  /** The host name (RFC 6066, 3) in lower case; undefined: none. */
  serverName: string | undefined
  /** The protocols that it offers (RFC 7301). */
  protocols: readonly string[]
}

const handshakeRecord = 22
const clientHello = 1
const serverNameExtension = 0
const protocolsExtension = 16

/**
 * Reads a ClientHello from the first bytes of a connection. Returns `more` if it is not complete
 * yet, and undefined for anything else, or one that is split over several records.
 */
export function readClientHello(bytes: Buffer): ClientHello | 'more' | undefined {
  if (bytes.length > 0 && bytes[0] !== handshakeRecord) return undefined
  if (bytes.length < 5) return 'more'
  const recordEnd = 5 + bytes.readUInt16BE(3)
  if (bytes.length < recordEnd) return 'more'
  try {
    return readMessage(new Reader(bytes.subarray(5, recordEnd)))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readMessage(message: Reader): ClientHello | undefined {
  if (message.number(1) !== clientHello) return undefined
  const hello = message.part(3)
  // The version and the random bytes; the session, the ciphers, the compressions.
  hello.skip(34)
  for (const lengthBytes of [1, 2, 1]) hello.part(lengthBytes)
  const found: { serverName: string | undefined; protocols: string[] } = {
    serverName: undefined,
    protocols: [],
  }
  const extensions = hello.part(2)
  while (!extensions.isAtEnd) {
    const kind = extensions.number(2)
    const extension = extensions.part(2)
    if (kind === serverNameExtension) {
      const names = extension.part(2)
      if (names.number(1) === 0) found.serverName = names.part(2).text().toLowerCase()
    } else if (kind === protocolsExtension) {
      const names = extension.part(2)
      while (!names.isAtEnd) found.protocols.push(names.part(1).text())
    }
  }
  return found
}

/** Reads numbers and parts one after the other. Throws a RangeError at the end. */
class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  number(bytes: 1 | 2 | 3): number {
    const value = this.#bytes.readUIntBE(this.#at, bytes)
    this.#at += bytes
    return value
  }

  skip(bytes: number): void {
    if (this.#at + bytes > this.#bytes.length) throw new RangeError('too short')
    this.#at += bytes
  }

  /** Returns the part whose length stands before it, in so many bytes. */
  part(lengthBytes: number): Reader {
    const length = this.number(lengthBytes as 1 | 2 | 3)
    const from = this.#at
    this.skip(length)
    return new Reader(this.#bytes.subarray(from, from + length))
  }

  text(): string {
    return this.#bytes.toString('latin1')
  }
}
