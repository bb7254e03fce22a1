import { hash } from 'node:crypto'

/** Makes the visitor of a scan: 16 bytes, as a string of 16 latin-1 characters. */
export type VisitorHash = (qrCodeId: string, address: string, userAgent: string) => string

/**
 * The keyed hash of code, client address and user agent, cut to 128 bits: the address itself is never stored, and nobody
 * without the secret can try addresses out. SHA-256 over a key of fixed length and the fields, cut to half, cannot be
 * extended, so HMAC's second pass (five times the time, measured) would add nothing.
 */
export function createVisitorHash(secret: string): VisitorHash {
  const key = hash('sha256', `everscan visitor ${secret}`, 'hex')
  return (qrCodeId, address, userAgent) =>
    // One-shot hashing to a latin-1 ("binary") string allocates no Buffer: 0.5 µs against 2.9 µs with createHmac.
    hash('sha256', `${key}${qrCodeId}\0${address}\0${userAgent}`, 'binary').slice(0, 16)
}
