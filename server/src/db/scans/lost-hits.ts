import { periodOf } from '@everscan/contract/problems/english.ts'
import { countText } from '../../amounts.ts'
import type { LostHits } from '../../problems/facts.ts'
import type { DayHits } from './scan-days.ts'
import type { LossesSummary } from './scan-losses.ts'

/** Hits of every class of a writer on one day (UTC); copies of earlier releases name no writer. */
export type LackingHits = { writer?: string; day: string; hits: number }

const writersMax = 5

export function lackingHits({ writer, day, hits }: DayHits): LackingHits {
  return { writer, day: dateOf(day), hits }
}

/** Returns how many hits of which period and writer are lacking, the most first. */
export function hitTexts(lacking: readonly LackingHits[]): string[] {
  const writers = [...Map.groupBy(lacking, ({ writer }) => writer)]
    .map(([writer, rows]) => {
      const days = rows.map(({ day }) => day).toSorted()
      return { writer, hits: sumOf(rows), period: periodOf(days[0] ?? '', days.at(-1) ?? '') }
    })
    .toSorted((a, b) => b.hits - a.hits)
  const texts = writers
    .slice(0, writersMax)
    .map(
      ({ writer, hits, period }) =>
        `${countText(hits, 'hit')} ${period}${writer === undefined ? '' : ` of the writer ${writer}`}`,
    )
  const more = writers.slice(writersMax)
  const moreHits = more.reduce((sum, { hits }) => sum + hits, 0)
  return more.length === 0
    ? texts
    : [...texts, `${countText(moreHits, 'hit')} of ${countText(more.length, 'other writer')}`]
}

/** Adds up the hits of writers, by day. Leaves out days without any. */
export function hitsByDay(rows: readonly DayHits[]): { day: number; hits: number }[] {
  return [...Map.groupBy(rows, ({ day }) => day)]
    .map(([day, ofDay]) => ({ day, hits: sumOf(ofDay) }))
    .filter(({ hits }) => hits > 0)
    .toSorted((one, other) => one.day - other.day)
}

function sumOf(rows: readonly { hits: number }[]): number {
  return rows.reduce((sum, { hits }) => sum + hits, 0)
}

/** Returns what is lost, with dates; undefined if nothing is. */
export function lostHits(lost: LossesSummary | undefined): LostHits | undefined {
  return lost && { hits: lost.hits, firstDay: dateOf(lost.firstDay), lastDay: dateOf(lost.lastDay) }
}

/** Returns the date of a day that is counted from 1970. */
export function dateOf(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}
