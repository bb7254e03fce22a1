import type { IncomingMessage, ServerResponse } from 'node:http'
import { guard, type GuardContext } from './access/guard.ts'
import type { CodeGuard } from './access/guarded-code.ts'
import { isRepeated, postedAnswer } from './access/posted-answer.ts'
import { scanHints } from '../journal/raw-scan.ts'
import type { Answer } from '../journal/answers.ts'
import type { Journal } from '../journal/journal.ts'
import type { Reply, RuledAnswer, ScanAnswer } from './scan-answer.ts'
import { networkOf } from '../address-networks.ts'
import {
  identifyVisitor,
  memoryKey,
  type IdentifiedVisitor,
  type IdentifyingContext,
} from './visitors/identified-visitor.ts'
import { writePreparedHead } from './prepared-head.ts'
import type { Host, Hosts } from './hosts/hosts.ts'
import type { Resolver } from './resolve.ts'
import type { ScanTimes } from './scan-times.ts'
import { readVisitor } from './scan-visitor.ts'
import { queryOf, ScanFacts } from './visitors/scan-facts.ts'
import { redirectReply } from './content-answer.ts'
import { goneAnswer } from './answer.ts'
import { passQuery } from './ruled-answer.ts'
import type { RecentCache } from './recent-cache.ts'
import type { LoadedSources, VisitorSources } from '../visitors/visitor-sources.ts'
import { sentNotice } from '../files/sent-pages.ts'
import type { SiteHeaders } from './site-headers.ts'

export type ScanContext = GuardContext &
  IdentifyingContext & {
    resolver: Resolver
    journal: Journal
    times: ScanTimes
    /** Tell rules about visitors. */
    sources: VisitorSources
    /** Visitors of codes with rules that ask for earlier visits: see `memoryKey`. */
    visits: RecentCache<true>
    /** When visitors last entered a password, in milliseconds since 1970: see `memoryKey`. */
    posted: RecentCache<number>
    siteHeaders: SiteHeaders
    /** The host names that are domains. */
    hosts: Hosts
    /** PUBLIC_URL's host, with its port if that is not the default. */
    publicHost: string
  }

/** A request for a short URL, its response, when it began, and its visitor once known. */
export type Visit = {
  request: IncomingMessage
  response: ServerResponse
  fromMs: number
  identified: IdentifiedVisitor | undefined
}

/** The requested resource of a code: its short URL, or the contact that it contains as a file. */
export type Asked = 'scan' | 'contact'

/** The status of prepared heads: only redirects have one. */
const redirected = 302

/** The code that a request asks for by its key, on a domain or below PUBLIC_URL. */
export type AskedCode = { code: string; asked: Asked; host?: Host }

/**
 * Handles a GET or HEAD of a code: looks it up, records the hit, answers. This is the one path that
 * must never be slow.
 */
export function handleScan(context: ScanContext, { code, asked, host }: AskedCode, visit: Visit): void {
  const { request } = visit
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') return refuseMethod(context, visit)
  const found = context.resolver.resolve(code)
  const answer = host === undefined || found instanceof Promise ? found : answerOf(context, found, host)
  // Nearly every scan. It allocates nothing that other answers need.
  if (
    !(answer instanceof Promise) &&
    answer.ruled === undefined &&
    answer.access === undefined &&
    asked === 'scan' &&
    method !== 'POST'
  )
    return answerScan(context, answer, visit)
  if (!(answer instanceof Promise)) return answerFound(context, { answer, asked }, visit)
  answer.then(
    (late) => {
      const onHost = host === undefined ? late : answerOf(context, late, host)
      answerFound(context, { answer: onHost, asked }, visit)
    },
    () => send(context, visit, sentNotice('later', readVisitor(request.headers).language)),
  )
}

/**
 * Returns the answer of a code on a domain, which may lead elsewhere instead of to our pages. A
 * host name answers only for organizations that have proved it, and for a former owner until the
 * end of a notice.
 */
