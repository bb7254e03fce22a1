import { CodeFigures, CodeFiguresPage } from '@everscan/contract/resources/analytics-codes.ts'
import {
  AnalyticsMatrix,
  OrganizationAnalytics,
  QrCodeAnalytics,
} from '@everscan/contract/resources/analytics.ts'
import { ApiKey, ApiKeyPage, CreateApiKey, CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import {
  BatchClone,
  BatchCreate,
  BatchDelete,
  BatchDeleteResult,
  BatchDownload,
  BatchError,
  BatchReadResult,
  BatchResult,
  BatchUpdate,
  BatchUpdateResult,
} from '@everscan/contract/resources/batches.ts'
import {
  ImportJob,
  ImportJobPage,
  ImportJobSummary,
  ImportRowError,
} from '@everscan/contract/resources/bulk-imports.ts'
import { Connection } from '@everscan/contract/resources/connections.ts'
import { Copy, Installation } from '@everscan/contract/resources/installation.ts'
import { Deleted } from '@everscan/contract/schema/common.ts'
import { ErrorBody, ErrorDetail } from '@everscan/contract/schema/errors.ts'
import { Event } from '@everscan/contract/resources/events.ts'
import { CreateFolder, Folder, FolderPage, UpdateFolder } from '@everscan/contract/resources/folders.ts'
import {
  MyOrganizations,
  Organization,
  OrganizationDetails,
  UpdateOrganization,
} from '@everscan/contract/resources/organizations.ts'
import { Pagination } from '@everscan/contract/schema/pages.ts'
import { codeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { CreateQrCode, QrCode, QrCodePage, UpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import { Scannability, Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'
import {
  CreateSavedStyle,
  SavedStyle,
  SavedStylePage,
  UpdateSavedStyle,
} from '@everscan/contract/resources/saved-styles.ts'
import {
  AddedPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyPage,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@everscan/contract/resources/passkeys.ts'
import { Session, SessionPage } from '@everscan/contract/resources/sessions.ts'
import { User } from '@everscan/contract/resources/users.ts'
import { TagPage, TagUse } from '@everscan/contract/resources/tags.ts'
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookWithSecret,
} from '@everscan/contract/resources/webhooks.ts'
import {
  CreateDomain,
  DnsRecord,
  Domain,
  DomainPage,
  UpdateDomain,
} from '@everscan/contract/domains/domains.ts'
import {
  CreateUtmTemplate,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
} from '@everscan/contract/utm/utm-templates.ts'
import type { TSchema } from 'typebox'

/** `UrlData`, `VcardData` and so on: the content of `data` for each type. */
const dataSchemas = Object.fromEntries(
  Object.entries(codeTypes).map(([type, { schema }]) => [dataSchemaName(type as QrCodeType), schema]),
)

/** The named schemas of the OpenAPI document, which refers to them wherever they occur. */
export const namedSchemas: Readonly<Record<string, TSchema>> = {
  ApiKey,
  ApiKeyPage,
  BatchClone,
  BatchCreate,
  BatchDelete,
  BatchDeleteResult,
  BatchDownload,
  BatchError,
  BatchReadResult,
  BatchResult,
  BatchUpdate,
  BatchUpdateResult,
  Connection,
  Copy,
  Installation,
  CreateApiKey,
  CreateDomain,
  CreatedApiKey,
  CreateFolder,
  CreateQrCode,
  CreateSavedStyle,
  CreateUtmTemplate,
  CreateWebhook,
  Deleted,
  DnsRecord,
  Domain,
  DomainPage,
  Error: ErrorBody,
  ErrorDetail,
  Event,
  Folder,
  FolderPage,
  ImportJob,
  ImportJobPage,
  ImportJobSummary,
  ImportRowError,
  MyOrganizations,
  Organization,
  AnalyticsMatrix,
  CodeFigures,
  CodeFiguresPage,
  OrganizationAnalytics,
  OrganizationDetails,
  AddedPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyPage,
  PasskeyRegistration,
  PasskeyRequestOptions,
  Pagination,
  QrCode,
  QrCodeAnalytics,
  QrCodePage,
  SavedStyle,
  SavedStylePage,
  Scan,
  Scannability,
  ScanPage,
  Session,
  SessionPage,
  Style,
  TagPage,
  TagUse,
  UpdateDomain,
  UpdateFolder,
  UpdateOrganization,
  UpdateQrCode,
  UpdateSavedStyle,
  UpdateUtmTemplate,
  UtmTemplate,
  UtmTemplatePage,
  UpdateStyle,
  User,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  WebhookPage,
  WebhookWithSecret,
  ...dataSchemas,
}

/** Returns the name of the schema of `data` for a type. */
export function dataSchemaName(type: QrCodeType): string {
  return `${type.charAt(0)}${type.slice(1).toLowerCase()}Data`
}
