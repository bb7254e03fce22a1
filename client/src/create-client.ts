import { analyticsOf } from './calls/analytics.ts'
import { apiKeysOf } from './calls/api-keys.ts'
import { authOf } from './calls/auth.ts'
import { auditLogOf } from './calls/audit-log.ts'
import { batchCalls, type Batches } from './batches.ts'
import { binCalls, type Bin } from './bin.ts'
import { eventCalls, type Events } from './events.ts'
import { foldersOf } from './calls/folders.ts'
import { stylesOf } from './calls/styles.ts'
import { importCalls, type Imports } from './imports.ts'
import { invitationsOf } from './calls/invitations.ts'
import { memberCalls, type Members } from './members.ts'
import { meCalls, type Me } from './me.ts'
import { moveCalls, type Moves } from './moves.ts'
import { organizationCalls, type Organizations } from './organizations.ts'
import { qrCodeCalls, type QrCodes } from './qr-codes.ts'
import { tagsOf } from './calls/tags.ts'
import { domainsOf } from './calls/domains.ts'
import { utmTemplatesOf } from './calls/utm-templates.ts'
import { scanCalls, type Scans } from './scans.ts'
import { createSend, createSendStreamed, type FailedCall } from './send.ts'
import { viewCalls, type Views } from './views.ts'
import { webhooksOf } from './calls/webhooks.ts'

