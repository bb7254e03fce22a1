import { analyticsCalls, type Analytics } from './analytics.ts'
import { apiKeyCalls, type ApiKeys } from './api-keys.ts'
import { authCalls, type Auth } from './auth.ts'
import { auditLogCalls, type AuditLog } from './audit-log.ts'
import { batchCalls, type Batches } from './batches.ts'
import { binCalls, type Bin } from './bin.ts'
import { eventCalls, type Events } from './events.ts'
import { folderCalls, type Folders } from './folders.ts'
import { styleCalls, type Styles } from './styles.ts'
import { importCalls, type Imports } from './imports.ts'
import { invitationCalls, type Invitations } from './invitations.ts'
import { memberCalls, type Members } from './members.ts'
import { meCalls, type Me } from './me.ts'
import { moveCalls, type Moves } from './moves.ts'
import { organizationCalls, type Organizations } from './organizations.ts'
import { qrCodeCalls, type QrCodes } from './qr-codes.ts'
import { tagCalls, type Tags } from './tags.ts'
import { domainCalls, type Domains } from './domains.ts'
import { utmTemplateCalls, type UtmTemplates } from './utm-templates.ts'
import { scanCalls, type Scans } from './scans.ts'
import { createSend, createSendStreamed, type FailedCall } from './send.ts'
import { viewCalls, type Views } from './views.ts'
import { webhookCalls, type Webhooks } from './webhooks.ts'

