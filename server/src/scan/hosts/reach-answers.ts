import type { IncomingMessage, ServerResponse } from 'node:http'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { reachTokenOf, type ReachCodes } from '../../reach-codes.ts'

/** Answers a token that is fetched over a domain, or returns false for every other request. */
export type AnswerReach = (request: IncomingMessage, response: ServerResponse) => boolean

type Options = {
  codes: Pick<ReachCodes, 'answerOf'>
  /** Returns the host that a request was sent to, as it was written. */
  hostOf: (request: IncomingMessage) => string
}

/**
 * Creates the answer that shows that requests for a host name arrive here, and under which name.
 * Only this installation can read it.
 */
export function createReachAnswer({ codes, hostOf }: Options): AnswerReach {
  return (request, response) => {
    const token = reachTokenOf(request.url ?? '')
    if (token === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    request.resume()
    // Node reads headers as Latin-1. A name that nobody has proved is signed as well: its claim is
    // told whether it leads here.
    const hostname = normalHostname(Buffer.from(hostOf(request), 'latin1').toString())
    const body = codes.answerOf(token, hostname)
    response.writeHead(200, [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Content-Length',
      String(body.length),
      'Cache-Control',
      'no-store',
    ])
    response.end(body)
    return true
  }
}
