import type { IncomingMessage, ServerResponse } from 'node:http'
import { sentNotice } from '../../sent-pages.ts'
import { addressTrail, isTrusted } from '../client-address.ts'
import { codeOf } from './code-paths.ts'
import { exactCodesOf, useFirstKnown } from './exact-codes.ts'
import { redirectReply } from '../content-answer.ts'
import { handleScan, send, type AskedCode, type ScanContext, type Visit } from '../handler.ts'
import type { Host } from './hosts.ts'
import { readVisitor } from '../scan-visitor.ts'
import { setSiteHeaders } from '../site-headers.ts'

type HostContext = Pick<ScanContext, 'hosts' | 'resolver' | 'trustedProxies'>

/**
 * Returns the domain that a request is for, or undefined for PUBLIC_URL. Only a trusted proxy may
 * say which host it was asked for.
 */
export function hostOf(request: IncomingMessage, context: HostContext): Host | undefined {
  const { hosts, resolver } = context
  const named = namedHost(request, context)
  if (hosts.isPublic(named)) return undefined
  // A domain that was just proved or deleted counts from now on.
  resolver.readChanges()
  return hosts.find(named)
}

/**
 * Returns a promise if a request is for a domain that may have changed unseen, and undefined
 * otherwise. It ends soon, also while the catalogue is away.
 */
export function hostsSettled(request: IncomingMessage, context: HostContext): Promise<void> | undefined {
  const { hosts, resolver } = context
  return hosts.isPublic(namedHost(request, context)) ? undefined : resolver.settle()
}

function namedHost({ headers, socket }: IncomingMessage, { trustedProxies }: HostContext): string {
  const forwarded = headers['x-forwarded-host']
  const isForwarded =
    forwarded !== undefined &&
    trustedProxies !== undefined &&
    isTrusted(addressTrail(socket.remoteAddress, undefined, trustedProxies)[0] ?? '', trustedProxies)
  return isForwarded ? (String(forwarded).split(',', 1)[0] ?? '').trim() : (headers.host ?? '')
}

/** Paths that every host answers besides its codes. */
const sitePath = /^\/(?:robots\.txt|favicon\.ico|\.well-known\/.*)$/

/**
 * Answers a request for a domain: its codes, and what browsers and crawlers ask of every host. It
 * has no API and no dashboard.
 */
export function answerOnHost(
  context: ScanContext,
  host: Host,
  visit: Visit,
  passOn: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const { request, response } = visit
  const url = request.url ?? '/'
  const isExact = host.codes === 'exact'
  const asked = host.isServed && !isExact ? codeOf(url) : undefined
  if (asked !== undefined) return handleScan(context, onHost(asked, host), visit)
  const path = url.split('?', 1)[0] ?? ''
  const [first, ...others] = host.isServed && isExact && !sitePath.test(path) ? exactCodesOf(url) : []
  if (first !== undefined) {
    const candidates = [onHost(first, host), ...others.map((one) => onHost(one, host))] as const
    return useFirstKnown(context.resolver, candidates, (code) => handleScan(context, code, visit))
  }
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (isRead && sitePath.test(path)) {
    setSiteHeaders(response, context.siteHeaders)
    return passOn(request, response)
  }
  request.resume()
  const { language } = readVisitor(request.headers)
  if (!isRead) return send(context, visit, sentNotice('method', language))
  const isRoot = path === '/' && host.isServed
  const leadsTo = isRoot ? host.rootUrl : host.notFoundUrl
  const redirect = leadsTo === null ? undefined : redirectReply(leadsTo, context)
  send(context, visit, redirect ?? sentNotice(isRoot ? 'home' : 'unknown', language))
}

function onHost({ code, asked }: Pick<AskedCode, 'code' | 'asked'>, host: Host): AskedCode {
  return { code: `${host.hostname}/${code}`, asked, host }
}
