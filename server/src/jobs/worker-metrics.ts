import type { Ingest } from '../ingest/ingest.ts'
import type { Jobs } from './start-jobs.ts'
import type { Deliveries } from './webhooks/deliver-webhooks.ts'
import type { OwnMetrics } from '../processes/metrics.ts'

/** Adds what a worker has done since its start. */
export function addWorkerMetrics(
  metrics: OwnMetrics,
  {
    ingest: { stats: ingested },
    jobs: { stats: jobs },
    deliveries: { stats: webhooks },
  }: { ingest: Pick<Ingest, 'stats'>; jobs: Jobs; deliveries: Deliveries },
): void {
  metrics.figures({
    ingested_hits_total: ['Hits of every class inserted into the scan store', () => ingested.rows],
    ingested_scans_total: ['Scans inserted into the scan store: hits by humans', () => ingested.scans],
    ingest_batches_total: ['Batches inserted into the scan store', () => ingested.batches],
    job_steps_total: ['Steps of jobs done', () => jobs.steps],
    webhook_calls_total: ['Webhook calls that succeeded', () => webhooks.sent],
    webhook_failures_total: ['Webhook calls that failed', () => webhooks.failed],
    webhooks_disabled_total: ['Webhooks disabled after failures', () => webhooks.disabled],
    job_failures_total: ['Steps of jobs that failed and are retried', () => jobs.failures],
    ingest_unknown_hits_total: [
      'Hits in the scan store that the catalogue did not know, because an older copy of it was restored',
      () => ingested.unknownHits,
    ],
    ingest_put_back_hits_total: [
      'Hits that the scan store had lost and the worker put back from kept rows',
      () => ingested.putBackHits,
    ],
    ingest_doubled_hits_total: [
      'Duplicate rows that were removed from the scan store',
      () => ingested.doubledHits,
    ],
    ingest_lost_hits_total: ['Hits that the scan store has lost for good', () => ingested.lostHits],
    ingest_passed_over_total: [
      'Journal frames whose rows were already in the scan store',
      () => ingested.skipped,
    ],
    ingest_failures_total: ['Ingest attempts that failed and are retried', () => ingested.failures],
    ingest_settled_total: ['Batches whose outcome was determined by counting', () => ingested.settled],
    ingest_dead_letters_total: ['Records set aside as dead letters', () => ingested.deadLetters],
    ingest_damaged_bytes_total: ['Journal bytes that could not be read', () => ingested.damagedBytes],
  })
}
