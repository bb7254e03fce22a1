import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { clientAddress, isTrusted } from '../client-address.ts'
import type { CertificateSource } from './certificate-source.ts'

type Options = {
  certificates: Pick<CertificateSource, 'isValidFor'>
  /** The port that clients use for https. */
  httpsPort: number
  trustedProxies: BlockList | undefined
  /** Whether plain http answers a path for every host. */
  isOwnPath: (path: string) => boolean
  /** Whether an address is this machine's own. */
  isLoopback?: (address: string) => boolean
}

/** Sends a request of plain http to https, or returns false if it is answered as it came. */
export type HttpsRedirect = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Creates the answer of plain http for hosts that hold a valid certificate. No other host is sent
 * to https, which could not be opened. Proxies that speak http to us are not either: their clients
 * use https already, and would go round in circles.
 */
export function createHttpsRedirect({
  certificates,
  httpsPort,
  trustedProxies,
  isOwnPath,
  isLoopback = isOwnAddress,
}: Options): HttpsRedirect {
  const port = httpsPort === 443 ? '' : `:${httpsPort}`
  return (request, response) => {
    const { url = '/', headers, socket } = request
    if (!url.startsWith('/') || isOwnPath(url)) return false
    const hostname = normalHostname(Buffer.from(headers.host ?? '', 'latin1').toString())
    if (hostname === undefined || !certificates.isValidFor(hostname, Date.now())) return false
    const address = clientAddress(socket.remoteAddress, undefined, undefined)
    if (isLoopback(address)) return false
    if (trustedProxies !== undefined && isTrusted(address, trustedProxies)) return false
    request.resume()
    const location = `https://${hostname}${port}${url}`
    // Not kept by browsers: the host may lose its certificate.
    const kept = ['Cache-Control', 'no-store']
    response.writeHead(308, ['Location', location, ...kept, 'Content-Length', '0'])
    response.end()
    return true
  }
}

function isOwnAddress(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}
