import type { IncomingMessage } from 'node:http'
import {
  closedPage,
  passwordPage,
  titlePage,
  type Closing,
  type Refusal,
} from '@everscan/pages/access-pages.ts'
import type { Page } from '@everscan/pages/page.ts'
import { sentPage } from '../../files/sent-pages.ts'
import type { RecentCache } from '../recent-cache.ts'
import { readVisitor } from '../scan-visitor.ts'
import type { PageReply } from '../scan-answer.ts'
import type { VisitorSources } from '../../visitors/visitor-sources.ts'
import { memoryKey } from '../visitors/identified-visitor.ts'
import { closingAt, type CodeGuard, type KnownLimit } from './guarded-code.ts'
import { PasswordForm, type PasswordGate } from './password-form.ts'
import type { ScanLimits } from './scan-limits.ts'

/** The parts that guards of codes need. */
export type GuardContext = {
  limits: ScanLimits
  gate: PasswordGate
  sources: VisitorSources
  /**
   * When visitors last got an answer of a code with a limit, in milliseconds since 1970: see
   * `memoryKey`.
   */
  answered: RecentCache<number>
}

/** So long after its page, the contact of a code is not another answer for the same visitor. */
const contactMs = 10 * 60_000

/** A request for a code that something stands before. */
export type GuardedVisit = {
  request: IncomingMessage
  /** The page of the code, or the contact that it contains as a file. */
  asked: 'scan' | 'contact'
  /** Whether the code has what is asked for: only contacts have a file. */
  isThere: boolean
  /** The visitor hash. */
  visitor: string
  /** Client address; empty if it is unknown. */
  address: string
  userAgent: string
  /** The flags of `scanHints`. */
  hints: number
}

/** The answer to a visitor who stands before a code. */
export type GuardDecision =
  /** The content. After a password, the answer to a POST. */
  | { kind: 'open'; byPassword: boolean }
  /** A page or redirect in place of it. `isCounted`: it counts as a closed hit. */
  | { kind: 'closed'; reply: PageReply; isCounted: boolean }
  /** A page for programs, which is a hit of the code. */
  | { kind: 'title'; reply: PageReply }
  /** The request has no answer here: only codes with a password take a POST. */
  | { kind: 'method' }

/**
 * Decides what a visitor gets: schedule, then password, then limit. Only a limit waits for the
 * catalogue, and only a password for its slow check.
 */
export async function guard(
  { gate, ...context }: GuardContext,
  code: CodeGuard,
  visit: GuardedVisit,
): Promise<GuardDecision> {
  const { request } = visit
  const isPost = request.method === 'POST'
  if (isPost && code.passwordHash === undefined) return { kind: 'method' }
  const closing = closingAt(code, Date.now())
  if (closing !== undefined) return closed(code, closing, visit)
  const { limit, passwordHash } = code
  if (passwordHash !== undefined) {
    if (limit !== undefined && !isPost && (await context.limits.peek(limit)) === 'full')
      return closed(code, 'FULL', visit)
    const form = await new PasswordForm(gate, visit).check(code, passwordHash)
    if (form !== 'right') return { kind: 'closed', reply: formReply(code, form, visit), isCounted: !isPost }
  }
  if (limit === undefined) return { kind: 'open', byPassword: isPost }
  return takeOne(context, { code, limit }, visit)
}

async function takeOne(
  { limits, sources, answered }: Omit<GuardContext, 'gate'>,
  { code, limit }: { code: CodeGuard; limit: KnownLimit },
  visit: GuardedVisit,
): Promise<GuardDecision> {
  if (!visit.isThere) {
    if ((await limits.peek(limit)) === 'full') return closed(code, 'FULL', visit)
    return { kind: 'open', byPassword: visit.request.method === 'POST' }
  }
  const { people } = (await sources.require(['people'], '')) ?? sources.loaded
  const isPerson = people?.(visit.userAgent, visit.hints) ?? true
  const nowMs = Date.now()
  const key = memoryKey(code, visit.visitor)
  const isSame = visit.asked === 'contact' && (answered.get(key) ?? 0) > nowMs - contactMs
  const isHead = visit.request.method === 'HEAD'
  if (!isSame && (isHead || !isPerson)) {
    // They take no answer, and see that none is left.
    if ((await limits.peek(limit)) === 'full') return closed(code, 'FULL', visit)
    return { kind: 'title', reply: rendered(titlePage(code.shown, languageOf(visit))) }
  }
  if (!isSame && (await limits.take(limit)) === 'full') return closed(code, 'FULL', visit)
  if (!isHead) answered.set(key, nowMs)
  return { kind: 'open', byPassword: visit.request.method === 'POST' }
}

function closed(code: CodeGuard, closing: Closing, visit: GuardedVisit): GuardDecision {
  const { closedLocation, message, shown } = code
  if (closedLocation !== undefined) {
    const status = visit.request.method === 'POST' ? 303 : 302
    const headers = ['Location', closedLocation, 'Cache-Control', 'private, no-store', 'Content-Length', '0']
    return { kind: 'closed', reply: { status, headers }, isCounted: true }
  }
  const page = closedPage(shown, { closing, message, language: languageOf(visit) })
  return { kind: 'closed', reply: rendered(page), isCounted: true }
}

function formReply(
  { shown }: CodeGuard,
  form: { refusal?: Refusal | undefined; retryAfterSeconds?: number | undefined },
  visit: GuardedVisit,
): PageReply {
  return rendered(passwordPage(shown, { ...form, language: languageOf(visit) }))
}

function languageOf({ request }: GuardedVisit) {
  return readVisitor(request.headers).language
}

function rendered(page: Page): PageReply {
  return sentPage(page)
}
