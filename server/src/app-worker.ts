import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateScanStore } from './analytics/migrations.ts'
import type { ScanStore } from './analytics/store.ts'
import { eventRecord } from './api/event-records.ts'
import { qrCodeBodyProblems } from './api/qr-code-bodies.ts'
import { pictureOf, shortUrlOf } from './api/qr-code-records.ts'
import { openStore } from './app-store.ts'
import { watchWorker } from './app-watch.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import { openDatabase } from './db/open-database.ts'
import { addUpCodeCounts } from './db/qr-code-counts.ts'
import { errorMessage } from './errors.ts'
import { startIngest, type Ingest } from './ingest/ingest.ts'
import { createRetentionGrace, deleteOldScans } from './ingest/retention.ts'
import { startDeliveries, type Deliveries } from './jobs/deliver-webhooks.ts'
import { forgetOldAnswers } from './jobs/forget-idempotency-keys.ts'
import { forgetOldEvents } from './jobs/forget-old-events.ts'
import { forgetStrayRows, importJobs } from './jobs/import-job.ts'
import { startJobs, type Chore, type Jobs } from './jobs/start-jobs.ts'
import { createWebhookCaller } from './jobs/webhook-calls.ts'
import type { Log } from './log.ts'
import { joinMain } from './processes/child.ts'
import { createMetrics } from './processes/metrics.ts'
import { createSecretBox } from './secret-box.ts'

/** `worker`: journals into the scan store, imports, webhooks and chores. */
export async function runWorker(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const store = openStore(config)
  const metrics = createMetrics(`worker-${index}`)
  const stopping = new AbortController()
  let ingest: Ingest | undefined
  // Imports need no scan store.
  const jobs = startWorkerJobs(db, config, { log, store, signal: stopping.signal })
  const deliveries = startWorkerDeliveries(db, config, log)
  const watch = watchWorker(config, { db, log, metrics, ingest: () => ingest })
  const child = joinMain('worker', log, {
    report: async () => ({ parts: await watch.parts(), metrics: await metrics.collect() }),
    stop: async () => {
      stopping.abort()
      await Promise.all([jobs.stop(), deliveries.stop()])
      await ingest?.stop()
      await store.close()
      await db.close()
    },
  })
  await migrateWhenUp(store, log, { signal: stopping.signal, onTry: child.progress })
  if (stopping.signal.aborted) return
  const running = await startIngest({ journalRoot: join(dataDir, 'journal'), db, store, config, log })
  ingest = running
  metrics.figures({
    ingested_hits_total: ['Hits of every class taken into the scan store', () => running.stats.rows],
    ingested_scans_total: ['Human ones of them', () => running.stats.scans],
    ingest_batches_total: ['Batches taken into the scan store', () => running.stats.batches],
    job_steps_total: ['Parts of jobs done', () => jobs.stats.steps],
    webhook_calls_total: ['Calls of webhooks that succeeded', () => deliveries.stats.sent],
    webhook_failures_total: ['Calls of webhooks that failed', () => deliveries.stats.failed],
    webhooks_disabled_total: ['Webhooks disabled for failing', () => deliveries.stats.disabled],
    job_failures_total: ['Parts of jobs that failed and are tried again', () => jobs.stats.failures],
    ingest_failures_total: ['Tries that failed and are made again', () => running.stats.failures],
    ingest_settled_total: ['Batches whose outcome was found out by counting', () => running.stats.settled],
    ingest_dead_letters_total: ['Records put aside', () => running.stats.deadLetters],
    ingest_damaged_bytes_total: [
      'Bytes of journals that could not be read',
      () => running.stats.damagedBytes,
    ],
  })
  child.ready()
}

/** Imports check rows and draw codes as the API does. */
function startWorkerJobs(
  db: Database,
  { publicUrl, retentionDays }: Config,
  { log, store, signal }: { log: Log; store: ScanStore; signal: AbortSignal },
): Jobs {
  const imports = importJobs({
    check: (body) => qrCodeBodyProblems(body, publicUrl),
    draw: (shortCode, style) => pictureOf(shortUrlOf(shortCode, publicUrl), style),
  })
  const addUp: Chore = { name: 'addUpCodeCounts', everyMs: 30_000, run: addUpCodeCounts }
  const grace = createRetentionGrace({ log })
  const retain: Chore = {
    name: 'deleteOldScans',
    // Once a day there is something to do; looking costs nothing.
    everyMs: 60_000,
    run: async (catalogue, nowMs) =>
      deleteOldScans(catalogue, nowMs, { store, retentionDays, signal, grace }),
  }
  return startJobs({
    db,
    kinds: { import: imports },
    chores: [forgetStrayRows, forgetOldAnswers, addUp, forgetOldEvents, retain],
    log,
  })
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

/** The scan store may come up later than the worker; scans wait in the journal. */
async function migrateWhenUp(
  store: ScanStore,
  log: Log,
  { signal, onTry }: { signal: AbortSignal; onTry: () => void },
): Promise<void> {
  for (let waitMs = 50; !signal.aborted; waitMs = Math.min(waitMs * 2, 2_000)) {
    onTry()
    try {
      return await migrateScanStore(store)
    } catch (error) {
      log.debug({ error: errorMessage(error) }, 'the scan store is not there yet')
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
