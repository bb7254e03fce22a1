import type { AnalyticsMark } from '@everscan/contract/resources/analytics.ts'
import type { PeriodDays } from '@everscan/contract/views/view-periods.ts'
import { formatDay, formatDays, formatNumber } from '../../ui/format.ts'
import { analyticsWords } from '../../words/analytics-words.ts'
import { ChartCard, NumberTable } from '../chart-card.tsx'
import { Lines, type LinesProps } from './timeline-lines.tsx'
import { Flag, looks, type Line } from './timeline-looks.tsx'
import { longDate } from './timeline-words.ts'

const text = analyticsWords.timeline

type Props = LinesProps & {
  /** Days of `before`. */
  comparedWith: PeriodDays | undefined
}

/** Shows scans over time, unique scans as a lower line, and the days before as a dashed line. */
export function TimelineChart(props: Props) {
  const { points, before, interval, marks } = props
  const columns = [text.date, text.scans, text.uniqueScans, ...(before === undefined ? [] : [text.before])]
  const rows = points.map(({ date, scans, uniqueScans, isSoFar }, at) => [
    longDate(date, interval) + (isSoFar ? text.andSoFar : ''),
    formatNumber(scans),
    formatNumber(uniqueScans),
    ...(before === undefined ? [] : [formatNumber(before[at]?.scans ?? 0)]),
  ])
  return (
    <ChartCard
      title={text.title}
      table={
        <>
          <NumberTable caption={text.title} columns={columns} rows={rows.toReversed()} />
          <MarkNotes marks={marks} />
        </>
      }
    >
      <Legend before={before === undefined ? undefined : props.comparedWith} />
      <Lines {...props} />
      <MarkNotes marks={marks} />
    </ChartCard>
  )
}

function Legend({ before }: { before: PeriodDays | undefined }) {
  const lines: readonly Line[] = ['scans', 'uniqueScans', ...(before ? (['before'] as const) : [])]
  return (
    <ul className="mb-2 flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
      {lines.map((line) => (
        <li key={line} className="flex items-center gap-2">
          <svg width="26" height="8" aria-hidden>
            <path d="M2,4H24" fill="none" strokeLinecap="round" {...looks[line]} />
          </svg>
          {text[line]}
          {line === 'before' && before !== undefined && (
            <span className="max-sm:hidden">({formatDays(before)})</span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Explains the flags of the chart in words. */
function MarkNotes({ marks }: { marks: readonly AnalyticsMark[] }) {
  if (marks.length === 0) return null
  return (
    <ul className="mt-2 grid gap-1 text-sm text-soft">
      {marks.map(({ date, kind }) => (
        <li key={`${date} ${kind}`} className="flex gap-2">
          <svg width="10" height="14" aria-hidden className="mt-1 shrink-0">
            <Flag x={1} top={1} height={13} />
          </svg>
          <span>{text.marks[kind](formatDay(date))}</span>
        </li>
      ))}
    </ul>
  )
}
