import { createServer, type Server } from 'node:https'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { serveFront, serverOptions, type FrontParts } from '../front.ts'
import type { AlpnChallenges } from './alpn-challenges.ts'
import type { CertificateSource } from './certificate-source.ts'
import { handshakeRules } from './handshake-rules.ts'
import { ticketKeys } from './ticket-keys.ts'

type Options = {
  certificates: CertificateSource
  /** The keys of session tickets are derived from it. */
  ticketSecret: string
  /** With certificates by ACME. */
  alpn?: AlpnChallenges | undefined
}

/** A handshake that takes longer is given up. */
const handshakeMsMax = 10_000
/** By default it differs between processes, which then refuse each other's sessions. */
const sessionIdContext = 'everscan'
/** How often the keys of tickets are looked at, which change at midnight. */
const ticketsEveryMs = 60_000

/**
 * Creates the server of https. It answers like that of plain http, and only over HTTP/1.1, because
 * prepared heads are of that version (record 66).
 */
export function createSecureFront(parts: FrontParts, { certificates, ticketSecret, alpn }: Options): Server {
  const { connections, log } = parts
  const server = createServer({
    ...serverOptions,
    ...certificates.fallback(),
    ...handshakeRules,
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: handshakeMsMax,
    sessionIdContext,
    ticketKeys: ticketKeys(ticketSecret, Date.now()),
    SNICallback: (name, done) => {
      const context = certificates.contextOf(name.toLowerCase())
      if (context instanceof Promise) void giveLater(context, done)
      else done(null, context)
    },
  })
  const renewTickets = (): void => {
    server.setTicketKeys(ticketKeys(ticketSecret, Date.now()))
  }
  certificates.onFallback(() => {
    server.setSecureContext({ ...certificates.fallback(), ...handshakeRules, sessionIdContext })
    // The new context has made keys of its own.
    renewTickets()
  })
  const tickets = setInterval(renewTickets, ticketsEveryMs).unref()
  server.once('close', () => clearInterval(tickets))
  serveFront(server, parts)
  alpn?.serve(server)
  countConnections(server, connections)
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'a handshake failed'))
  return server
}

async function giveLater(context: Promise<SecureContext | undefined>, done: Done): Promise<void> {
  let found: SecureContext | undefined
  try {
    found = await context
  } catch (error) {
    return done(error as Error)
  }
  done(null, found)
}
type Done = (error: Error | null, context?: SecureContext) => void

/** A connection counts from its first byte on, under the socket that its requests have later. */
function countConnections(server: Server, connections: FrontParts['connections']): void {
  const handshakes = new Map<string, Socket>()
  server.on('connection', (socket: Socket) => {
    connections.add(socket)
    const name = nameOf(socket)
    handshakes.set(name, socket)
    socket.once('close', () => {
      if (handshakes.get(name) === socket) handshakes.delete(name)
    })
  })
  server.on('secureConnection', (secured) => {
    const name = nameOf(secured)
    const socket = handshakes.get(name)
    handshakes.delete(name)
    if (socket !== undefined) connections.secure(socket, secured)
  })
}

function nameOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
