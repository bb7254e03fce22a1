// `npm run generate` writes this file from the table of endpoints.
export type {
  CreateOrganization,
  ExportQuery,
  LeftOrganization,
  MyOrganizations,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
export type { ArchiveImport } from '@everscan/contract/archives/archive-imports.ts'
export type {
  AddressCheck,
  Connection,
  PublicAddress,
  UpdatePublicAddress,
} from '@everscan/contract/resources/connections.ts'
export type { Installation } from '@everscan/contract/resources/installation.ts'
export type {
  ListSentMailsQuery,
  MailSwitch,
  SentMailsPage,
  SwitchMails,
} from '@everscan/contract/views/sent-mails.ts'
export type { ChangePassword, UpdateUser, User } from '@everscan/contract/resources/users.ts'
export type {
  EndedSessions,
  SessionPage,
  SignIn,
  SignedIn,
  SignedOut,
} from '@everscan/contract/resources/sessions.ts'
export type {
  ConfirmEmail,
  RequestedEmailConfirmation,
} from '@everscan/contract/resources/email-confirmations.ts'
export type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
export type { PageQuery } from '@everscan/contract/schema/pages.ts'
export type { Deleted } from '@everscan/contract/schema/common.ts'
export type { ConfirmSession, ConfirmedSession } from '@everscan/contract/resources/confirmations.ts'
export type {
  AddPasskey,
  AddedPasskey,
  BeginPasskey,
  Passkey,
  PasskeyCreationOptions,
  PasskeyPage,
  PasskeyRequestOptions,
  PasskeySignIn,
  RenamePasskey,
} from '@everscan/contract/resources/passkeys.ts'
export type {
  BeginTwoFactor,
  BegunTwoFactor,
  ConfirmTwoFactor,
  EndTwoFactor,
  RecoveryCodes,
} from '@everscan/contract/resources/two-factor.ts'
export type {
  DeleteQrCodeQuery,
  DeletedQrCode,
  ListQrCodesQuery,
} from '@everscan/contract/resources/qr-codes.ts'
export type { QrCodeHistory, RollbackQrCode } from '@everscan/contract/resources/qr-code-history.ts'
export type {
  ReplayRules,
  RulesReplay,
  SimulateRules,
  SimulatedAnswer,
} from '@everscan/contract/rules/rule-trials.ts'
export type {
  AnalyticsExportQuery,
  AnalyticsQuery,
  OrganizationAnalytics,
  OrganizationAnalyticsQuery,
  OrganizationExportQuery,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
export type {
  BatchClone,
  BatchDelete,
  BatchDeleteQuery,
  BatchDeleteResult,
  BatchDownload,
  BatchQuery,
  BatchReadQuery,
} from '@everscan/contract/resources/batches.ts'
export type {
  BinPage,
  BinnedQrCode,
  ListBinQuery,
  PurgeQuery,
  RestoreQrCodes,
} from '@everscan/contract/resources/bin.ts'
export type { CodeFiguresPage, CodeFiguresQuery } from '@everscan/contract/resources/analytics-codes.ts'
export type {
  CreateFolder,
  Folder,
  FolderPage,
  ListFoldersQuery,
  UpdateFolder,
} from '@everscan/contract/resources/folders.ts'
export type {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
export type {
  CreateDomain,
  DeleteDomainQuery,
  Domain,
  DomainPage,
  UpdateDomain,
} from '@everscan/contract/domains/domains.ts'
export type { FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
export type {
  CreateUtmTemplate,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
} from '@everscan/contract/utm/utm-templates.ts'
export type { ListTagsQuery, TagPage, TagUse } from '@everscan/contract/resources/tags.ts'
export type { ListScansQuery, Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
export type {
  ImportJob,
  ImportJobPage,
  ImportJobSummary,
  ImportSampleQuery,
  ListImportJobsQuery,
} from '@everscan/contract/resources/bulk-imports.ts'
export type { ListMovesQuery, Move, MovePage, MoveSummary } from '@everscan/contract/moves/moves.ts'
export type { Comparison, StartComparison } from '@everscan/contract/moves/comparisons.ts'
export type {
  ApiKey,
  ApiKeyPage,
  CreateApiKey,
  CreatedApiKey,
} from '@everscan/contract/resources/api-keys.ts'
export type { Member, MemberPage, UpdateMember } from '@everscan/contract/resources/members.ts'
export type {
  ConfirmPasswordReset,
  ConfirmedPasswordReset,
  CreatedPasswordReset,
  RequestPasswordReset,
  RequestedPasswordReset,
} from '@everscan/contract/resources/password-resets.ts'
export type {
  AcceptInvitation,
  AcceptedInvitation,
  CreateInvitation,
  CreatedInvitation,
  Invitation,
  InvitationPage,
  InvitationQuestion,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
export type { AuditEntry, AuditLogPage, ListAuditLogQuery } from '@everscan/contract/resources/audit-log.ts'
export type { SignInOptions } from '@everscan/contract/resources/sign-in-options.ts'
export type {
  ConfirmSignUp,
  ConfirmedSignUp,
  SignUp,
  SignedUp,
} from '@everscan/contract/resources/sign-ups.ts'
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
export type {
  CreateView,
  LeaveViewMail,
  LeftViewMail,
  SharedView,
  UnlockSharedView,
  UnlockedSharedView,
  View,
  ViewPage,
} from '@everscan/contract/views/views.ts'
