import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import type { ScanStore } from '../analytics/store/store.ts'
import { eventRecord } from '../product/records/event-records.ts'
import { newCodeProblems } from '../product/validation/new-code-problems.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { shortUrlOf, type ShortUrlParts } from '../product/records/qr-code-records.ts'
import { startComparisons } from '../jobs/moves/comparisons.ts'
import { startCopies } from '../jobs/copies/copies.ts'
import {
  handleOlderCatalogue,
  incrementPulse,
  rememberMachineName,
  saveKnownKeys,
  verifyAndClaimStore,
} from '../product/installation/identity.ts'
import { prepareScanStore, type ScanStoreState } from '../product/installation/prepare-scan-store.ts'
import { createDomainLook } from '../product/domains/domain-look.ts'
import type { DomainMails } from '../jobs/domains/domain-mails.ts'
import { createStoreCheck, type StoreCheck } from '../jobs/store-check.ts'
import { staticExportChores } from '../jobs/static-export.ts'
import { startRewrite, turnMs } from '../jobs/rewrite-scan-store.ts'
import { openStore } from '../product/installation/open-store.ts'
import { machineReportMs, watchWorker } from '../jobs/watch.ts'
import type { Config } from '../settings/settings.ts'
import { isShared, type Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { addUpCodeCounts } from '../db/lists/qr-code-counts.ts'
import { deleteOldMailCounts } from '../catalogue/mails/mail-counts.ts'
import { recordFoundScans } from '../catalogue/ledger/system-entries.ts'
import { recountRestored } from '../ingest/recount-restored.ts'
import { startIngest, type Ingest } from '../ingest/ingest.ts'
import type { Found } from '../ingest/ingest-context.ts'
import { createHeadReporter } from '../ingest/journal-heads.ts'
import { createRetentionGrace, deleteOldScans } from '../ingest/retention.ts'
import { startDeliveries, type Deliveries } from '../jobs/webhooks/deliver-webhooks.ts'
import { deleteOldAccountEntries } from '../jobs/delete-old-account-entries.ts'
import { deleteOldMcpCalls } from '../jobs/delete-old-mcp-calls.ts'
import { indexQrCodes } from '../jobs/index-qr-codes.ts'
import { purgeExpiredQrCodes } from '../jobs/purge-expired-qr-codes.ts'
import { recordAccessEvents } from '../jobs/record-access-events.ts'
import { deleteExpiredIdempotencyKeys } from '../jobs/delete-expired-idempotency-keys.ts'
import { deleteExpiredEvents } from '../jobs/webhooks/delete-expired-events.ts'
import type { CertificateMailer } from '../jobs/certificates/send-certificate-mails.ts'
import { sendNoticeMails } from '../jobs/domains/send-notice-mails.ts'
import { domainLooks } from '../jobs/domains/domain-looks.ts'
import { nextMailAtMs } from '../product/views/mail-times.ts'
import { createScanImporter } from '../ingest/import-scans.ts'
import { lineOfVisit } from '../ingest/visit-lines.ts'
import { archiveJobs } from '../jobs/imports/archive-job.ts'
import { deleteStrayRows, importJobs } from '../jobs/imports/import-job.ts'
import { createAddressLook } from '../jobs/moves/look-at-address.ts'
import { createDestinationLooks } from '../jobs/moves/look-at-destinations.ts'
import { waitingChore, waitingJobs } from '../jobs/imports/waiting-job.ts'
import { moveJobs } from '../jobs/imports/move-job.ts'
import type { ScheduledCopies } from '../jobs/copies/scheduled-copies.ts'
import { createMachineReports } from '../jobs/machine-reports.ts'
import { startJobs, type Chore, type Jobs } from '../jobs/start-jobs.ts'
import { inTurn } from '../jobs/turns.ts'
import { createWebhookCaller } from '../jobs/webhooks/webhook-calls.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { machineSettings } from '../processes/machine-settings.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { journalRefusal } from '../processes/journal-owners.ts'
import type { Part } from '../processes/messages.ts'
import { createMetrics } from '../processes/metrics.ts'
import { saveReached } from '../catalogue/installation/public-addresses.ts'
import { release } from '../release.ts'
import { createSecretBox } from '../secret-box.ts'

/** Runs `worker`: ingests journals into the scan store, and runs imports, webhooks and chores. */
export async function runWorker(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl, databaseConnections: connectionsMax } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', connectionsMax, log })
  const store = openStore(config)
  const metrics = createMetrics(`worker-${index}`)
  const stopping = new AbortController()
  let ingest: Ingest | undefined
  let scheduledCopies: ScheduledCopies | undefined
  const storeState: ScanStoreState = { problem: undefined }
  const deliveries = startWorkerDeliveries(db, config, log)
  const installation = readIdentity(dataDir)?.installation
  const refusalOf = (dir: string): string | undefined => journalRefusal(dir, installation)
  const storeCheck = createStoreCheck({
    store,
    isCompared: () => ingest?.isChecked === true,
    signal: stopping.signal,
    log,
  })
  // Imports need no scan store.
  let isReachSaved = false
  const reached: Chore = {
    name: 'rememberReach',
    everyMs: 2_000,
    run: async (catalogue) => {
      const atMs = ingest?.stats.outsideAtMs
      if (atMs === undefined || isReachSaved) return
      await saveReached(catalogue, config.publicUrl, atMs)
      isReachSaved = true
    },
  }
  const jobs = await startWorkerJobs(db, config, { log, store, signal: stopping.signal, storeCheck, reached })
  const comparisons = startComparisons(db, config, log)
  const name = machineName(dataDir)
  const machines = createMachineReports(db, {
    name,
    formerName: readIdentity(dataDir)?.machineName,
    release,
    settings: machineSettings(config),
    onReported: () => rememberMachineName(dataDir, name),
  })
  const watch = watchWorker(config, {
    db,
    machines,
    store,
    storeCheck,
    log,
    metrics,
    ingest: () => ingest,
    scheduledCopies: () => scheduledCopies,
    refusalOf,
  })
  const rewrite = startRewrite(store, {
    isCompared: () => ingest?.isChecked === true,
    takeTurn: isShared(db)
      ? (run) => inTurn(db, { name: 'rewriteScanStore', machine: name, everyMs: turnMs }, run)
      : async (run) => await run(),
    metrics,
    log,
    signal: stopping.signal,
  })
  const child = joinMain('worker', log, {
    report: async () => ({
      parts: [...storeParts(storeState), ...rewrite.parts(), ...(await watch.parts())],
      metrics: await metrics.collect(),
    }),
    stop: async () => {
      stopping.abort()
      clearInterval(reports)
      await Promise.all([jobs.stop(), comparisons.stop(), deliveries.stop(), scheduledCopies?.stop()])
      await Promise.all([ingest?.stop(), rewrite.ended])
      await store.close()
      await machines.stop().catch((error: unknown) => log.debug({ err: error }, 'leaving the machines'))
      // A key that was revoked right before the end stays revoked, whatever copy is restored then.
      await saveKnownKeys(db, dataDir).catch((error: unknown) =>
        log.debug({ err: error }, 'remembering keys'),
      )
      await db.close()
    },
  })
  // Other machines learn of this one even if nobody asks for `/readyz`.
  const reports = setInterval(() => void watch.parts(), machineReportMs)
  void watch.parts()
  const verifyStore = () => verifyAndClaimStore(store, db, config)
  await prepareScanStore(store, { child, state: storeState, log, signal: stopping.signal, verifyStore })
  if (stopping.signal.aborted) return
  const onFound = async ({ unknownHits, organizations }: Found): Promise<void> => {
    if (unknownHits > 0) await handleOlderCatalogue(db, dataDir, log)
    await recordFoundScans(db, organizations, Date.now())
  }
  const running = await startIngest({
    journalRoot: join(dataDir, 'journal'),
    db,
    store,
    config,
    log,
    onFound,
    refusalOf,
  })
  ingest = running
  if (!stopping.signal.aborted) scheduledCopies = startCopies(config, { db, log })
  metrics.figures({
    ingested_hits_total: ['Hits of every class inserted into the scan store', () => running.stats.rows],
    ingested_scans_total: ['Scans inserted into the scan store: hits by humans', () => running.stats.scans],
    ingest_batches_total: ['Batches inserted into the scan store', () => running.stats.batches],
    job_steps_total: ['Steps of jobs done', () => jobs.stats.steps],
    webhook_calls_total: ['Webhook calls that succeeded', () => deliveries.stats.sent],
    webhook_failures_total: ['Webhook calls that failed', () => deliveries.stats.failed],
    webhooks_disabled_total: ['Webhooks disabled after failures', () => deliveries.stats.disabled],
    job_failures_total: ['Steps of jobs that failed and are retried', () => jobs.stats.failures],
    ingest_unknown_hits_total: [
      'Hits in the scan store that the catalogue did not know, because an older copy of it was restored',
      () => running.stats.unknownHits,
    ],
    ingest_put_back_hits_total: [
      'Hits that the scan store had lost and the worker put back from kept rows',
      () => running.stats.putBackHits,
    ],
    ingest_doubled_hits_total: [
      'Duplicate rows that were removed from the scan store',
      () => running.stats.doubledHits,
    ],
    ingest_lost_hits_total: ['Hits that the scan store has lost for good', () => running.stats.lostHits],
    ingest_passed_over_total: [
      'Journal frames whose rows were already in the scan store',
      () => running.stats.skipped,
    ],
    ingest_failures_total: ['Ingest attempts that failed and are retried', () => running.stats.failures],
    ingest_settled_total: ['Batches whose outcome was determined by counting', () => running.stats.settled],
    ingest_dead_letters_total: ['Records set aside as dead letters', () => running.stats.deadLetters],
    ingest_damaged_bytes_total: ['Journal bytes that could not be read', () => running.stats.damagedBytes],
  })
  child.ready()
}

