import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { HistoryField } from '@everscan/contract/resources/qr-code-history.ts'
import type { StoredAccess } from '@everscan/contract/access/access.ts'
import type { Rule } from '@everscan/contract/rules/rules.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { Metadata, QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import type { Scannability, Style } from '@everscan/contract/resources/styles.ts'
import type { StoredExcess } from '../../db/scans/limit-excesses.ts'
import type { PasswordHash } from './password-hash.ts'

/** The parameters of a code's picture, stored so that it never changes. */
export type Picture = {
  /** QR version, 1 to 40. */
  version: number
  /** QR mask, 0 to 7. */
  mask: number
}

/** A version of a code in its history: what changed, when and by whom. */
export type VersionMark = {
  /** From 1, without gaps. */
  version: number
  changed: readonly HistoryField[]
  changedAtMs: number
  changedBy: Actor
}

/** A result of an earlier release has warnings without names. */
type LaterFields = 'minPrintDetails' | 'warningDetails'
type StoredScannability = Omit<Scannability, LaterFields> & Partial<Pick<Scannability, LaterFields>>

/** A stored code; the API adds what depends on the public URL. */
export type QrCodeRow = {
  organizationId: string
  id: string
  type: QrCodeType
  name: string
  shortCode: string
  /** Null: the code is below PUBLIC_URL. */
  domainId: string | null
  /** The host name of its own domain; empty for PUBLIC_URL. It outlives the domain. */
  domain: string
  /** By which it is looked up: see `codeKey`. */
  codeKey: string
  data: Record<string, unknown>
  rules: Rule[]
  /** The last names of rules that are gone, by id: at most `limits.formerRulesMax`. */
  formerRules: Readonly<Record<string, string>>
  passQuery: boolean
  /** Null: always open, for everybody. */
  access: StoredAccess | null
  hasPassword: boolean
  /** Null without a password. JSON never contains it. */
  passwordHash: PasswordHash | null
  /** Answers to people since the limit was set; 0 without a limit. */
  scanCount: number
  /** How often the count began anew. */
  limitResets: number
  /** Answers that were given without the count: the newest ones, oldest first. */
  limitExcesses: readonly StoredExcess[]
  style: Style
  metadata: Metadata
  status: QrCodeStatus
  folderId: string | null
  tags: string[]
  picture: Picture
  /**
   * The result of reading the picture back; null for a code from an older release, which made no
   * check.
   */
  scannability: StoredScannability | null
  /** Clicks that another product counted before the code moved here; in no figure. */
  scansBefore: number
  totalScans: number
  uniqueScans: number
  /** Counts changes from 1; scans do not count. */
  version: number
  /** The history version of the current content. */
  history: VersionMark
  createdAtMs: number
  updatedAtMs: number
}

/** A deleted code that can be restored. */
export type BinnedQrCodeRow = {
  /** As it was when it was deleted. */
  code: QrCodeRow
  deletedAtMs: number
  deletedBy: Actor
  restorableUntilMs: number
}
