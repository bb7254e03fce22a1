import type { Visitor } from '@everscan/pages/page-content.ts'
import type { CodeGuard } from './access/guarded-code.ts'
import type { BrandStamp } from './brands.ts'
import type { VisitorFacts } from '../rules/visitor-facts.ts'
import type { SourceName } from '../visitors/visitor-sources.ts'

/** The answer to scans of a code, prepared once and kept in memory. */
export type ScanAnswer = {
  /** The same for every visitor, or created for a visitor. */
  reply: Reply | ((visitor: ScanVisitor) => Reply | Promise<Reply>)
  /**
   * Present if the hit is recorded: the code of the hit, and its ids in the form of the journal.
   * `isClosed`: its visitor found the code closed.
   */
  recorded?: { organizationId: string; qrCodeId: string; ids: Uint8Array; isClosed?: true }
  /**
   * The organization of a code on a domain: it is answered only while that organization has or had
   * the host name. Absent for codes of PUBLIC_URL, which cost nothing more.
   */
  owner?: string
  /** Whether the code was never assigned. */
  isUnknown?: true
  /** Whether it stands in place of the content, and so of the contact as well. */
  replacesContent?: true
  /** Whether the code is archived or deleted. */
  isGone?: true
  /** Returns the code's contact as a file, if it has one. */
  contactFile?: () => Reply
  /**
   * Whether the code was changed since: then the answer is only given while the catalogue is
   * unavailable.
   */
  isStale?: true
  /** The brand whose name and logo the answer contains, if any. */
  brand?: BrandStamp
  /** Present if something stands before the content: a schedule, a password, a limit. */
  access?: CodeGuard
  /** Present if another answer may take the place of this one, or the query reaches it. */
  ruled?: RuledAnswer
  /** The share of memory that it takes: a redirect is 1. */
  weight?: number
}

/** The answers of a code with rules, or whose query reaches the destination. */
export type RuledAnswer = {
  /** Must be loaded before `choose`: the rules ask them. */
  sources: readonly SourceName[]
  /** Whether a condition asks for earlier visits, so that this one must be remembered. */
  asksVisit: boolean
  /** Whether the answer depends on the visitor. */
  hasRules: boolean
  passesQuery: boolean
  choose: (visitor: VisitorFacts) => ScanAnswer
}

export type PageReply = { status: number; headers: readonly string[]; body?: Buffer }

/** A page, or a redirect, which has only a head: see prepared-head.ts. */
export type Reply = PageReply | { head: string }

/** The properties of a visitor that an answer may depend on. */
export type ScanVisitor = Visitor & { acceptsGzip: boolean }
