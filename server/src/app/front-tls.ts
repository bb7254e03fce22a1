import type { Server } from 'node:http'
import type { Config } from '../settings.ts'
import type { Log } from '../log.ts'
import { closeServer, listenPublicly } from '../processes/listening.ts'
import type { FrontParts } from '../scan/front.ts'
import type { CertificateSource } from '../scan/tls/certificate-source.ts'
import { FileCertificate } from '../scan/tls/file-certificate.ts'
import { createHttpsRedirect, type HttpsRedirect } from '../scan/tls/https-redirects.ts'
import { createSecureFront } from '../scan/tls/secure-front.ts'

/** https of our own, beside plain http. */
export type FrontTls = {
  toHttps: HttpsRedirect
  /** Listens on HTTPS_PORT and answers like the server of plain http. */
  listen: (parts: Omit<FrontParts, 'toHttps'>) => Promise<void>
  close: () => Promise<void>
}

/** Connections without a request are closed after this time when the service stops. */
const unusedMs = 3_000

/** Opens https with the certificate of TLS_CERT. Returns undefined without HTTPS_PORT. */
export function openTls(config: Config, { log, ownPaths, trustedProxies }: Around): FrontTls | undefined {
  const { httpsPort: port, host, frontProcesses, tlsCert, tlsKey } = config
  if (port === undefined || tlsCert === undefined || tlsKey === undefined) return undefined
  const certificates: CertificateSource = new FileCertificate({ certFile: tlsCert, keyFile: tlsKey, log })
  let server: Server | undefined
  let isUnused: ((socket: Parameters<FrontParts['connections']['isUnused']>[0]) => boolean) | undefined
  return {
    toHttps: createHttpsRedirect({
      certificates,
      httpsPort: publicHttpsPort(config.publicUrl) ?? port,
      trustedProxies,
      ownPaths,
    }),
    listen: async (parts) => {
      const ticketSecret = config.certificateKey ?? ''
      server = createSecureFront(parts, { certificates, ticketSecret })
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

type Around = Pick<FrontParts, 'log' | 'ownPaths'> &
  Pick<Parameters<typeof createHttpsRedirect>[0], 'trustedProxies'> & { log: Log }

/** Short URLs have the port of PUBLIC_URL, which may be mapped to ours. */
function publicHttpsPort(publicUrl: string): number | undefined {
  const { protocol, port } = new URL(publicUrl)
  return protocol === 'https:' ? Number(port || 443) : undefined
}
