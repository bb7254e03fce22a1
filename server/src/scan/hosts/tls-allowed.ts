import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorCode } from '@everscan/contract/schema/errors.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { frontError } from '../front-errors.ts'
import type { Hosts } from './hosts.ts'

type Options = {
  hosts: Pick<Hosts, 'isServed'>
  /** PUBLIC_URL's host name. */
  publicHost: string
  /** Whether a request comes from a loopback or private address, and not through a proxy. */
  isNear: (request: IncomingMessage) => boolean
  /** Reads the feed of changes, so that a domain that was just proved counts. */
  readChanges: () => void
}

/** Answers whether a host may have a certificate, or returns false for every other request. */
export type AnswerTlsAllowed = (request: IncomingMessage, response: ServerResponse) => boolean

const ownPath = '/api/v1/tls-allowed'

/**
 * Creates the answer to proxies that make certificates when a host is first asked for, such as
 * Caddy with `ask`: 200 for PUBLIC_URL's host and domains that are proved or were, else 404. Other
 * machines than those nearby get 403: they could try out names.
 */
export function createTlsAllowed(options: Options): AnswerTlsAllowed {
  return (request, response) => {
    const [path, query] = (request.url ?? '').split('?', 2)
    if (path !== ownPath) return false
    const domain = new URLSearchParams(query).get('domain')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      refuse(response, 405, 'METHOD_NOT_ALLOWED', problem('pathOnlyRead'))
    else if (!options.isNear(request)) refuse(response, 403, 'FORBIDDEN', problem('tlsAskedFromAfar'))
    else if (domain === null || domain === '')
      refuse(response, 400, 'VALIDATION_ERROR', problem('tlsHostMissing'))
    else if (!isAllowed(domain, options)) refuse(response, 404, 'NOT_FOUND', problem('tlsHostUnknown'))
    else {
      response.writeHead(200, ['Content-Length', '0', 'Cache-Control', 'no-store'])
      response.end()
    }
    return true
  }
}

function isAllowed(domain: string, { hosts, publicHost, readChanges }: Options): boolean {
  const name = normalHostname(domain)
  if (name === undefined) return false
  readChanges()
  return name === publicHost || hosts.isServed(name)
}

function refuse(
  response: ServerResponse,
  status: 400 | 403 | 404 | 405,
  code: ErrorCode,
  found: Problem,
): void {
  const { headers, body } = frontError(status, code, found)
  response.writeHead(status, status === 405 ? ['Allow', 'GET, HEAD', ...headers] : headers)
  response.end(body)
}
