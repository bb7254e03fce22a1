import type { SecureContext } from 'node:tls'

/** A certificate with those of its issuers, and its private key, both as PEM. */
export type KeyPair = { cert: string; key: string }

/** The certificates of a front: files of the operator, or rows of the catalogue. */
export type CertificateSource = {
  /**
   * Returns what answers handshakes for a host name in lower case; a promise if it is just being
   * read. Undefined: the certificate that handshakes without a name get, too.
   */
  contextOf: (hostname: string) => SecureContext | undefined | Promise<SecureContext | undefined>
  /** Whether browsers that trust the issuer accept https for a host name at this time. */
  isValidFor: (hostname: string, nowMs: number) => boolean
  /** Returns the certificate for handshakes without a host name; undefined: they fail. */
  fallback: () => KeyPair | undefined
  /** Calls the listener whenever `fallback` has changed. */
  onFallback: (listener: () => void) => void
  close: () => void
}
