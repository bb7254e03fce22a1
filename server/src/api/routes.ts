import * as account from './account.ts'
import * as analytics from './analytics.ts'
import * as apiKeys from './api-keys.ts'
import * as auditLog from './audit-log.ts'
import * as batchDownloads from './batch-downloads.ts'
import * as batches from './batches.ts'
import { openApiEndpoint } from './documentation.ts'
import * as connections from './connections.ts'
import * as downloads from './downloads.ts'
import type { Endpoint } from './endpoint.ts'
import * as events from './events.ts'
import * as folders from './folders.ts'
import { describeEndpoints } from './openapi-document.ts'
import * as imports from './imports.ts'
import * as installation from './installation.ts'
import * as invitations from './invitations.ts'
import * as labelSheets from './label-sheets.ts'
import * as members from './members.ts'
import * as organizations from './organizations.ts'
import * as ownOrganizations from './own-organizations.ts'
import * as passwordResets from './password-resets.ts'
import * as qrCodeHistory from './qr-code-history.ts'
import * as qrCodes from './qr-codes.ts'
import * as styles from './saved-styles.ts'
import * as tags from './tags.ts'
import * as scans from './scans.ts'
import * as sessions from './sessions.ts'
import * as signInOptions from './sign-in-options.ts'
import * as signIns from './sign-in.ts'
import * as signUps from './sign-ups.ts'
import * as twoFactor from './two-factor.ts'
import * as webhookDeliveries from './webhook-deliveries.ts'
import * as webhooks from './webhooks.ts'

/** Every endpoint, one per line. Nothing else decides what the API answers, to whom, and what its document says. */
export const routes: readonly Endpoint[] = [
  ownOrganizations.list,
  ownOrganizations.create,
  ownOrganizations.leave,
  organizations.read,
  organizations.put,
  organizations.exportAll,
  qrCodes.create,
  qrCodes.list,
  qrCodes.read,
  qrCodes.put,
  qrCodes.patch,
  qrCodes.remove,
  qrCodeHistory.list,
  qrCodeHistory.rollBack,
  batches.create,
  batches.update,
  batches.clone,
  batches.remove,
  batchDownloads.download,
  downloads.download,
  labelSheets.print,
  analytics.ofOrganization,
  analytics.ofQrCode,
  folders.create,
  folders.list,
  folders.read,
  folders.put,
  folders.remove,
  styles.create,
  styles.list,
  styles.read,
  styles.put,
  styles.remove,
  tags.list,
  analytics.exportOfQrCode,
  scans.list,
  imports.start,
  imports.list,
  imports.sample,
  imports.read,
  imports.cancel,
  imports.errorsCsv,
  apiKeys.create,
  apiKeys.list,
  apiKeys.revoke,
  members.list,
  members.put,
  members.remove,
  invitations.create,
  invitations.list,
  invitations.revoke,
  invitations.accept,
  auditLog.list,
  connections.read,
  installation.read,
  signInOptions.read,
  signIns.signIn,
  signIns.signOut,
  account.read,
  account.put,
  account.changePassword,
  sessions.list,
  sessions.end,
  sessions.endOthers,
  twoFactor.begin,
  twoFactor.confirm,
  twoFactor.renewCodes,
  twoFactor.end,
  passwordResets.request,
  passwordResets.confirm,
  passwordResets.createForMember,
  signUps.create,
  signUps.confirm,
  webhooks.create,
  webhooks.list,
  webhooks.read,
  webhooks.put,
  webhooks.remove,
  webhooks.rotateSecret,
  webhookDeliveries.ping,
  webhookDeliveries.list,
  webhookDeliveries.replay,
  events.stream,
  openApiEndpoint(() => describeEndpoints(routes)),
]
