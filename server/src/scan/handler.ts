import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlockList } from 'node:net'
import type { Answer, Journal } from '../journal/journal.ts'
import type { ScanAnswer } from './answer.ts'
import { clientAddress, networkOf } from './client-address.ts'
import { laterPage, methodPage } from './pages.ts'
import type { Resolver } from './resolve.ts'
import { readScanHeaders, type ScanHeaders } from './scan-headers.ts'
import type { VisitorHash } from './visitor.ts'

export type ScanContext = {
  resolver: Resolver
  journal: Journal
  visitorHash: VisitorHash
  trustedProxies: BlockList | undefined
}

/** GET or HEAD of a short URL: look the code up, record the hit, answer. The one path that must never be slow. */
export function handleScan(
  context: ScanContext,
  code: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    request.resume()
    return send(response, methodPage)
  }
  const answer = context.resolver.resolve(code)
  if (!(answer instanceof Promise)) return answerScan(context, answer, request, response)
  answer.then(
    (found) => answerScan(context, found, request, response),
    () => send(response, laterPage),
  )
}

function answerScan(
  context: ScanContext,
  answer: ScanAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { recorded, byUserAgent } = answer
  const headers = readScanHeaders(request.headers)
  const reply = byUserAgent === undefined ? answer : byUserAgent(headers.userAgent)
  if (recorded === undefined || request.method === 'HEAD') return send(response, reply)
  const forwardedFor = request.headers['x-forwarded-for']
  const address = clientAddress(request.socket.remoteAddress, forwardedFor, context.trustedProxies)
  recordScan(context, recorded, address, headers, new SentWhenRecorded(response, reply))
}

/** The answer goes out when the scan is in the journal; a journal that cannot write counts it and lets it go on. */
function recordScan(
  { journal, visitorHash }: ScanContext,
  { qrCodeId, ids }: NonNullable<ScanAnswer['recorded']>,
  address: string,
  headers: ScanHeaders,
  answer: Answer,
): void {
  const { userAgent, referrerHost, language, hints } = headers
  const visitor = visitorHash(qrCodeId, address, userAgent)
  const network = networkOf(address)
  journal.append(
    { timeMs: Date.now(), ids, visitor, network, userAgent, referrerHost, language, hints },
    answer,
  )
}

/** An object where a closure would do: one allocation less for each scan. */
class SentWhenRecorded implements Answer {
  readonly #response: ServerResponse
  readonly #reply: Pick<ScanAnswer, 'status' | 'headers' | 'body'>

  constructor(response: ServerResponse, reply: Pick<ScanAnswer, 'status' | 'headers' | 'body'>) {
    this.#response = response
    this.#reply = reply
  }

  acknowledge(): void {
    send(this.#response, this.#reply)
  }
}

function send(
  response: ServerResponse,
  { status, headers, body }: Pick<ScanAnswer, 'status' | 'headers' | 'body'>,
): void {
  response.writeHead(status, headers)
  // Node leaves the body out by itself when the request was a HEAD.
  response.end(body)
}
