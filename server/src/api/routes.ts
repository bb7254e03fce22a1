import * as account from './accounts/account.ts'
import * as accountLog from './accounts/account-log.ts'
import * as analytics from './analytics/analytics.ts'
import * as codeFigures from './analytics/code-figures.ts'
import * as apiKeys from './organizations/api-keys.ts'
import * as archiveImports from './archives/archive-imports.ts'
import * as comparisons from './moves/comparisons.ts'
import * as moves from './moves/moves.ts'
import * as auditLog from './organizations/audit-log.ts'
import * as batchDownloads from './pictures/batch-downloads.ts'
import * as batches from './codes/batches.ts'
import * as bin from './codes/bin.ts'
import { openApiEndpoint } from './openapi/documentation.ts'
import * as confirmations from './accounts/confirmations.ts'
import * as connections from './organizations/connections.ts'
import * as downloads from './pictures/downloads.ts'
import type { Endpoint } from './http/endpoint.ts'
import * as domains from './domains/domains.ts'
import * as notices from './domains/notices.ts'
import * as emailConfirmations from './accounts/email-confirmations.ts'
import * as events from './events/events.ts'
import * as folders from './codes/folders.ts'
import { describeEndpoints } from './openapi/openapi-document.ts'
import * as imports from './imports/imports.ts'
import * as installation from './organizations/installation.ts'
import * as sentMails from './organizations/sent-mails.ts'
import * as invitations from './organizations/invitations.ts'
import * as labelSheets from './pictures/label-sheets.ts'
import * as members from './organizations/members.ts'
import * as organizations from './organizations/organizations.ts'
import * as ownOrganizations from './organizations/own-organizations.ts'
import * as passkeys from './accounts/passkeys.ts'
import * as passkeySignIns from './accounts/passkey-sign-in.ts'
import * as passwordResets from './accounts/password-resets.ts'
import * as publicAddress from './organizations/public-address.ts'
import * as qrCodeHistory from './codes/history.ts'
import * as qrCodes from './codes/qr-codes.ts'
import * as ruleReplays from './codes/rule-replays.ts'
import * as ruleTrials from './codes/rule-trials.ts'
import * as styles from './styles/saved-styles.ts'
import * as tags from './codes/tags.ts'
import * as scans from './analytics/scans.ts'
import * as sessions from './accounts/sessions.ts'
import * as signInOptions from './accounts/sign-in-options.ts'
import * as signIns from './accounts/sign-in.ts'
import * as signUps from './accounts/sign-ups.ts'
import * as twoFactor from './accounts/two-factor.ts'
import * as utmTemplates from './codes/utm-templates.ts'
import * as sharedViews from './views/shared-views.ts'
import * as views from './views/views.ts'
import * as webhookDeliveries from './events/webhook-deliveries.ts'
import * as webhooks from './events/webhooks.ts'

/**
 * Every endpoint, one per line. This table alone determines the responses of the API, its
 * permissions and its document.
 */
export const routes: readonly Endpoint[] = [
  ownOrganizations.list,
  ownOrganizations.create,
  ownOrganizations.leave,
  organizations.read,
  organizations.put,
  organizations.exportAll,
  archiveImports.start,
  archiveImports.read,
  archiveImports.idsCsv,
  publicAddress.read,
  publicAddress.put,
  publicAddress.check,
  publicAddress.readCheck,
  qrCodes.create,
  qrCodes.list,
  qrCodes.read,
  qrCodes.put,
  qrCodes.patch,
  qrCodes.remove,
  qrCodeHistory.list,
  qrCodeHistory.rollBack,
  ruleTrials.simulate,
  ruleReplays.replay,
  batches.create,
  batches.update,
  batches.read,
  batches.clone,
  batches.remove,
  bin.list,
  bin.restore,
  bin.restoreMany,
  bin.purge,
  bin.purgeMany,
  batchDownloads.download,
  downloads.download,
  labelSheets.print,
  analytics.ofOrganization,
  analytics.ofQrCode,
  analytics.exportOfOrganization,
  codeFigures.list,
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
  domains.create,
  domains.list,
  domains.read,
  domains.put,
  domains.check,
  domains.remove,
  notices.formerCodes,
  notices.give,
  notices.withdraw,
  utmTemplates.create,
  utmTemplates.list,
  utmTemplates.read,
  utmTemplates.put,
  utmTemplates.remove,
  tags.list,
  analytics.exportOfQrCode,
  scans.list,
  imports.start,
  imports.preview,
  imports.list,
  imports.sample,
  imports.read,
  imports.cancel,
  imports.errorsCsv,
  moves.start,
  moves.list,
  moves.read,
  moves.cancel,
  moves.errorsCsv,
  comparisons.start,
  comparisons.read,
  apiKeys.create,
  apiKeys.list,
  apiKeys.revoke,
  members.list,
  members.put,
  members.remove,
  invitations.create,
  invitations.list,
  invitations.revoke,
  invitations.receive,
  invitations.accept,
  auditLog.list,
  connections.read,
  installation.read,
  sentMails.list,
  sentMails.put,
  signInOptions.read,
  signIns.signIn,
  passkeySignIns.begin,
  passkeySignIns.signIn,
  signIns.signOut,
  account.read,
  account.put,
  account.changePassword,
  emailConfirmations.request,
  emailConfirmations.confirm,
  accountLog.list,
  sessions.list,
  sessions.end,
  sessions.endOthers,
  confirmations.confirm,
  passkeys.begin,
  passkeys.add,
  passkeys.list,
  passkeys.rename,
  passkeys.remove,
  twoFactor.begin,
  twoFactor.confirm,
  twoFactor.renewCodes,
  twoFactor.end,
  passwordResets.requestByMail,
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
  views.create,
  views.list,
  views.read,
  views.put,
  views.remove,
  views.sendMail,
  sharedViews.read,
  sharedViews.unlock,
  sharedViews.leaveMail,
  openApiEndpoint(() => describeEndpoints(routes)),
]
