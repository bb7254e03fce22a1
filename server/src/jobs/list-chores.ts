import { isShared } from '../db/database.ts'
import { createDomainLook } from '../product/domains/domain-look.ts'
import type { CertificateMailer } from './certificates/send-certificate-mails.ts'
import { addUpCodeCounts } from './chores/add-up-code-counts.ts'
import { deleteExpiredIdempotencyKeys } from './chores/delete-expired-idempotency-keys.ts'
import { deleteOldAccountEntries } from './chores/delete-old-account-entries.ts'
import { deleteOldMailCounts } from './chores/delete-old-mail-counts.ts'
import { deleteOldMcpCalls } from './chores/delete-old-mcp-calls.ts'
import { countPulse, keepKnownKeys } from './chores/identity-chores.ts'
import { indexQrCodes } from './chores/index-qr-codes.ts'
import { purgeExpiredQrCodes } from './chores/purge-expired-qr-codes.ts'
import { recordAccessEvents } from './chores/record-access-events.ts'
import { rememberReach } from './chores/remember-reach.ts'
import { reportHeads } from './chores/scan-chores.ts'
import { staticExportChores } from './chores/static-export.ts'
import { domainLooks } from './domains/domain-looks.ts'
import type { DomainMails } from './domains/domain-mails.ts'
import { sendNoticeMails } from './domains/send-notice-mails.ts'
import { deleteStrayRows } from './imports/import-job.ts'
import { waitingChore } from './imports/waiting-job.ts'
import { machineName } from './machine-reports.ts'
import type { Chore } from './start-jobs.ts'
import { deleteExpiredEvents } from './webhooks/delete-expired-events.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Returns the chores of a worker: those of every service, those that its settings ask for, and
 * those `ofStore`.
 */
export async function listChores(context: WorkerContext, ofStore: readonly Chore[]): Promise<Chore[]> {
  const { db, config, log } = context
  const { dataDir, publicUrl } = config
  const viewMails = await viewMailChores(context)
  const { tellFailing, certificateMailer, noticeMailer } = await domainMails(context)
  const certificates = await certificateChores(context, certificateMailer)
  return [
    countPulse(dataDir),
    domainLooks(createDomainLook(config), tellFailing),
    keepKnownKeys(dataDir),
    deleteStrayRows,
    deleteExpiredIdempotencyKeys,
    deleteOldAccountEntries,
    deleteOldMcpCalls,
    waitingChore,
    purgeExpiredQrCodes,
    recordAccessEvents,
    indexQrCodes,
    addUpCodeCounts,
    deleteOldMailCounts,
    deleteExpiredEvents,
    rememberReach(publicUrl, context.outsideAtMs),
    ...viewMails,
    ...staticExportChores(config, context),
    ...certificates,
    ...(noticeMailer === undefined ? [] : [sendNoticeMails(noticeMailer, log)]),
    ...(isShared(db) ? [reportHeads(dataDir, machineName(dataDir))] : []),
    ...ofStore,
  ]
}

// Libraries for mails and certificates take memory: only services that use them load them.

/** Mails views, if the installation sends mails. */
async function viewMailChores({ db, config, store, log }: WorkerContext): Promise<Chore[]> {
  const { smtpUrl, ...others } = config
  if (smtpUrl === undefined) return []
  const { createViewMailsChore } = await import('./views/view-mails.ts')
  return [createViewMailsChore(db, { ...others, smtpUrl }, { store, log })]
}

/** Tells ADMINs by mail of troubled domains, if the installation sends mails. */
async function domainMails({ config, log }: WorkerContext): Promise<Partial<DomainMails>> {
  const { smtpUrl, ...others } = config
  if (smtpUrl === undefined) return {}
  const { createDomainMails } = await import('./domains/domain-mails.ts')
  return createDomainMails({ ...others, smtpUrl }, log)
}

/** Orders certificates, if the service has https of its own without TLS_CERT. */
async function certificateChores(
  { config, log }: WorkerContext,
  mailer: CertificateMailer | undefined,
): Promise<Chore[]> {
  if (config.httpsPort === undefined || config.tlsCert !== undefined) return []
  const { createCertificateChores } = await import('./certificates/certificate-chores.ts')
  return createCertificateChores(config, log, mailer)
}
