import type { AnalyticsMark } from '@everscan/contract/resources/analytics.ts'
import { dateText, dayOf } from '../../analytics/figures/calendar.ts'
import type { Period } from '../../analytics/figures/period.ts'
import type { Database } from '../../db/database.ts'
import { readVisitorMarks } from '../../db/installation.ts'

/**
 * The days in a period that split it: unique scans before and after such a day cannot be compared.
 * Oldest first, each kind at most once a day.
 */
export async function readAnalyticsMarks(db: Database, period: Period): Promise<AnalyticsMark[]> {
  const marks = (await readVisitorMarks(db, period)).map(({ kind, createdAtMs }) => ({
    date: dateText(dayOf(period.timezone, createdAtMs)),
    kind,
  }))
  return marks.filter(
    (mark, at) => marks.findIndex(({ date, kind }) => date === mark.date && kind === mark.kind) === at,
  )
}
