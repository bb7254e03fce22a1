import type { IncomingMessage, ServerResponse } from 'node:http'
import { reachTokenOf, type ReachCodes } from '../../reach-codes.ts'

/** Answers a token that is fetched over a domain, or returns false for every other request. */
export type AnswerReach = (request: IncomingMessage, response: ServerResponse) => boolean

type Options = {
  codes: Pick<ReachCodes, 'codeOf'>
  /** Returns the host name of the domain that a request is for; the empty text: PUBLIC_URL. */
  hostnameOf: (request: IncomingMessage) => string
}

/**
 * Creates the answer that shows that requests for a host name arrive here, and under which name.
 * Only this installation can read it.
 */
export function createReachAnswer({ codes, hostnameOf }: Options): AnswerReach {
  return (request, response) => {
    const token = reachTokenOf(request.url ?? '')
    if (token === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return false
    request.resume()
    const body = codes.codeOf(token, hostnameOf(request))
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
