import { Resolver, lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { isIP, connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { isPublicAddress } from '../public-hosts.ts'

/** Returns all addresses of a host name, in the order to try them. Throws if it has none. */
export type ResolveName = (name: string) => Promise<readonly string[]>

export type ConnectionOptions = {
  /** Whether connections to private addresses are allowed as well. */
  allowPrivate: boolean
  /** Replaces the system's resolver, for tests. */
  resolveName?: ResolveName | undefined
}

/**
 * Connections to the address are not allowed. The problem is for the person who registered the
 * webhook: it says no more than that person knows.
 */
export class PrivateAddress extends Error {
  readonly found: Problem

  constructor(host: string) {
    const found = problem('hostNotPublic', { host })
    super(found.message)
    this.found = found
  }
}

const resolveMsMax = 5_000

/**
 * Connects to a host of which nothing is trusted. Every address of its name is checked, and the
 * address of the connected socket once more before a byte is written. So a name that leads
 * elsewhere the second time (DNS rebinding) gets nothing. Over https the certificate is verified
 * for the name. Throws `PrivateAddress`, and errors of the system.
 */
export async function connectChecked(
  { protocol, hostname, port }: { protocol: string; hostname: string; port: number },
  { allowPrivate, resolveName = allowPrivate ? systemAddresses : publicAddresses }: ConnectionOptions,
  signal: AbortSignal,
): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await withSignal(resolveName(host), signal) : [host]
  const refused = addresses.find((address) => !allowPrivate && !isPublicAddress(address))
  if (refused !== undefined || addresses.length === 0) throw new PrivateAddress(host)
  const socket = await connectToOne(addresses, port, signal)
  const { remoteAddress = '' } = socket
  if (!allowPrivate && !isPublicAddress(remoteAddress)) {
    socket.destroy()
    throw new PrivateAddress(host)
  }
  if (protocol !== 'https:') return socket
  const secure = connectTls({
    socket,
    // Only for a name: certificates of bare addresses are checked against the address.
    ...(isIP(host) === 0 ? { servername: host } : { host }),
    ALPNProtocols: ['http/1.1'],
  })
  try {
    await once(secure, 'secureConnect', { signal })
    return secure
  } catch (error) {
    secure.destroy()
    socket.destroy()
    throw error
  }
}

/** Tries one address after the other, until one answers. */
async function connectToOne(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  let failure: unknown
  for (const host of addresses) {
    const socket = connect({ host, port, noDelay: true })
    try {
      await once(socket, 'connect', { signal })
      return socket
    } catch (error) {
      socket.destroy()
      signal.throwIfAborted()
      failure = error
    }
  }
  throw failure
}

/**
 * Resolves a name without `lookup`, which takes one of the process's few threads for as long as a
 * hostile name server likes. Ingest reads files with these threads.
 */
async function publicAddresses(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: resolveMsMax / 2, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [four, six].flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

/** Resolves a name with the system: names of a private network may be in the machine's own list. */
async function systemAddresses(name: string): Promise<readonly string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address)
}

/** Waits for a promise until the signal aborts. A promise that takes longer is left alone. */
async function withSignal<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
    promise.catch(() => undefined)
  }
}
