import { isIP } from 'node:net'

/** The site to which browsers bind passkeys (Web Authentication, section 4). */
export type RelyingParty = {
  /** The host name of PUBLIC_URL. */
  id: string
  /** The only origin whose passkeys are accepted: PUBLIC_URL. */
  origin: string
}

/**
 * Returns the relying party of an installation. Returns undefined if no browser allows passkeys at
 * PUBLIC_URL: they need https, except on localhost, and a host name that is not an address.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return undefined
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  return { id: hostname, origin }
}
