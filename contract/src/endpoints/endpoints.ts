import { documentation } from './openapi/documentation.ts'
import { ownOrganizations } from './organizations/own-organizations.ts'
import { organizations } from './organizations/organizations.ts'
import { archiveImports } from './archives/archive-imports.ts'
import { publicAddress } from './organizations/public-address.ts'
import { qrCodes } from './codes/qr-codes.ts'
import { qrCodeHistory } from './codes/history.ts'
import { ruleTrials } from './codes/rule-trials.ts'
import { ruleReplays } from './codes/rule-replays.ts'
import { batches } from './codes/batches.ts'
import { bin } from './codes/bin.ts'
import { batchDownloads } from './pictures/batch-downloads.ts'
import { downloads } from './pictures/downloads.ts'
import { labelSheets } from './pictures/label-sheets.ts'
import { analytics } from './analytics/analytics.ts'
import { codeFigures } from './analytics/code-figures.ts'
import { folders } from './codes/folders.ts'
import { styles } from './styles/saved-styles.ts'
import { domains } from './domains/domains.ts'
import { notices } from './domains/notices.ts'
import { utmTemplates } from './codes/utm-templates.ts'
import { tags } from './codes/tags.ts'
import { scans } from './analytics/scans.ts'
import { imports } from './imports/imports.ts'
import { moves } from './moves/moves.ts'
import { comparisons } from './moves/comparisons.ts'
import { apiKeys } from './organizations/api-keys.ts'
import { members } from './organizations/members.ts'
import { invitations } from './organizations/invitations.ts'
import { auditLog } from './organizations/audit-log.ts'
import { connections } from './organizations/connections.ts'
import { installation } from './organizations/installation.ts'
import { sentMails } from './organizations/sent-mails.ts'
import { signInOptions } from './accounts/sign-in-options.ts'
import { signIns } from './accounts/sign-in.ts'
import { passkeySignIns } from './accounts/passkey-sign-in.ts'
import { account } from './accounts/account.ts'
import { emailConfirmations } from './accounts/email-confirmations.ts'
import { accountLog } from './accounts/account-log.ts'
import { sessions } from './accounts/sessions.ts'
import { confirmations } from './accounts/confirmations.ts'
import { passkeys } from './accounts/passkeys.ts'
import { twoFactor } from './accounts/two-factor.ts'
import { passwordResets } from './accounts/password-resets.ts'
import { signUps } from './accounts/sign-ups.ts'
import { webhooks } from './events/webhooks.ts'
import { webhookDeliveries } from './events/webhook-deliveries.ts'
import { events } from './events/events.ts'
import { views } from './views/views.ts'
import { sharedViews } from './views/shared-views.ts'

/** Every endpoint of the API, by noun. */
export const endpoints = {
  ownOrganizations,
  organizations,
  archiveImports,
  publicAddress,
  qrCodes,
  qrCodeHistory,
  ruleTrials,
  ruleReplays,
  batches,
  bin,
  batchDownloads,
  downloads,
  labelSheets,
  analytics,
  codeFigures,
  folders,
  styles,
  domains,
  notices,
  utmTemplates,
  tags,
  scans,
  imports,
  moves,
  comparisons,
  apiKeys,
  members,
  invitations,
  auditLog,
  connections,
  installation,
  sentMails,
  signInOptions,
  signIns,
  passkeySignIns,
  account,
  emailConfirmations,
  accountLog,
  sessions,
  confirmations,
  passkeys,
  twoFactor,
  passwordResets,
  signUps,
  webhooks,
  webhookDeliveries,
  events,
  views,
  sharedViews,
  documentation,
}
