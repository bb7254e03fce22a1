import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { changedHost, everyCode } from '../../db/feeds/changes.ts'
import type { AlpnChallenge } from '../../db/scans/certificate-lookup.ts'
import type { Log } from '../../log.ts'
import type { SecretBox } from '../../secret-box.ts'
import { handshakeRules } from './handshake-rules.ts'
import type { KeyPair } from './certificate-source.ts'
import { readClientHello } from './client-hello.ts'

/** The protocol by which an authority asks (RFC 8737, 4). */
export const challengeProtocol = 'acme-tls/1'

type Options = {
  /** Returns the challenges that wait, of all host names or of one. */
  read: (hostname?: string) => Promise<readonly AlpnChallenge[]>
  box: SecretBox
  log: Log
  /** Called for each connection, so that a challenge that was just stored counts. */
  readChanges: () => void
}

/** A handshake with an authority takes at most this time. */
const handshakeMsMax = 10_000
const helloBytesMax = 16 * 1024
/** An order is over long before: its challenge would stay after the death of its worker. */
const waitingMsMax = 10 * 60_000

/**
 * The challenges of tls-alpn-01 that wait for an authority: mostly none. While one waits, the
 * first message of each new connection is read before its handshake, because only there the
 * authority tells itself apart from visitors of the same name.
 */
export class AlpnChallenges {
  readonly #options: Options
  readonly #waiting = new Map<string, AlpnChallenge>()
  #expiry: NodeJS.Timeout | undefined
  /** Whether those that waited before this process were read. */
  #hasRead = false
  #reading: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  /** Takes the entries of the feed of changes. Resolves when their challenges are read. */
  refresh(changed: readonly string[]): Promise<void> {
    const names = changed.flatMap((entry) => changedHost(entry) ?? [])
    const all = !this.#hasRead || changed.includes(everyCode)
    if (!all && names.length === 0) return this.#reading ?? Promise.resolve()
    const reading = (this.#reading ?? Promise.resolve())
      .then(() => this.#read(all ? undefined : names))
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined
      })
    this.#reading = reading
    return reading
  }

  /** Has a server answer authorities. Connections of others go on as before. */
  serve(server: Server): void {
    // Node's own listener begins the handshake.
    const [accept] = server.listeners('connection') as ((socket: Socket) => void)[]
    if (accept === undefined) throw new Error('the server takes no connections')
    server.removeListener('connection', accept)
    server.prependListener('connection', (socket: Socket) => {
      this.#options.readChanges()
      if (this.#reading === undefined && this.#waiting.size === 0) return accept.call(server, socket)
      const goOn = (): void => {
        if (socket.destroyed) return
        if (this.#waiting.size === 0) accept.call(server, socket)
        else this.#look(socket, () => accept.call(server, socket))
      }
      if (this.#reading === undefined) goOn()
      else void this.#reading.then(goOn)
    })
  }

  /** Reads the first message of a connection; answers it, or gives it back and calls `accept`. */
  #look(socket: Socket, accept: () => void): void {
    let head: Buffer = Buffer.alloc(0)
    const timer = setTimeout(() => socket.destroy(), handshakeMsMax).unref()
    const end = (): void => {
      clearTimeout(timer)
      socket.off('data', take).off('error', end).off('close', end)
    }
    const take = (bytes: Buffer): void => {
      head = Buffer.concat([head, bytes])
      const hello = readClientHello(head)
      if (hello === 'more' && head.length < helloBytesMax) return
      end()
      socket.pause()
      socket.unshift(head)
      const isAsked = hello !== undefined && hello !== 'more' && hello.protocols.includes(challengeProtocol)
      const challenge = isAsked ? this.#waiting.get(hello.serverName ?? '') : undefined
      const pair = challenge === undefined ? undefined : this.#open(challenge)
      if (pair === undefined) accept()
      else answerChallenge(socket, pair)
    }
    socket.on('data', take).on('error', end).on('close', end)
  }

  #open({ hostname, answer }: AlpnChallenge): KeyPair | undefined {
    const text = this.#options.box.open(answer, hostname)
    if (text === undefined) this.#options.log.error({ hostname }, 'a challenge was sealed with another key')
    return text === undefined ? undefined : (JSON.parse(text) as KeyPair)
  }

  async #read(names: readonly string[] | undefined): Promise<void> {
    try {
      const found =
        names === undefined
          ? await this.#options.read()
          : (await Promise.all(names.map((name) => this.#options.read(name)))).flat()
      this.#hasRead = true
      for (const name of names ?? [...this.#waiting.keys()]) this.#waiting.delete(name)
      for (const challenge of found) this.#waiting.set(challenge.hostname, challenge)
      clearTimeout(this.#expiry)
      this.#expiry = setTimeout(() => this.#waiting.clear(), waitingMsMax).unref()
    } catch (error) {
      // The authority asks again, or the order is repeated.
      this.#options.log.debug({ err: error }, 'reading challenges failed')
    }
  }
}

/** Completes the handshake with the certificate of the challenge, and ends (RFC 8737, 3). */
function answerChallenge(socket: Socket, pair: KeyPair): void {
  const secured = new TLSSocket(socket, {
    isServer: true,
    secureContext: createSecureContext({ ...pair, ...handshakeRules }),
    ALPNProtocols: [challengeProtocol],
  })
  const timer = setTimeout(() => secured.destroy(), handshakeMsMax).unref()
  secured.on('error', () => secured.destroy())
  secured.on('secure', () => secured.end())
  secured.on('close', () => clearTimeout(timer))
}
