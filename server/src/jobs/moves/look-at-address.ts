import { request, type IncomingMessage } from 'node:http'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { callProblem, retryAfterMs } from '../../outgoing/call-outcomes.ts'
import { CheckedAgent, type TargetOptions } from '../../outgoing/checked-agent.ts'
import type { ConnectionOptions } from '../../outgoing/checked-connections.ts'

/** The answer of an address. */
export type AddressAnswer =
  | { status: number; location: string | undefined; retryAfterMs: number | undefined }
  /** Why there was no answer. */
  | { problem: Problem }

export type AddressLook = {
  /** Asks an address. Never throws. Redirects are answers, and not followed. */
  look: (url: string) => Promise<AddressAnswer>
  close: () => void
}

export const lookMsMax = 3_000
/** Statuses of servers that do not answer HEAD. */
const refusesHead = new Set([400, 403, 404, 405, 501])
const userAgent = 'Everscan (comparison of links)'

/**
 * Creates a look at addresses of which nothing is trusted: see `connectChecked`. It asks with HEAD,
 * which has no body and which many products do not count, and with GET if that is refused.
 */
export function createAddressLook(options: ConnectionOptions): AddressLook {
  const agent = new CheckedAgent(options, lookMsMax)
  const ask = async (method: 'HEAD' | 'GET', url: URL, timeout: AbortSignal): Promise<AddressAnswer> => {
    try {
      return answerOf(await send(method, url, agent, timeout))
    } catch (error) {
      return {
        problem: timeout.aborted ? problem('noAnswer', { seconds: lookMsMax / 1000 }) : callProblem(error),
      }
    }
  }
  return {
    look: async (written) => {
      const url = URL.canParse(written) ? new URL(written) : undefined
      if (url === undefined || !/^https?:$/.test(url.protocol)) return { problem: problem('notWebAddress') }
      const timeout = AbortSignal.timeout(lookMsMax)
      const answer = await ask('HEAD', url, timeout)
      return 'status' in answer && refusesHead.has(answer.status) ? ask('GET', url, timeout) : answer
    },
    close: () => agent.destroy(),
  }
}

function send(
  method: 'HEAD' | 'GET',
  url: URL,
  agent: CheckedAgent,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        agent,
        method,
        headers: { host: url.host, 'user-agent': userAgent, accept: '*/*' },
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        signal,
        ...({ targetProtocol: url.protocol } satisfies TargetOptions),
      },
      (answer) => {
        answer.on('error', () => undefined)
        // Only the head counts: the rest of a page is not read.
        if (method === 'GET') answer.destroy()
        else answer.resume()
        resolve(answer)
      },
    )
    call.on('error', reject)
    call.end()
  })
}

function answerOf({ statusCode = 0, headers }: IncomingMessage): AddressAnswer {
  return {
    status: statusCode,
    location: headers.location,
    retryAfterMs: retryAfterMs(headers['retry-after']),
  }
}
