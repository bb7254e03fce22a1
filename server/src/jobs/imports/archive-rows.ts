import type { Access, StoredAccess } from '@everscan/contract/access/access.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { HistoryField, LimitExcess } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import type { UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import type { MailInterval, ViewQuery } from '@everscan/contract/views/views.ts'
import type { FolderRow } from '../../catalogue/codes/folders.ts'
import type { QrCodeVersionRow } from '../../catalogue/codes/qr-code-history.ts'
import type { SavedStyleRow } from '../../catalogue/codes/saved-styles.ts'
import type { UtmTemplateRow } from '../../catalogue/codes/utm-templates.ts'
import type { ArchivedDomain } from '../../catalogue/domains/archived-domains.ts'
import { PasswordHash } from '../../catalogue/rows/password-hash.ts'
import type { Picture, QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { ArchivedView } from '../../catalogue/views/archived-views.ts'
import type { ArchivedWebhook } from '../../catalogue/webhooks/archived-webhooks.ts'

// The lines of an archive, which were checked before they were stored, and the rows that they
// become. Times are ISO 8601.

type Times = { createdAt: string; updatedAt: string }

const timesOf = ({ createdAt, updatedAt }: Times) => ({
  createdAtMs: Date.parse(createdAt),
  updatedAtMs: Date.parse(updatedAt),
})

export type FolderLine = Times & { id: string; name: string; parentId: string | null }

export function folderRow(organizationId: string, { id, name, parentId, ...times }: FolderLine): FolderRow {
  return { organizationId, id, parentId, name, ...timesOf(times) }
}

export type DomainLine = Times &
  Pick<ArchivedDomain, 'id' | 'hostname' | 'rootUrl' | 'notFoundUrl' | 'goneUrl' | 'isDefault'> & {
    codes?: CodeForm
  }

export function domainRow(organizationId: string, line: DomainLine): ArchivedDomain {
  // An archive of an earlier release has no form of codes.
  const { id, hostname, rootUrl, notFoundUrl, goneUrl, isDefault, codes = 'canonical' } = line
  const leads = { rootUrl, notFoundUrl, goneUrl }
  return { organizationId, id, hostname, ...leads, isDefault, codes, ...timesOf(line) }
}

export function styleRow(organizationId: string, line: SavedStyle): SavedStyleRow {
  const { id, name, style, isDefault } = line
  return { organizationId, id, name, style, isDefault, ...timesOf(line) }
}

export function templateRow(organizationId: string, line: UtmTemplate): UtmTemplateRow {
  const { id, name, source, medium, campaign, term, content } = line
  return { organizationId, id, name, source, medium, campaign, term, content, ...timesOf(line) }
}

/** A host name of codes, and how they are compared there. */
export type CodeHost = { hostname: string; codes?: CodeForm }

export type CodeLine = Omit<QrCode, 'access' | 'scansBefore'> & {
  /** Absent in an archive of an earlier release. */
  scansBefore?: number
  access: (Access & { passwordHash?: string }) | null
  formerRules?: Record<string, string>
  limitExcesses?: LimitExcess[]
  picture: Picture
  history: { version: number; changed: HistoryField[]; changedAt: string; changedBy: Actor }
}

/** Its scans are counted when they are imported. */
export function codeRow(
  organizationId: string,
  line: CodeLine,
  /** Host names of domains by id. */
  hosts: ReadonlyMap<string, CodeHost>,
): QrCodeRow {
  const { id, type, name, shortCode, data, rules, passQuery, style, metadata, status } = line
  // An archive of an earlier release has none.
  const domainId = line.domainId ?? null
  const { hostname: domain, codes } = hosts.get(domainId ?? '') ?? { hostname: '' }
  const { version, changed, changedAt, changedBy } = line.history
  const { hasPassword: _, scanCount = 0, passwordHash, ...access } = line.access ?? {}
  const stored: StoredAccess = access
  return {
    organizationId,
    id,
    type,
    name,
    shortCode,
    domainId,
    domain,
    codeKey: codeKey({ shortCode, domain, codes }),
    data,
    rules,
    formerRules: line.formerRules ?? {},
    passQuery,
    access: Object.keys(stored).length === 0 ? null : stored,
    hasPassword: passwordHash !== undefined,
    passwordHash: passwordHash === undefined ? null : new PasswordHash(passwordHash),
    scanCount,
    limitResets: 0,
    limitExcesses: (line.limitExcesses ?? [])
      .map(({ at, ...excess }) => ({ atMs: Date.parse(at), ...excess }))
      .toReversed(),
    style,
    metadata,
    status,
    folderId: line.folderId,
    tags: line.tags,
    picture: line.picture,
    scannability: line.scannability,
    scansBefore: line.scansBefore ?? 0,
    totalScans: 0,
    uniqueScans: 0,
    version: 1,
    history: { version, changed, changedAtMs: Date.parse(changedAt), changedBy },
    ...timesOf(line),
  }
}

export type VersionLine = Omit<QrCodeVersionRow, 'changedAtMs'> & { qrCodeId: string; changedAt: string }

export function versionRow({ changedAt, ...line }: VersionLine): QrCodeVersionRow & { qrCodeId: string } {
  return { ...line, changedAtMs: Date.parse(changedAt) }
}

export type ViewLine = Times & {
  id: string
  name: string
  query: ViewQuery
  mail: { to: string[]; every: MailInterval } | null
}

export function viewRow(
  organizationId: string,
  line: ViewLine,
  mailOf: (
    mail: { to: string[]; every: MailInterval },
    query: ViewQuery,
  ) => NonNullable<ArchivedView['mail']>,
): ArchivedView {
  const { id, name, query, mail } = line
  return { organizationId, id, name, query, mail: mail && mailOf(mail, query), ...timesOf(line) }
}

export type WebhookLine = Omit<ArchivedWebhook, 'organizationId' | 'createdAtMs'> & { createdAt: string }

export function webhookRow(
  organizationId: string,
  { id, url, events, description, batch, createdAt }: WebhookLine,
): ArchivedWebhook {
  return { organizationId, id, url, events, description, batch, createdAtMs: Date.parse(createdAt) }
}