/** Starts jobs and chores. Imports check rows and draw codes as the API does. */
async function startWorkerJobs(
  db: Database,
  config: Config,
  {
    log,
    store,
    signal,
    storeCheck,
    reached,
  }: { log: Log; store: ScanStore; signal: AbortSignal; storeCheck: StoreCheck; reached: Chore },
): Promise<Jobs> {
  const { publicUrl, retentionDays, dataDir } = config
  const draw = (code: ShortUrlParts, style: Style) => pictureOf(shortUrlOf(code, publicUrl), style)
  const publicHost = new URL(publicUrl).hostname
  const making = { check: (body: ImportedQrCode) => newCodeProblems(body, publicUrl), draw, publicHost }
  const { look } = createAddressLook({ allowPrivate: config.webhookAllowPrivate })
  const hits = createScanImporter(store)
  const moving = {
    ...making,
    lookAt: createDestinationLooks(look),
    visits: { hits, lineOf: lineOfVisit },
  }
  const box = createSecretBox(config.secret ?? '', 'webhook secrets')
  const archives = archiveJobs({
    hits,
    draw,
    mailAtMs: (every, { timezone = 'UTC' }, nowMs) => nextMailAtMs(every, timezone, nowMs),
    seal: (secret, id) => box.seal(secret, id),
  })
  const addUp: Chore = {
    name: 'addUpCodeCounts',
    takesTurns: true,
    everyMs: 30_000,
    run: addUpCodeCounts,
  }
  const grace = createRetentionGrace({ log })
  const retain: Chore = {
    name: 'deleteOldScans',
    takesTurns: true,
    // There is work only once a day, but checking costs nothing.
    everyMs: 60_000,
    run: async (catalogue, nowMs) =>
      deleteOldScans(catalogue, nowMs, { store, retentionDays, signal, grace }),
  }
  const mails = await viewMailsChore(db, config, { store, log })
  const { tellFailing, certificateMailer, noticeMailer } = await domainMails(config, log)
  const orders = await certificateChores(config, log, certificateMailer)
  const machine = isShared(db) ? machineName(dataDir) : undefined
  return startJobs({
    db,
    kinds: {
      import: importJobs(making),
      move: moveJobs(moving),
      archive: archives,
      waiting: waitingJobs({ hits }),
    },
    chores: [
      { name: 'beat', everyMs: 60_000, run: (catalogue) => incrementPulse(catalogue, dataDir) },
      domainLooks(createDomainLook(config), tellFailing),
      { name: 'keepKnownKeys', everyMs: 15_000, run: (catalogue) => saveKnownKeys(catalogue, dataDir) },
      deleteStrayRows,
      deleteExpiredIdempotencyKeys,
      deleteOldAccountEntries,
      deleteOldMcpCalls,
      waitingChore,
      purgeExpiredQrCodes,
      recordAccessEvents,
      indexQrCodes,
      addUp,
      { name: 'deleteOldMailCounts', everyMs: 3_600_000, run: deleteOldMailCounts },
      deleteExpiredEvents,
      retain,
      reached,
      ...mails,
      ...staticExportChores(config, { log, signal }),
      ...orders,
      ...(noticeMailer === undefined ? [] : [sendNoticeMails(noticeMailer, log)]),
      ...(machine === undefined ? [] : [reportHeadsChore(dataDir, machine)]),
      {
        name: 'recountRestored',
        everyMs: 1_000,
        run: (catalogue) => recountRestored(catalogue, store),
      },
      { name: 'checkScanStore', everyMs: 60_000, run: storeCheck.run },
    ],
    machine,
    log,
  })
}