function answerOf(context: ScanContext, found: ScanAnswer, host: Host): ScanAnswer {
  const answer = found.owner === undefined || answersFor(found.owner, host) ? found : goneAnswer
  const leadsTo = answer.isUnknown === true ? host.notFoundUrl : answer.isGone === true ? host.goneUrl : null
  const reply = leadsTo === null ? undefined : redirectReply(leadsTo, context)
  return reply === undefined ? answer : { isElsewhere: true, reply }
}

function answersFor(owner: string, { owners, ends }: Host): boolean {
  return owners.has(owner) && (ends.size === 0 || Date.now() < (ends.get(owner) ?? Infinity))
}

/** The answer of a code, and which part of it is requested. */
type AskedAnswer = { answer: ScanAnswer; asked: Asked }

/** Only a code with a password takes a POST. */
function answerFound(context: ScanContext, found: AskedAnswer, visit: Visit): void {
  const isRefused = visit.request.method === 'POST' && found.answer.access === undefined
  if (isRefused) refuseMethod(context, visit)
  else answerAsked(context, found, visit)
}

function refuseMethod(context: ScanContext, visit: Visit): void {
  const { request } = visit
  request.resume()
  send(context, visit, sentNotice('method', readVisitor(request.headers).language))
}

/** Answers for a code that is not always open, for everybody. */
function answerGuarded(
  context: ScanContext,
  { answer, asked, access }: AskedAnswer & { access: CodeGuard },
  visit: Visit,
): void {
  const { request } = visit
  const { posted } = context
  const { headers, address, visitor } = identifyVisitor(context, visit, access.qrCodeId)
  const { userAgent, hints } = headers
  const { access: _, ...open } = answer
  const isThere = asked === 'scan' || open.contactFile !== undefined
  guard(context, access, { request, asked, isThere, visitor, address, userAgent, hints })
    .then((decision) => {
      switch (decision.kind) {
        case 'method':
          return refuseMethod(context, visit)
        case 'title':
          return sendRecorded(context, { recorded: open.recorded, reply: decision.reply }, visit)
        case 'closed': {
          const isCounted = decision.isCounted && asked === 'scan' && request.method === 'GET'
          const counted = { recorded: isCounted ? open.recorded : undefined, isClosed: true }
          return sendRecorded(context, { ...counted, reply: decision.reply }, visit)
        }
        case 'open': {
          const found = decision.byPassword
            ? postedAnswer(open, isRepeated(posted, memoryKey(access, visitor)))
            : open
          return answerAsked(context, { answer: found, asked }, visit)
        }
        default:
          return decision satisfies never
      }
    })
    .catch(() => visit.response.destroy())
}

function answerAsked(context: ScanContext, { answer, asked }: AskedAnswer, visit: Visit): void {
  const { ruled, access } = answer
  if (access !== undefined) return answerGuarded(context, { answer, asked, access }, visit)
  if (ruled !== undefined) return answerRuled(context, { answer, asked, ruled }, visit)
  if (asked === 'scan') answerScan(context, answer, visit)
  else answerContact(context, answer, visit)
}

/** Answers for a code with rules: the one branch that depends on the visitor. */
function answerRuled(
  context: ScanContext,
  { answer, asked, ruled }: AskedAnswer & { ruled: RuledAnswer },
  visit: Visit,
): void {
  const choose = (sources: LoadedSources): void => {
    const chosen = ruled.hasRules ? chooseAnswer(context, { answer, asked, ruled, sources }, visit) : answer
    const query = ruled.passesQuery ? queryOf(visit.request) : ''
    const { ruled: _, ...final } = query === '' ? chosen : passQuery(chosen, query)
    answerAsked(context, { answer: final, asked }, visit)
  }
  const { sources } = context
  if (ruled.sources.length === 0) return choose(sources.loaded)
  const { address } = identifyVisitor(context, visit, answer.recorded?.qrCodeId ?? '')
  const loading = sources.require(ruled.sources, networkOf(address))
  if (loading === undefined) return choose(sources.loaded)
  loading.then(choose).catch(() => visit.response.destroy())
}