// The whole public API of the package: everything that an `import` of it provides.
export * from './errors.ts'
export { iterate, type AnyPage, type PageOf } from './iterate.ts'
export { etagOf, type ChangeOptions, type CreateOptions } from './calling.ts'
export { readAll, toReadableStream, type StreamedFile } from './streamed-files.ts'
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './verify-webhook.ts'
export type { BatchChange, BatchCreateOptions, Batches, BatchOptions, BatchUpdates } from './batches.ts'
export type { AnyCreateQrCode, BatchResult, BatchResultWithEtags, TypedQrCodePage } from './exact-types.ts'
export type { Bin } from './bin.ts'
export type { Events, StreamOptions } from './events.ts'
export type { Imports, StartImport, StartImportOptions, WaitOptions } from './imports.ts'
export type { Me } from './me.ts'
export type { Members } from './members.ts'
export type { Moves, StartMove, WaitForMoveOptions } from './moves.ts'
export type { Organizations } from './organizations.ts'
export type { Download, LabelSheet, QrCodes } from './qr-codes.ts'
export type { Scans } from './scans.ts'
export type { CallOptions, FailedCall } from './send.ts'
export type { Views } from './views.ts'
export type * from './calls/types.ts'
export type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
export type { AnalyticsMatrix, SelectionQuery } from '@everscan/contract/resources/analytics.ts'
export type { CodeFigures, CodeFiguresSort } from '@everscan/contract/resources/analytics-codes.ts'
export type { BatchError } from '@everscan/contract/resources/batches.ts'
export type {
  ImportPreview,
  ImportRepairs,
  ImportRowError,
  ImportStatus,
} from '@everscan/contract/resources/bulk-imports.ts'
export type { MoveField, MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
export type { ComparedLink } from '@everscan/contract/moves/comparisons.ts'
export type { MovePreviewLink } from '@everscan/contract/moves/moves.ts'
export type { DownloadQuery } from '@everscan/contract/resources/downloads.ts'
export type { Pagination } from '@everscan/contract/schema/pages.ts'
export type { ErrorBody, ErrorCode, ErrorDetail } from '@everscan/contract/schema/errors.ts'
export type { FreeLabelGrid, PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
export type { Copy } from '@everscan/contract/resources/installation.ts'
export type { MailKind } from '@everscan/contract/views/sent-mails.ts'
export type { QrCodeVersion } from '@everscan/contract/resources/qr-code-history.ts'
export type { QrCodeDataByType, QrCodeType } from '@everscan/contract/code-types/code-types.ts'
export type {
  CreateQrCodeOf,
  QrCodeOf,
  TypedQrCode,
  TypedUpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
export type { DnsRecord, DomainStatus } from '@everscan/contract/domains/domains.ts'
export type { FormerCode } from '@everscan/contract/domains/former-codes.ts'
export type { PasskeyAssertion, PasskeyRegistration } from '@everscan/contract/resources/passkeys.ts'
export type { AccountEntry } from '@everscan/contract/resources/account-log.ts'
export type { Session } from '@everscan/contract/resources/sessions.ts'
export type { Style } from '@everscan/contract/resources/styles.ts'
export type { Event, EventName, EventStreamQuery } from '@everscan/contract/resources/events.ts'
export type { UpdateView, ViewQuery } from '@everscan/contract/views/views.ts'

export type ClientSettings = {
  /** The address of the service, like `https://qr.example.com`. */
  baseUrl: string
  /**
   * The value of an API key. Use it in server-side code only: a key in a browser or an app is
   * public. Without a key, calls use the session of the page that makes them, which must be a page
   * of the service.
   */
  apiKey?: string
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /**
   * The timeout of one attempt, including its body. Default: 30,000. A file adds a second for each
   * 16 KiB, the least rate at which the service takes it.
   */
  timeoutMs?: number
  /** The maximum number of retries after a transient failure. Default: 2; 0 never retries. */
  retries?: number
  /**
   * Called when a call failed after all retries. If it resolves, the call is sent again, with the
   * same body and headers. If it rejects, the call rejects with that error. No timeout applies
   * while it waits, so a page can ask the user to sign in again. Called at most once for each
   * status of a call.
   */
  onFailure?: (failed: FailedCall) => Promise<void>
}

/** Analytics of an organization's scans, and the scans of a code as a file. */
export type Analytics = ReturnType<typeof analyticsOf>

/**
 * API keys of an organization. The calls need a key with role ADMIN and, if it has scopes, the
 * scope `admin`.
 */
export type ApiKeys = ReturnType<typeof apiKeysOf>

/** The changes in an organization and their actors. The calls need a key with role ADMIN. */
export type AuditLog = ReturnType<typeof auditLogOf>

/** Sign-in for a client in a browser, without a key. Pages cannot read the session's cookie. */
export type Auth = ReturnType<typeof authOf>

/** Folders of an organization. They nest one level. */
export type Folders = ReturnType<typeof foldersOf>

/** Named styles of an organization, for `styleId`. */
export type Styles = ReturnType<typeof stylesOf>

/** Invitations to an organization. The calls need a key with role ADMIN. */
export type Invitations = ReturnType<typeof invitationsOf>

/** Tags of the codes of an organization. */
export type Tags = ReturnType<typeof tagsOf>

/** The domains of an organization. */
export type Domains = ReturnType<typeof domainsOf>

/** UTM parameters of an organization, by name. */
export type UtmTemplates = ReturnType<typeof utmTemplatesOf>

/** Webhooks of an organization. The calls need a key with role ADMIN. */
export type Webhooks = ReturnType<typeof webhooksOf>

/** The service, as functions. */
export type Client = {
  organizations: Organizations
  qrCodes: QrCodes
  batches: Batches
  bin: Bin
  folders: Folders
  styles: Styles
  tags: Tags
  utmTemplates: UtmTemplates
  domains: Domains
  analytics: Analytics
  scans: Scans
  imports: Imports
  moves: Moves
  apiKeys: ApiKeys
  members: Members
  invitations: Invitations
  auditLog: AuditLog
  auth: Auth
  me: Me
  views: Views
  webhooks: Webhooks
  events: Events
}

/**
 * Creates a client of an Everscan service. Every call rejects with an `EverscanError`, with the
 * reason of the caller's own `signal`, or with a `TypeError` for an invalid id. Throws a
 * `TypeError` for invalid settings.
 *
 * @example
 * const everscan = createClient({ baseUrl: 'https://qr.example.com', apiKey: 'evs_…' })
 * const [organization] = await everscan.organizations.listMine()
 * const code = await everscan.qrCodes.create(organization.id, {
 *   type: 'URL',
 *   name: 'Spring poster',
 *   data: { url: 'https://example.com/spring' },
 * })
 */
export function createClient(settings: ClientSettings): Client {
  const { apiKey, fetch = globalThis.fetch, timeoutMs = 30_000, retries = 2, onFailure } = settings
  // A key that is present but empty, such as an unset variable, was meant to be a key.
  if ('apiKey' in settings && (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))) {
    throw new TypeError('"apiKey" must be the value of an API key, like "evs_…".')
  }
  if (!(timeoutMs > 0)) throw new TypeError(`"timeoutMs" must be greater than 0, got ${timeoutMs}.`)
  if (!Number.isInteger(retries) || retries < 0) {
    throw new TypeError(`"retries" must be a whole number of at least 0, got ${retries}.`)
  }
  const sending = { baseUrl: baseUrlOf(settings.baseUrl), apiKey, fetch, timeoutMs, retries, onFailure }
  const service = { send: createSend(sending), sendStreamed: createSendStreamed(sending) }
  return {
    organizations: organizationCalls(service),
    qrCodes: qrCodeCalls(service),
    batches: batchCalls(service),
    bin: binCalls(service),
    folders: foldersOf(service),
    styles: stylesOf(service),
    tags: tagsOf(service),
    utmTemplates: utmTemplatesOf(service),
    domains: domainsOf(service),
    analytics: analyticsOf(service),
    scans: scanCalls(service),
    imports: importCalls(service),
    moves: moveCalls(service),
    apiKeys: apiKeysOf(service),
    members: memberCalls(service),
    invitations: invitationsOf(service),
    auditLog: auditLogOf(service),
    auth: authOf(service),
    me: meCalls(service),
    views: viewCalls(service),
    webhooks: webhooksOf(service),
    events: eventCalls(service),
  }
}

/** Returns the address of the service without trailing slashes and the prefix of the API. */
function baseUrlOf(text: string): string {
  const problem = `"baseUrl" must be the address of the service, like "https://qr.example.com", got "${text}".`
  if (!URL.canParse(text)) throw new TypeError(problem)
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) throw new TypeError(problem)
  return (url.origin + url.pathname).replace(/\/+$/, '').replace(/\/api\/v1$/, '')
}