/** Orders certificates, if the service has https of its own without TLS_CERT. */
async function certificateChores(config: Config, log: Log, mailer?: CertificateMailer): Promise<Chore[]> {
  if (config.httpsPort === undefined || config.tlsCert !== undefined) return []
  const { createCertificateChores } = await import('../jobs/certificates/certificate-chores.ts')
  return createCertificateChores(config, log, mailer)
}

/** Tells ADMINs by mail of troubled domains, if the installation sends mails. */
async function domainMails({ smtpUrl, ...config }: Config, log: Log): Promise<Partial<DomainMails>> {
  if (smtpUrl === undefined) return {}
  const { createDomainMails } = await import('../jobs/domains/domain-mails.ts')
  return createDomainMails({ ...config, smtpUrl }, log)
}

/** Mails views, if the installation sends mails. */
async function viewMailsChore(
  db: Database,
  { smtpUrl, ...config }: Config,
  around: { store: ScanStore; log: Log },
): Promise<Chore[]> {
  if (smtpUrl === undefined) return []
  const { createViewMailsChore } = await import('../jobs/views/view-mails.ts')
  return [createViewMailsChore(db, { ...config, smtpUrl }, around)]
}

/** Returns how other machines, and people, name this one. */
function machineName(dataDir: string): string {
  return `${hostname()}:${resolve(dataDir)}`
}

/** Publishes the journal heads of this machine, for copies that other machines make. */
function reportHeadsChore(dataDir: string, machine: string): Chore {
  const run = createHeadReporter({ journalRoot: join(dataDir, 'journal'), machine })
  return { name: 'tellHeads', everyMs: 1000, run }
}

function startWorkerDeliveries(db: Database, config: Config, log: Log): Deliveries {
  return startDeliveries({
    db,
    box: createSecretBox(config.secret ?? '', 'webhook secrets'),
    caller: createWebhookCaller({ allowPrivate: config.webhookAllowPrivate }),
    recordOf: (event, place) => eventRecord(event, place, config.publicUrl),
    log,
  })
}

/** Returns only why the store cannot be used: `api` reports whether it answers. */
function storeParts({ problem }: ScanStoreState): Part[] {
  return problem === undefined ? [] : [{ name: 'scanStore', ok: false, detail: problem }]
}
