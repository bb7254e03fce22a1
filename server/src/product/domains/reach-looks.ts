import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { Reach } from '../../dns-looks.ts'
import { reachPath, type ReachCodes } from '../../reach-codes.ts'
import { connectChecked, PrivateAddress } from '../../outgoing/checked-connections.ts'

type Options = {
  publicUrl: string
  codes: ReachCodes
  /** Whether private addresses may be asked as well. */
  allowPrivate: boolean
  /** How long one request may take. */
  requestMs?: number
  /** The port of plain http of every host. */
  plainPort?: number
}

/**
 * Finds out whether requests for a host name arrive at this installation. `addresses` are those of
 * the name.
 */
export type LookForReach = (hostname: string, addresses: readonly string[]) => Promise<Reach | undefined>

/** The code is 43 characters. */
const answerBytesMax = 200

/**
 * Creates a look that fetches a token over the host name, as a phone does that opens a printed
 * code: with the scheme and port of PUBLIC_URL, or else over plain http, as an authority does.
 * Nothing at that address is trusted: see `connectChecked`. Redirects are not followed.
 */
export function createReachLook(options: Options): LookForReach {
  const { publicUrl, plainPort = 80 } = options
  const { protocol, port, hostname: publicName } = new URL(publicUrl)
  return async (hostname, addresses) => {
    // A name of a private network may be known to the system only.
    if (addresses.length === 0 && !options.allowPrivate) return 'SILENT'
    const origins = [`${protocol}//${hostname}${port === '' ? '' : `:${port}`}`]
    if (protocol === 'https:') origins.push(`http://${hostname}:${plainPort}`)
    const answers: Answer[] = []
    for (const origin of origins) {
      const answer = await ask(origin, { ...options, hostname, addresses })
      if (answer === 'HERE') return origin.startsWith(protocol) ? 'HERE' : 'PLAIN'
      answers.push(answer)
    }
    for (const certain of ['RENAMED', 'ELSEWHERE'] as const) if (answers.includes(certain)) return certain
    if (answers.includes('REFUSED')) return undefined
    // Many routers do not lead a network's own requests back to it: then silence says nothing.
    const own = await ask(publicUrl, { ...options, hostname: '', addresses: [], allowPrivate: true })
    return own === 'HERE' && publicName !== hostname ? 'SILENT' : undefined
  }
}

type Answer = Exclude<Reach, 'PLAIN'> | 'REFUSED'

type Asked = Options & { hostname: string; addresses: readonly string[] }

async function ask(
  origin: string,
  { codes, hostname, addresses, allowPrivate, requestMs = 4_000 }: Asked,
): Promise<Answer> {
  const token = codes.createToken()
  try {
    const text = await fetchText(new URL(`${reachPath}${token}`, origin), {
      allowPrivate,
      resolveName: addresses.length === 0 ? undefined : async () => addresses,
      signal: AbortSignal.timeout(requestMs),
    })
    const { isHere, isNamed } = codes.arrivalOf(token, text)
    if (!isHere) return 'ELSEWHERE'
    return hostname === '' || isNamed(hostname) ? 'HERE' : 'RENAMED'
  } catch (error) {
    return error instanceof PrivateAddress ? 'REFUSED' : 'SILENT'
  }
}

type Connecting = {
  allowPrivate: boolean
  resolveName: (() => Promise<readonly string[]>) | undefined
  signal: AbortSignal
}

/** Returns the beginning of the body of an answer. Rejects if there is none in time. */
async function fetchText(url: URL, { signal, ...connection }: Connecting): Promise<string> {
  const { protocol, hostname } = url
  const port = Number(url.port || (protocol === 'https:' ? 443 : 80))
  const socket = await connectChecked({ protocol, hostname, port }, connection, signal)
  try {
    const sent = request({
      createConnection: () => socket,
      path: url.pathname,
      headers: { host: url.host, connection: 'close' },
      signal,
    })
    sent.end()
    const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage]
    let text = ''
    for await (const chunk of response) {
      text += String(chunk)
      if (text.length >= answerBytesMax) break
    }
    return text.trim()
  } finally {
    socket.destroy()
  }
}