function chooseAnswer(
  context: ScanContext,
  { answer, asked, ruled, sources }: AskedAnswer & { ruled: RuledAnswer; sources: LoadedSources },
  visit: Visit,
): ScanAnswer {
  const { visits } = context
  const { request } = visit
  const { organizationId, qrCodeId } = answer.recorded ?? { organizationId: '', qrCodeId: '' }
  const { headers, address, visitor } = identifyVisitor(context, visit, qrCodeId)
  const { userAgent, app, hints } = headers
  const visitKey = memoryKey({ organizationId }, visitor)
  const parts = { request, address, userAgent, app, hints, visitor, visitKey, timeMs: Date.now() }
  const facts = new ScanFacts(parts, sources, visits)
  const chosen = ruled.choose(facts)
  if (ruled.asksVisit && asked === 'scan' && request.method === 'GET') visits.set(visitKey, true)
  return chosen
}

function answerScan(context: ScanContext, { recorded, reply: prepared }: ScanAnswer, visit: Visit): void {
  const reply = typeof prepared === 'function' ? prepared(readVisitor(visit.request.headers)) : prepared
  if (!(reply instanceof Promise)) return sendRecorded(context, { recorded, reply }, visit)
  reply.then(
    (ready) => sendRecorded(context, { recorded, reply: ready }, visit),
    () => visit.response.destroy(),
  )
}

/** Sends the answer when the scan is in the journal. */
function sendRecorded(
  context: ScanContext,
  {
    recorded,
    reply,
    isClosed = false,
  }: { recorded: ScanAnswer['recorded']; reply: Reply; isClosed?: boolean },
  visit: Visit,
): void {
  if (recorded === undefined || visit.request.method === 'HEAD') return send(context, visit, reply)
  const { qrCodeId, ids } = recorded
  const { headers, address, visitor } = identifyVisitor(context, visit, qrCodeId)
  const { userAgent, referrerHost, language, app } = headers
  const hints = isClosed ? headers.hints | scanHints.closed : headers.hints
  const network = networkOf(address)
  // A journal that cannot write counts the scan, and the answer is sent nevertheless.
  context.journal.append(
    { timeMs: Date.now(), ids, visitor, network, userAgent, referrerHost, language, app, hints },
    new SentWhenRecorded(context, visit, reply),
  )
}

/**
 * Answers with the contact of a code that is in use. Saving it is no scan, because the visitor was
 * counted with the page.
 */
function answerContact(context: ScanContext, answer: ScanAnswer, visit: Visit): void {
  const { isGone, isElsewhere, contactFile } = answer
  if (isElsewhere === true) return answerScan(context, answer, visit)
  if (contactFile !== undefined) return send(context, visit, contactFile())
  const { language } = readVisitor(visit.request.headers)
  // A code that is in use but has no contact is answered like an unknown one.
  send(context, visit, sentNotice(isGone ? 'gone' : 'unknown', language))
}

/**
 * A reply that is sent when its scan is recorded. An object instead of a closure saves one
 * allocation for each scan.
 */
class SentWhenRecorded implements Answer {
  readonly #context: ScanContext
  readonly #visit: Visit
  readonly #reply: Reply

  constructor(context: ScanContext, visit: Visit, reply: Reply) {
    this.#context = context
    this.#visit = visit
    this.#reply = reply
  }

  acknowledge(): void {
    send(this.#context, this.#visit, this.#reply)
  }
}

export function send({ times, siteHeaders }: ScanContext, { response, fromMs }: Visit, reply: Reply): void {
  if ('head' in reply) {
    writePreparedHead(response, reply.head)
    response.end()
    times.observe(redirected, performance.now() - fromMs)
    return
  }
  times.observe(reply.status, performance.now() - fromMs)
  response.writeHead(reply.status, [...reply.headers, ...siteHeaders])
  // Node itself omits the body if the request was a HEAD.
  response.end(reply.body)
}
