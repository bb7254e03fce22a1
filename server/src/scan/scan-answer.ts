import type { Visitor } from '@everscan/pages/page-content.ts'
import type { BrandStamp } from './brands.ts'

/** What a scan of a code gets, prepared once and kept in memory. */
export type ScanAnswer = {
  /** The same for everybody, or made for a visitor. */
  reply: Reply | ((visitor: ScanVisitor) => Reply | Promise<Reply>)
  /** Set when the hit is recorded: whose it is, also as the journal takes it. */
  recorded?: { qrCodeId: string; ids: Uint8Array }
  /** Archived or deleted. */
  isGone?: true
  /** The code's contact as a file, for a code that has one. */
  contactFile?: () => Reply
  /** The code was changed since: given only while the catalogue is away. */
  isStale?: true
  /** Whose name and logo are in it; absent where they are not. */
  brand?: BrandStamp
  /** How much of the memory it takes: a redirect is 1. */
  weight?: number
}

export type PageReply = { status: number; headers: readonly string[]; body?: Buffer }

/** A page, or a redirect, which has nothing but its head: see prepared-head.ts. */
export type Reply = PageReply | { head: string }

/** What an answer may depend on. */
export type ScanVisitor = Visitor & { acceptsGzip: boolean }
