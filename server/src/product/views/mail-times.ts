import type { MailInterval } from '@everscan/contract/views/views.ts'
import { dayOf, momentOf, type DayNumber } from '../../analytics/figures/calendar.ts'

const dayMs = 86_400_000
const hourOfMails = 7

/**
 * Returns when the next regular mail is due after `nowMs`: at 07:00 on a Monday or on the first day
 * of a month, by the clocks of a time zone.
 */
export function nextMailAtMs(every: MailInterval, timezone: string, nowMs: number): number {
  for (let day = dayOf(timezone, nowMs); ; day++) {
    const atMs = momentOf(timezone, day * dayMs + hourOfMails * 3_600_000)
    if (isMailDay(every, day) && atMs > nowMs) return atMs
  }
}

function isMailDay(every: MailInterval, day: DayNumber): boolean {
  const date = new Date(day * dayMs)
  return every === 'week' ? date.getUTCDay() === 1 : date.getUTCDate() === 1
}
