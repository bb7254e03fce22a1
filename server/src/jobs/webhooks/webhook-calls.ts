import { request, type Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { callProblem, retryAfterMs as retryAfterOf } from '../../outgoing/call-outcomes.ts'
import { CheckedAgent, type TargetOptions } from '../../outgoing/checked-agent.ts'
import type { ConnectionOptions } from '../../outgoing/checked-connections.ts'

/** The outcome of one call. */
export type CallOutcome = {
  succeeded: boolean
  /** Undefined if there was no answer. */
  status?: number
  /** The beginning of the answer, at most `limits.webhookAnswerCharsMax` characters. */
  body?: string
  /** The reason why it failed. */
  problem?: Problem
  durationMs: number
  /** The wait that the receiver requests. */
  retryAfterMs?: number
}

export type WebhookCaller = {
  /** Posts a body. Never throws: an abort ends the call with an outcome that says so. */
  call: (
    url: string,
    options: { headers: Readonly<Record<string, string>>; body: string; signal?: AbortSignal },
  ) => Promise<CallOutcome>
  close: () => void
}

export type CallerOptions = ConnectionOptions & {
  /** The limit of the whole call: name, connection, request, answer. */
  callMsMax?: number
  answerBytesMax?: number
}

const callMsMaxDefault = 15_000
const answerBytesMaxDefault = 20 * 1024

/**
 * Creates a caller for receivers of which nothing is trusted: see `connectChecked`. Redirects are
 * answers like any other, and not followed.
 */
export function createWebhookCaller(options: CallerOptions): WebhookCaller {
  const { callMsMax = callMsMaxDefault, answerBytesMax = answerBytesMaxDefault } = options
  // One agent for both protocols: it gets connections that are ready for writing.
  const agent = new CheckedAgent(options, callMsMax)
  return {
    call: async (url, { headers, body, signal }) => {
      const startMs = performance.now()
      const timeout = AbortSignal.timeout(callMsMax)
      const ends = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      const attempt = async () => post(new URL(url), { headers, body, agent, answerBytesMax, signal: ends })
      const outcome = await attempt()
        // The receiver closed a kept connection at this instant: the call did not reach it.
        .catch((error: unknown) => (isStale(error) ? attempt() : Promise.reject(error)))
        .catch((error: unknown) => ({
          succeeded: false,
          problem: timeout.aborted
            ? problem('noWholeAnswer', { seconds: callMsMax / 1000 })
            : callProblem(error),
        }))
      return { ...outcome, durationMs: Math.round(performance.now() - startMs) }
    },
    close: () => agent.destroy(),
  }
}

type Posted = {
  headers: Readonly<Record<string, string>>
  body: string
  agent: Agent
  answerBytesMax: number
  signal: AbortSignal
}

/** A request on a connection that was used before ended without an answer. */
class StaleConnection extends Error {}

function isStale(error: unknown): boolean {
  return error instanceof StaleConnection
}

function post(
  url: URL,
  { headers, body, agent, answerBytesMax, signal }: Posted,
): Promise<Omit<CallOutcome, 'durationMs'>> {
  return new Promise((resolve, reject) => {
    const call: ClientRequest = request(
      {
        agent,
        // `CheckedAgent` reads the protocol from `targetProtocol`, because `request` itself takes
        // only http.
        headers: { ...headers, host: url.host, 'content-length': String(Buffer.byteLength(body)) },
        method: 'POST',
        host: url.hostname,
        port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        signal,
        ...({ targetProtocol: url.protocol } satisfies TargetOptions),
      },
      (answer) => {
        readAnswer(answer, answerBytesMax).then((text) => resolve(outcomeOf(answer, text)), reject)
      },
    )
    call.on('error', (error) => reject(call.reusedSocket && isReset(error) ? new StaleConnection() : error))
    call.end(body)
  })
}

/** Returns the beginning of an answer. The part beyond the limit is not read. */
async function readAnswer(answer: IncomingMessage, bytesMax: number): Promise<string> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (bytes < limits.webhookAnswerCharsMax) kept.push(chunk.subarray(0, limits.webhookAnswerCharsMax))
    bytes += chunk.length
    // Leaving the loop destroys the connection.
    if (bytes >= bytesMax) break
  }
  return readable(Buffer.concat(kept).subarray(0, limits.webhookAnswerCharsMax).toString('utf8'))
}

/** Returns text that a record may contain, whatever bytes arrived. */
function readable(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd')
}

function outcomeOf(answer: IncomingMessage, body: string): Omit<CallOutcome, 'durationMs'> {
  const status = answer.statusCode ?? 0
  if (status >= 200 && status < 300) return { succeeded: true, status, body }
  const retryAfterMs = retryAfterOf(answer.headers['retry-after'])
  const isRedirect = status >= 300 && status < 400
  const found = problem(isRedirect ? 'receiverRedirected' : 'receiverAnswered', { status })
  return {
    succeeded: false,
    status,
    body,
    problem: found,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
