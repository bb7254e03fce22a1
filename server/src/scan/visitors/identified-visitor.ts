import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { clientAddress } from '../client-address.ts'
import { readScanHeaders, type ScanHeaders } from '../scan-headers.ts'
import type { VisitorHash } from '../../visitors/visitor-hash.ts'

/** The visitor of a request, for the code that it asks for. */
export type IdentifiedVisitor = {
  headers: ScanHeaders
  /** The address of the client; empty if it is unknown. */
  address: string
  /** The visitor hash. */
  visitor: string
}

export type IdentifyingContext = {
  visitorHash: VisitorHash
  trustedProxies: BlockList | undefined
  /** PUBLIC_URL's host, with its port if that is not the default. */
  publicHost: string
}

/**
 * Returns the key of a visitor in the memories of a front. The hash of a visitor has the id of the
 * code in it, but an id alone is no key: two organizations may have codes with the same one.
 */
export function memoryKey({ organizationId }: { organizationId: string }, visitor: string): string {
  return `${organizationId} ${visitor}`
}

/**
 * Identifies the visitor of a request. Access, rules and the journal ask, so it is remembered with
 * the request: a hash and an address take as long as a tenth of a redirect.
 */
export function identifyVisitor(
  { visitorHash, trustedProxies, publicHost }: IdentifyingContext,
  visit: { request: IncomingMessage; identified: IdentifiedVisitor | undefined },
  qrCodeId: string,
): IdentifiedVisitor {
  if (visit.identified !== undefined) return visit.identified
  const { headers: sent, socket } = visit.request
  const headers = readScanHeaders(sent, publicHost)
  const address = clientAddress(socket.remoteAddress, sent['x-forwarded-for'], trustedProxies)
  const visitor = visitorHash(qrCodeId, address, headers.userAgent)
  visit.identified = { headers, address, visitor }
  return visit.identified
}
