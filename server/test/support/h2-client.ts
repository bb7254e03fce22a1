import { once } from 'node:events'
import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { createConnection } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { siteName, type Proxy } from './proxies.ts'

export type H2Answer = { status: number; headers: Record<string, string>; body: string }

type H2Request = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** A client of a proxy over HTTP/2, like a browser's, from an address that is not the proxy's. */
export type H2Client = {
  send: (path: string, request?: H2Request) => Promise<H2Answer>
  /** Opens a stream of events; `text` is what came so far. */
  listen: (
    path: string,
    headers: Record<string, string>,
  ) => Promise<{ text: () => string; close: () => void }>
  close: () => void
}

/** Loopback, but another machine for the proxy, whose own address is 127.0.0.1. */
export const clientAddress = '127.0.0.2'

/** Connects over TLS; throws if the certificate is not that of the proxy. */
export async function connectH2({ httpsPort, certificate }: Proxy): Promise<H2Client> {
  // Node's own TLS cannot choose the address of this side.
  const connection = createConnection({
    port: httpsPort,
    host: '127.0.0.1',
    localAddress: clientAddress,
  })
  const socket = connectTls({
    socket: connection,
    servername: siteName,
    ca: certificate,
    ALPNProtocols: ['h2'],
  })
  await once(socket, 'secureConnect')
  if (socket.alpnProtocol !== 'h2') throw new Error('the proxy does not offer HTTP/2')
  const session: ClientHttp2Session = connect(`https://${siteName}`, { createConnection: () => socket })
  session.on('error', () => undefined)

  const open = (path: string, { method = 'GET', headers = {}, body }: H2Request): ClientHttp2Stream => {
    const stream = session.request({ ':method': method, ':path': path, ...headers })
    stream.setEncoding('utf8')
    stream.end(body)
    return stream
  }
  return {
    send: async (path, request = {}) => {
      const stream = open(path, request)
      const [given] = (await once(stream, 'response')) as [Record<string, string | string[]>]
      let body = ''
      for await (const chunk of stream) body += String(chunk)
      return { status: Number(given[':status']), headers: flat(given), body }
    },
    listen: async (path, headers) => {
      const stream = open(path, { headers: { accept: 'text/event-stream', ...headers } })
      let text = ''
      stream.on('data', (chunk: string) => void (text += chunk))
      stream.on('error', () => undefined)
      await once(stream, 'response')
      return { text: () => text, close: () => stream.close() }
    },
    close: () => session.destroy(),
  }
}

/** Headers that came more than once stand behind each other, so that a test sees both. */
function flat(headers: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
