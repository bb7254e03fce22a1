import type { IncomingMessage, ServerResponse } from 'node:http'
import { sentNotice } from '../../files/sent-pages.ts'
import { addressTrail, isTrusted } from '../client-address.ts'
import { codeOf } from './code-paths.ts'
import { exactCodesOf, useFirstKnown, type Candidate } from './exact-codes.ts'
import { redirectReply } from '../content-answer.ts'
import { handleScan } from '../handler.ts'
import type { Host } from './hosts.ts'
import type { ScanContext } from '../scan-context.ts'
import { readVisitor } from '../scan-visitor.ts'
import { setSiteHeaders } from '../site-headers.ts'
import { send } from '../stages/send.ts'
import type { Asked, Visit } from '../visit.ts'

/**
 * Returns the host name that a request was sent to, as it was written. Only a trusted proxy may say
 * which host it was asked for.
 */
export function namedHost(
  { headers, socket }: IncomingMessage,
  trustedProxies: ScanContext['trustedProxies'],
): string {
  const forwarded = headers['x-forwarded-host']
  const isForwarded =
    forwarded !== undefined &&
    trustedProxies !== undefined &&
    isTrusted(addressTrail(socket.remoteAddress, undefined, trustedProxies)[0] ?? '', trustedProxies)
  return isForwarded ? (String(forwarded).split(',', 1)[0] ?? '').trim() : (headers.host ?? '')
}

/**
 * Returns the domain that a request is for, or undefined for PUBLIC_URL. If a domain may have
 * changed unseen, returns a promise, which ends soon, also while the catalogue is away.
 */
export function hostOf(
  request: IncomingMessage,
  { hosts, resolver, trustedProxies }: Pick<ScanContext, 'hosts' | 'resolver' | 'trustedProxies'>,
): Host | undefined | Promise<Host | undefined> {
  const named = namedHost(request, trustedProxies)
  if (hosts.isPublic(named)) return undefined
  // A domain that was just proved or deleted counts from now on.
  return resolver.settle()?.then(() => hosts.find(named)) ?? hosts.find(named)
}

/** Paths that every host answers besides its codes. */
const sitePath = /^\/(?:robots\.txt|favicon\.ico|\.well-known\/.*)$/

/** Paths that the front answers itself: `GET /healthz` and so on. */
export type OwnPaths = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>>
>

type Parts = {
  passOn: (request: IncomingMessage, response: ServerResponse) => void
  /** Paths that every host answers if no code has that very name. */
  statusPaths: OwnPaths
}

/**
 * Answers a request for a domain: its codes, what browsers and crawlers ask of every host, and
 * whether the service is up. It has no API and no dashboard.
 */
export function answerOnHost(context: ScanContext, host: Host, visit: Visit, parts: Parts): void {
  const url = visit.request.url ?? '/'
  const isServed = host.owners.size > 0
  const isExact = host.codes === 'exact'
  const found = isServed && !isExact ? codeOf(url) : undefined
  if (found !== undefined) return handleScan(context, keyOn(host, found.code), asking(visit, found.asked))
  const path = url.split('?', 1)[0] ?? ''
  const [first, ...others] = isServed && isExact && !sitePath.test(path) ? exactCodesOf(url) : []
  if (first === undefined) return answerOther(context, host, visit, parts)
  const keyed = ({ code, asked }: Candidate): Candidate => ({ code: keyOn(host, code), asked })
  const candidates = [keyed(first), ...others.map(keyed)] as const
  const use = ({ code, asked }: Candidate): void => handleScan(context, code, asking(visit, asked))
  if (parts.statusPaths[path] === undefined) return useFirstKnown(context.resolver, candidates, use)
  useFirstKnown(context.resolver, [...candidates, noCode], (code) =>
    code === noCode ? answerOther(context, host, visit, parts) : use(code),
  )
}

/** Stands for a path that is answered if no code has its name. */
const noCode: Candidate = { code: '', asked: 'scan' }

/** Answers what is no code. */
function answerOther(context: ScanContext, host: Host, visit: Visit, { passOn, statusPaths }: Parts): void {
  const { request, response } = visit
  const path = (request.url ?? '/').split('?', 1)[0] ?? ''
  const isServed = host.owners.size > 0
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const status = statusPaths[path]
  if (isRead && (status !== undefined || sitePath.test(path))) {
    setSiteHeaders(response, context.siteHeaders)
    return status === undefined ? passOn(request, response) : void status(request, response)
  }
  request.resume()
  const { language } = readVisitor(request.headers)
  if (!isRead) return send(context, visit, sentNotice('method', language))
  const isRoot = path === '/' && isServed
  const leadsTo = isRoot ? host.rootUrl : host.notFoundUrl
  const redirect = leadsTo === null ? undefined : redirectReply(leadsTo, context)
  send(context, visit, redirect ?? sentNotice(isRoot ? 'home' : 'unknown', language))
}

/** Returns the key of a code on a domain. */
function keyOn({ hostname }: Host, code: string): string {
  return `${hostname}/${code}`
}

/** Returns a visit with what its path asks for. It is the same object: each scan has one. */
function asking(visit: Visit, asked: Asked): Visit {
  visit.asked = asked
  return visit
}
