import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Config } from '../../settings/settings.ts'
import { readAlpnChallenges, readCertificates, readChallenge } from '../../db/scans/certificate-lookup.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { closeServer, listenPublicly } from '../../processes/listening.ts'
import type { FrontParts } from '../front.ts'
import type { CertificateSource } from './certificate-source.ts'
import { AlpnChallenges } from './alpn-challenges.ts'
import { createChallengeAnswer } from './challenges.ts'
import { FileCertificate } from './file-certificate.ts'
import { createHttpsRedirect } from './https-redirects.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { createSecureFront } from './secure-front.ts'
import { StoredCertificates } from './stored-certificates.ts'
import { certificatesPurpose, createSecretBox } from '../../secret-box.ts'

/** https of our own, beside plain http. */
export type FrontTls = {
  /** Parts of the server of https alone, and of that of plain http. */
  secure: Pick<FrontParts, 'answerChallenge'>
  plain: Pick<FrontParts, 'answerChallenge' | 'toHttps'>
  /** Returns a reader of the feed of changes that gives its entries to certificates, too. */
  besides: (hosts: FeedReader) => FeedReader
  /** Listens on HTTPS_PORT and answers like the server of plain http. */
  listen: (parts: FrontParts) => Promise<void>
  close: () => Promise<void>
}

/** Connections without a request are closed after this time when the service stops. */
const unusedMs = 3_000

/**
 * Opens https with the certificate of TLS_CERT, or with those of the catalogue. Returns undefined
 * without HTTPS_PORT.
 */
export function openTls(config: Config, around: Around): FrontTls | undefined {
  const { httpsPort: port, host, frontProcesses } = config
  if (port === undefined) return undefined
  const { trustedProxies, isOwnPath } = around
  const { certificates, secure, alpn, refresh } = openCertificates(config, around)
  let server: Server | undefined
  let isUnused: ((socket: Socket) => boolean) | undefined
  return {
    secure,
    besides: (hosts) => ({
      refresh: (changed) => {
        const reading = refresh?.(changed)
        const read = hosts.refresh(changed)
        // On SQLite, hosts are read at once, and no scan waits for certificates.
        return read === undefined ? undefined : Promise.all([read, reading]).then(() => undefined)
      },
    }),
    plain: {
      ...secure,
      toHttps: createHttpsRedirect({
        certificates,
        httpsPort: publicHttpsPort(config.publicUrl) ?? port,
        trustedProxies,
        isOwnPath,
      }),
    },
    listen: async (parts) => {
      const ticketSecret = config.certificateKey ?? ''
      server = createSecureFront({ ...parts, ...secure }, { certificates, ticketSecret, alpn })
      isUnused = (socket) => parts.connections.isUnused(socket)
      const options = { port, host, backlog: 4096, reusePort: frontProcesses > 1 }
      await listenPublicly(server, options, 'HTTPS_PORT')
    },
    close: async () => {
      certificates.close()
      if (server !== undefined && isUnused !== undefined) await closeServer(server, { isUnused, unusedMs })
    },
  }
}

type Opened = Pick<FrontTls, 'secure'> & {
  certificates: CertificateSource
  /** With certificates by ACME. */
  alpn: AlpnChallenges | undefined
  refresh: ((changed: readonly string[]) => Promise<void>) | undefined
}

function openCertificates(
  { tlsCert, tlsKey, certificateKey, publicUrl }: Config,
  { db, log, readChanges }: Around,
): Opened {
  if (tlsCert !== undefined && tlsKey !== undefined) {
    const certificates = new FileCertificate({ certFile: tlsCert, keyFile: tlsKey, log })
    return { certificates, refresh: undefined, alpn: undefined, secure: {} }
  }
  const box = createSecretBox(certificateKey ?? '', certificatesPurpose)
  const alpn = new AlpnChallenges({
    read: (hostname) => readAlpnChallenges(db, hostname),
    box,
    log,
    readChanges,
  })
  const certificates = new StoredCertificates({
    read: (hostname) => readCertificates(db, hostname),
    box,
    publicHost: new URL(publicUrl).hostname,
    log,
    readChanges,
  })
  const answerChallenge = createChallengeAnswer((token) => readChallenge(db, token))
  const refresh = (changed: readonly string[]): Promise<void> => {
    const [reading, waiting] = [certificates.refresh(changed), alpn.refresh(changed)]
    // Each turn of the event loop with scans comes here.
    return changed.length === 0 ? reading : Promise.all([reading, waiting]).then(() => undefined)
  }
  return { certificates, alpn, refresh, secure: { answerChallenge } }
}

type FeedReader = Pick<Hosts, 'refresh'>

type Around = {
  /** Whether plain http answers a path for every host. */
  isOwnPath: (path: string) => boolean
  db: Database
  log: Log
  trustedProxies: FrontParts['scan']['trustedProxies']
  /** Reads the feed of changes, whose entries then come to `besides`. */
  readChanges: () => void
}

/** Short URLs have the port of PUBLIC_URL, which may be mapped to ours. */
function publicHttpsPort(publicUrl: string): number | undefined {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? Number(port || 443) : undefined
}
