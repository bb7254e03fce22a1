import type { Style } from '@everscan/contract/resources/styles.ts'
import { pictureOf } from '@everscan/qr/shapes/encodings.ts'
import { lineOfVisit } from '../ingest/visit-lines.ts'
import { shortUrlOf, type ShortUrlParts } from '../product/records/qr-code-records.ts'
import { newCodeProblems } from '../product/validation/new-code-problems.ts'
import { nextMailAtMs } from '../product/views/mail-times.ts'
import { createSecretBox } from '../secret-box.ts'
import { archiveJobs } from './imports/archive-job.ts'
import { importJobs } from './imports/import-job.ts'
import { waitingJobs } from './imports/waiting-job.ts'
import { createAddressLook } from './moves/look-at-address.ts'
import { createDestinationLooks } from './moves/look-at-destinations.ts'
import type { JobKindName } from './job-kind-names.ts'
import type { JobKind } from './start-jobs.ts'
import type { WorkerContext } from './worker-context.ts'

/**
 * Returns the kinds of jobs by name. They check rows and draw codes as the API does. Comparisons
 * have lanes of their own: see `startComparisons`.
 */
export function jobKinds({
  config: { publicUrl, secret, webhookAllowPrivate: allowPrivate },
  hits,
}: Pick<WorkerContext, 'config' | 'hits'>): Readonly<Record<JobKindName, JobKind>> {
  const draw = (code: ShortUrlParts, style: Style) => pictureOf(shortUrlOf(code, publicUrl), style)
  const lookAt = createDestinationLooks(createAddressLook({ allowPrivate }).look)
  const imports = importJobs({
    check: (body) => newCodeProblems(body, publicUrl),
    draw,
    publicHost: new URL(publicUrl).hostname,
    lookAt,
    visits: { hits, lineOf: lineOfVisit },
  })
  const box = createSecretBox(secret ?? '', 'webhook secrets')
  return {
    import: imports,
    move: imports,
    archive: archiveJobs({
      hits,
      draw,
      mailAtMs: (every, { timezone = 'UTC' }, nowMs) => nextMailAtMs(every, timezone, nowMs),
      seal: (webhookSecret, id) => box.seal(webhookSecret, id),
    }),
    waiting: waitingJobs({ hits }),
  }
}
