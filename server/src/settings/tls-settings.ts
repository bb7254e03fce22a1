import { resolve } from 'node:path'
import { derivedKey } from '../secret-box.ts'
import type { Setting } from './setting.ts'
import { atLeast, sender, url, wholeNumber } from './setting-values.ts'

/** The settings of https of our own: docs/tls.md. Without HTTPS_PORT none of them counts. */
export type TlsConfig = {
  /** Undefined: the service has no https of its own. */
  httpsPort: number | undefined
  /** The port of plain http: PORT, unless HTTPS_PORT is set. */
  httpPort: number
  tlsCert: string | undefined
  tlsKey: string | undefined
  certificateKey: string | undefined
  acmeDirectoryUrl: string
  acmeEmail: string | undefined
  acmeCaFile: string | undefined
}

/** The earlier settings that these read. */
type Known = TlsConfig & { port: number; secret: string | undefined }

export const tlsSettings: { [Key in keyof TlsConfig]: Setting<TlsConfig[Key], Known> } = {
  httpsPort: {
    name: 'HTTPS_PORT',
    default: '(no https of its own)',
    meaning:
      'The port of https, if no proxy in front of the service has the certificates: 443, unless ports are mapped. Without TLS_CERT, certificates come from ACME_DIRECTORY_URL, whose terms you agree to. See docs/tls.md.',
    for: ['front', 'api', 'worker'],
    read: (text) => (text === undefined ? undefined : wholeNumber(text, 443, 0, 65_535)),
  },
  httpPort: {
    name: 'HTTP_PORT',
    default: 'PORT',
    meaning:
      'The port of plain http beside HTTPS_PORT, usually 80. Hosts with a valid certificate are sent to https from there. Without HTTPS_PORT it counts for nothing.',
    for: ['front'],
    read: (text, { httpsPort, port = 0 }) =>
      httpsPort === undefined ? port : wholeNumber(text, port, 0, 65_535),
  },
  tlsCert: {
    name: 'TLS_CERT',
    default: '(none)',
    meaning:
      'A PEM file with the certificate of https and those of its issuers. It is read again when it changes.',
    for: ['front', 'api', 'worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  tlsKey: {
    name: 'TLS_KEY',
    default: '(none)',
    meaning: 'The PEM file with the private key of TLS_CERT.',
    // Commands that the worker starts read every setting, and each of the two needs the other.
    for: ['front', 'api', 'worker'],
    read: (text, { tlsCert }) => {
      if ((text === undefined) !== (tlsCert === undefined))
        throw new Error('TLS_CERT and TLS_KEY need each other: set both, or neither')
      return text === undefined ? undefined : resolve(text)
    },
  },
  certificateKey: {
    name: 'CERTIFICATE_KEY',
    isSecret: true,
    default: '(derived from SECRET)',
    meaning:
      'Key that seals private keys of certificates in the catalogue, and session tickets of https, 32 characters or more; the same on every machine of a cluster.',
    for: ['front', 'worker'],
    // Without https of its own, no process needs it.
    optionalFor: ['front', 'worker'],
    pass: ({ httpsPort, certificateKey, secret }) =>
      httpsPort === undefined || secret === undefined
        ? certificateKey
        : (certificateKey ?? derivedKey(secret, 'certificates')),
    read: (text) => atLeast(text, 32),
  },
  acmeDirectoryUrl: {
    name: 'ACME_DIRECTORY_URL',
    default: "Let's Encrypt",
    meaning: 'The directory of the authority that issues certificates (RFC 8555).',
    for: ['worker'],
    read: (text) => url(text, ['https:', 'http:']) ?? 'https://acme-v02.api.letsencrypt.org/directory',
  },
  acmeEmail: {
    name: 'ACME_EMAIL',
    default: '(none)',
    meaning: 'An e-mail address for the account at the authority.',
    for: ['worker'],
    read: (text) => (text === undefined ? undefined : sender(text)),
  },
  acmeCaFile: {
    name: 'ACME_CA_FILE',
    default: '(the usual issuers)',
    meaning: 'A PEM file with the issuer of the https of ACME_DIRECTORY_URL, for an authority of your own.',
    for: ['worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
}
