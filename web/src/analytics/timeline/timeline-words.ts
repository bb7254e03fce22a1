import type { Interval } from '@everscan/contract/resources/analytics.ts'
import { formatBucket, formatNumber, type BucketForm } from '../../ui/format.ts'
import { analyticsWords } from '../../words/analytics-words.ts'
import type { Point } from '../asked.ts'

const text = analyticsWords.timeline

/** Returns a point in a sentence. */
export function readOut(point: Point | undefined, before: Point | undefined, interval: Interval): string {
  if (point === undefined) return ''
  const { date, scans, uniqueScans, isSoFar } = point
  return [
    text.point(longDate(date, interval), analyticsWords.scans(scans, formatNumber(scans))),
    text.andUnique(formatNumber(uniqueScans)),
    isSoFar ? text.andSoFar : '',
    before === undefined ? '' : text.andBefore(formatNumber(before.scans)),
  ].join('')
}

export function longDate(date: string, interval: Interval): string {
  const written = formatBucket(date, formOf(interval), interval === 'week' ? 'short' : 'long')
  return interval === 'week' ? text.week(`${written} ${date.slice(0, 4)}`) : written
}

export function formOf(interval: Interval): BucketForm {
  return interval === 'week' ? 'day' : interval
}
