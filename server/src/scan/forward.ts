import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { createId } from '../ids.ts'

export type Forward = {
  /** Hands a request on to the API processes and streams the answer back. */
  forward: (request: IncomingMessage, response: ServerResponse, client: { trail: readonly string[] }) => void
  /** Ends the answers that go on for as long as somebody reads them, those that are yet to come too. */
  endStreams: () => void
  close: () => void
}

type Options = {
  socketPaths: readonly string[]
  /** Called before the answer to a change is passed on, so that the next scan sees the change. */
  beforeChangeAnswer: () => Promise<void>
  /** For so long a connection to the API stays open unused: less than the API keeps it, or a request may be written to one that is just being closed. */
  idleMs?: number
  /** The API begins an answer within this time after it got the last of the request: 503 otherwise, however long the rest takes. 30 s. */
  firstByteMs?: number
}

/** Headers that concern one connection only (RFC 9110, section 7.6.1), and those that the front alone may set. */
const notForwarded = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-forwarded-for',
  'x-everscan-trail',
  'x-everscan-forwarded-for',
])
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Streams both ways: uploads, downloads and server-sent events pass as they come, and an abort on one side ends the other. */
export function createForward({
  socketPaths,
  beforeChangeAnswer,
  idleMs = 30_000,
  firstByteMs = 30_000,
}: Options): Forward {
  const agents = socketPaths.map((socketPath) => ({
    socketPath,
    agent: new Agent({ keepAlive: true, maxFreeSockets: 64, timeout: idleMs }),
  }))
  let turn = 0
  const streams = new Set<() => void>()
  let stopping = false

  const forward: Forward['forward'] = (request, response, client) => {
    const first = turn++
    const attempt = (tried: number): void => {
      const upstreamOf = agents[(first + tried) % agents.length]
      if (upstreamOf === undefined || tried >= agents.length) return sendUnavailable(response)
      const upstream = httpRequest({
        socketPath: upstreamOf.socketPath,
        agent: upstreamOf.agent,
        method: request.method,
        path: request.url,
        headers: forwardedHeaders(request, client.trail),
        setHost: false,
      })
      let answered = false
      const waiting = setTimeout(() => {
        answered = true
        sendUnavailable(response, tooLate)
        upstream.destroy()
      }, firstByteMs)
      // An upload takes its time: the wait begins with the last of it that the API took.
      const wait = (): void => {
        if (!answered) waiting.refresh()
      }
      if (hasBody(request)) {
        request.on('data', wait)
        upstream.once('finish', wait)
      }
      upstream.on('response', (answer) => {
        answered = true
        clearTimeout(waiting)
        // An answer that is whole before the body was read (413): nobody reads the rest of it any more.
        answer.once('end', () => {
          if (!request.readableEnded) upstream.destroy()
        })
        void passOn(answer)
      })
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        // The answer may come before the body was read (413); what breaks after that is the answer's own matter.
        if (answered || response.destroyed) return
        const unsent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED'
        // What breaks a kept connection may have done what was asked: only a read is asked again.
        const readBroken = upstream.reusedSocket && safeMethods.has(request.method ?? '')
        if ((unsent || readBroken) && !hasBody(request)) return attempt(tried + 1)
        sendUnavailable(response)
      })
      upstream.on('close', () => {
        request.off('data', wait)
        clearTimeout(waiting)
        // The rest of a body that nobody wants is read away, or the next request on this connection would wait behind it.
        request.unpipe(upstream)
        request.resume()
      })
      response.once('close', () => {
        if (!response.writableFinished) upstream.destroy()
      })
      request.pipe(upstream)
    }
    const passOn = async (answer: IncomingMessage): Promise<void> => {
      if (!safeMethods.has(request.method ?? '') && (answer.statusCode ?? 500) < 400)
        await beforeChangeAnswer()
      if (response.destroyed) return void answer.destroy()
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders))
      response.flushHeaders()
      pipeline(answer, response, () => undefined)
      if (answer.headers['content-type']?.startsWith('text/event-stream') === true) follow(answer, response)
    }
    attempt(0)
  }

  function follow(answer: IncomingMessage, response: ServerResponse): void {
    const end = (): void => {
      answer.unpipe(response)
      // Told only when all was sent: a reader sees an end, not a break.
      response.end(() => answer.destroy())
    }
    streams.add(end)
    response.once('close', () => {
      streams.delete(end)
      answer.destroy()
    })
    if (stopping) end()
  }

  return {
    forward,
    endStreams: () => {
      stopping = true
      for (const end of streams) end()
    },
    close: () => {
      for (const { agent } of agents) agent.destroy()
    },
  }
}

/** The address of the client, and for who sets up proxies how it came to that: the way, and what the last of them said. */
function forwardedHeaders(request: IncomingMessage, trail: readonly string[]): string[] {
  const said = request.headers['x-forwarded-for']
  return [
    ...endToEnd(request.rawHeaders),
    ...bodyFraming(request),
    'X-Forwarded-For',
    trail.at(-1) ?? '',
    'X-Everscan-Trail',
    trail.join(','),
    ...(said === undefined ? [] : ['X-Everscan-Forwarded-For', String(said)]),
  ]
}

/**
 * A body of unknown length stays one: without this the upstream would see none. A request that names neither has no body (RFC 9112, 6.3), as `curl -X POST`
 * sends it: without this Node would make it one of unknown length.
 */
function bodyFraming({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  return headers['content-length'] === undefined ? ['Content-Length', '0'] : []
}

function endToEnd(raw: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string
    if (!notForwarded.has(name.toLowerCase())) kept.push(name, raw[i + 1] as string)
  }
  return kept
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

const notNow = 'The service is starting or overloaded; try again in a moment.'
const tooLate =
  'The service did not answer in time. A change may have been made all the same: look before you try again.'

function sendUnavailable(response: ServerResponse, message = notNow): void {
  if (response.headersSent) return void response.destroy()
  const requestId = createId('req')
  const body = Buffer.from(
    JSON.stringify({
      statusCode: 503,
      message,
      error: 'Service Unavailable',
      code: 'UNAVAILABLE',
      requestId,
    }),
  )
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Retry-After': '1',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  })
  response.end(body)
}