// The whole public API of the package: everything that an `import` of it provides.
export * from './errors.ts'
export { iterate, type AnyPage, type PageOf } from './iterate.ts'
export { etagOf } from './qr-codes.ts'
export { readAll, toReadableStream, type StreamedFile } from './streamed-files.ts'
export { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './verify-webhook.ts'
export type { Analytics } from './analytics.ts'
export type { ApiKeys } from './api-keys.ts'
export type { AuditLog } from './audit-log.ts'
export type { Auth } from './auth.ts'
export type {
  AnyCreateQrCode,
  BatchChange,
  BatchCreateOptions,
  Batches,
  BatchOptions,
  BatchResult,
  BatchResultWithEtags,
  BatchUpdates,
} from './batches.ts'
export type { Bin } from './bin.ts'
export type { Events, StreamOptions } from './events.ts'
export type { Folders } from './folders.ts'
export type { Styles } from './styles.ts'
export type { Imports, StartImport, StartImportOptions, WaitOptions } from './imports.ts'
export type { Invitations } from './invitations.ts'
export type { Me } from './me.ts'
export type { Members } from './members.ts'
export type { Moves, StartMove, WaitForMoveOptions } from './moves.ts'
export type { Organizations } from './organizations.ts'
export type {
  ChangeOptions,
  CreateOptions,
  Download,
  LabelSheet,
  QrCodes,
  TypedQrCodePage,
} from './qr-codes.ts'
export type { Scans } from './scans.ts'
export type { CallOptions, FailedCall } from './send.ts'
export type { Tags } from './tags.ts'
export type { Domains } from './domains.ts'
export type { UtmTemplates } from './utm-templates.ts'
export type { Views } from './views.ts'
export type { Webhooks } from './webhooks.ts'
export type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
export type {
  AnalyticsExportQuery,
  AnalyticsQuery,
  OrganizationAnalytics,
  QrCodeAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
  AnalyticsMatrix,
} from '@everscan/contract/resources/analytics.ts'
export type {
  CodeFigures,
  CodeFiguresPage,
  CodeFiguresQuery,
  CodeFiguresSort,
} from '@everscan/contract/resources/analytics-codes.ts'
export type { SelectionQuery } from '@everscan/contract/resources/analytics.ts'
export type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
} from '@everscan/contract/resources/api-keys.ts'
export type { AuditEntry, AuditLogPage, ListAuditLogQuery } from '@everscan/contract/resources/audit-log.ts'
export type { BatchClone, BatchDeleteResult, BatchError } from '@everscan/contract/resources/batches.ts'
export type { BinnedQrCode, BinPage, ListBinQuery } from '@everscan/contract/resources/bin.ts'
export type { AddressCheck, PublicAddress } from '@everscan/contract/resources/connections.ts'
export type { Connection } from '@everscan/contract/resources/connections.ts'
export type { Deleted } from '@everscan/contract/schema/common.ts'
export type {
  ImportJob,
  ImportJobPage,
  ImportJobSummary,
  ImportPreview,
  ImportRepairs,
  ImportRowError,
  ImportStatus,
  ListImportJobsQuery,
} from '@everscan/contract/resources/bulk-imports.ts'
export type { MoveField, MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
export type { ComparedLink, Comparison, StartComparison } from '@everscan/contract/moves/comparisons.ts'
export type {
  ListMovesQuery,
  Move,
  MovePage,
  MovePreviewLink,
  MoveSummary,
} from '@everscan/contract/moves/moves.ts'
export type { DownloadQuery } from '@everscan/contract/resources/downloads.ts'
export type { PageQuery, Pagination } from '@everscan/contract/schema/pages.ts'
export type { ErrorBody, ErrorCode, ErrorDetail } from '@everscan/contract/schema/errors.ts'
export type {
  CreateFolder,
  Folder,
  FolderPage,
  ListFoldersQuery,
  UpdateFolder,
} from '@everscan/contract/resources/folders.ts'
export type {
  AcceptedInvitation,
  AcceptInvitation,
  CreatedInvitation,
  CreateInvitation,
  Invitation,
  InvitationPage,
  InvitationQuestion,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
export type { FreeLabelGrid, PrintLabelSheet } from '@everscan/contract/resources/label-sheets.ts'
export type { Member, MemberPage } from '@everscan/contract/resources/members.ts'
export type {
  CreateOrganization,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
export type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
export type { Copy, Installation } from '@everscan/contract/resources/installation.ts'
export type { MailKind, MailSwitch, SentMailsPage } from '@everscan/contract/views/sent-mails.ts'
export type { QrCodeHistory, QrCodeVersion } from '@everscan/contract/resources/qr-code-history.ts'
export type { QrCodeDataByType, QrCodeType } from '@everscan/contract/code-types/code-types.ts'
export type {
  CreateQrCodeOf,
  DeletedQrCode,
  ListQrCodesQuery,
  QrCodeOf,
  TypedQrCode,
  TypedUpdateQrCode,
} from '@everscan/contract/resources/qr-codes.ts'
export type { ListScansQuery, Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
export type {
  CreateDomain,
  DeleteDomainQuery,
  DnsRecord,
  Domain,
  DomainPage,
  DomainStatus,
  UpdateDomain,
} from '@everscan/contract/domains/domains.ts'
export type { FormerCode, FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
export type {
  CreateUtmTemplate,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
} from '@everscan/contract/utm/utm-templates.ts'
export type {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
export type {
  AddedPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyPage,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@everscan/contract/resources/passkeys.ts'
export type { ConfirmSession } from '@everscan/contract/resources/confirmations.ts'
export type { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
export type { AccountEntry, AccountLogPage } from '@everscan/contract/resources/account-log.ts'
export type { Session, SessionPage, SignedIn, SignIn } from '@everscan/contract/resources/sessions.ts'
export type { SignedUp, SignUp } from '@everscan/contract/resources/sign-ups.ts'
export type { Style } from '@everscan/contract/resources/styles.ts'
export type { ListTagsQuery, TagPage, TagUse } from '@everscan/contract/resources/tags.ts'
export type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
export type { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
export type { Event, EventName, EventStreamQuery } from '@everscan/contract/resources/events.ts'
export type {
  CreateView,
  LeftViewMail,
  SharedView,
  UnlockedSharedView,
  UpdateView,
  View,
  ViewPage,
  ViewQuery,
} from '@everscan/contract/views/views.ts'
export type {
  CreateWebhook,
  ListWebhookDeliveriesQuery,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookWithSecret,
} from '@everscan/contract/resources/webhooks.ts'

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
  const send = createSend(sending)
  const sendStreamed = createSendStreamed(sending)
  return {
    organizations: organizationCalls(send, sendStreamed),
    qrCodes: qrCodeCalls(send),
    batches: batchCalls(send, sendStreamed),
    bin: binCalls(send),
    folders: folderCalls(send),
    styles: styleCalls(send),
    tags: tagCalls(send),
    utmTemplates: utmTemplateCalls(send),
    domains: domainCalls(send),
    analytics: analyticsCalls(send, sendStreamed),
    scans: scanCalls(send),
    imports: importCalls(send),
    moves: moveCalls(send),
    apiKeys: apiKeyCalls(send),
    members: memberCalls(send),
    invitations: invitationCalls(send),
    auditLog: auditLogCalls(send),
    auth: authCalls(send),
    me: meCalls(send),
    views: viewCalls(send),
    webhooks: webhookCalls(send),
    events: eventCalls(sendStreamed),
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
