import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { connectChecked, type ConnectionOptions } from './checked-connections.ts'

const idleMsMax = 4_000

/** Options of a request over a `CheckedAgent`. */
export type TargetOptions = { targetProtocol: string }

/**
 * An agent that keeps connections for the next call to the same place, and creates new ones only
 * with `connectChecked`.
 */
export class CheckedAgent extends Agent {
  readonly #options: ConnectionOptions
  readonly #connectMsMax: number

  constructor(options: ConnectionOptions, connectMsMax: number) {
    super({ keepAlive: true, maxFreeSockets: 2, maxTotalSockets: Infinity, timeout: idleMsMax })
    this.#options = options
    this.#connectMsMax = connectMsMax
  }

  async #connect(
    target: Parameters<typeof connectChecked>[0],
    done: (error: Error | null, socket?: Socket) => void,
  ): Promise<void> {
    try {
      const socket = await connectChecked(target, this.#options, AbortSignal.timeout(this.#connectMsMax))
      done(null, socket)
    } catch (error) {
      done(error as Error)
    }
  }

  override getName(options?: object): string {
    return `${(options as TargetOptions).targetProtocol}${super.getName(options)}`
  }

  override createConnection(
    options: { host?: string | null; port?: number | string | null },
    callback?: (error: Error | null, socket: Socket) => void,
  ): undefined {
    const target = {
      protocol: (options as unknown as TargetOptions).targetProtocol,
      hostname: options.host ?? '',
      port: Number(options.port),
    }
    void this.#connect(target, (error, socket) => callback?.(error, socket as Socket))
  }
}
