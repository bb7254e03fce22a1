import type { AnalyticsMark, Interval } from '@everscan/contract/resources/analytics.ts'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { marksByPoint, type Point } from './asked.ts'
import { formatBucket, formatDay, formatDays, formatNumber, type BucketForm } from '../ui/format.ts'
import type { PeriodDays } from '@everscan/contract/views/view-periods.ts'
import { stepsUpTo } from '../ui/scales.ts'
import { useWidth } from '../ui/use-width.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { ChartCard, NumberTable } from './chart-card.tsx'

const text = analyticsWords.timeline
const height = 260
const edge = { top: 12, right: 12, bottom: 28, left: 44 }
/** Width of a label below the chart, in pixels. */
const labelWidth = 80

type Props = {
  points: readonly Point[]
  /**
   * Points of the days before, aligned with `points` by index. Undefined if nothing is compared.
   */
  before: readonly Point[] | undefined
  /** Days of `before`. */
  comparedWith: PeriodDays | undefined
  interval: Interval
  /**
   * Days from which on uniques cannot be compared with earlier ones. Some of these days have no
   * point.
   */
  marks: readonly AnalyticsMark[]
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

const looks = {
  scans: { stroke: 'var(--color-brand)', strokeWidth: 2.5 },
  uniqueScans: { stroke: 'var(--color-warning)', strokeWidth: 2, strokeDasharray: '1 4' },
  before: { stroke: 'var(--color-soft)', strokeWidth: 1.5, strokeDasharray: '7 5' },
} as const
type Line = keyof typeof looks
/** Dashes of the part of a line that is not over. */
const dashes = '5 6'

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

/** Draws a pole with a pennant. In the chart, the pole is as high as the chart. */
function Flag({ x, top, height: poleHeight }: { x: number; top: number; height: number }) {
  return (
    <>
      <path d={`M${x},${top}v${poleHeight}`} stroke="var(--color-warning)" strokeWidth="1.5" />
      <path d={`M${x},${top}l8,4l-8,4Z`} fill="var(--color-warning)" />
    </>
  )
}

/**
 * Takes one stop of the tab key. From there the arrow keys move from point to point, and screen
 * readers read each.
 */
function Lines({ points, before, interval, marks }: Props) {
  const [element, width] = useWidth<HTMLDivElement>()
  const [chosen, setChosen] = useState<number>()
  const last = points.length - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const area = { width: Math.max(width - edge.left - edge.right, 1), height: height - edge.top - edge.bottom }
  const shownBefore = before?.slice(0, points.length)
  const steps = stepsUpTo(Math.max(...[...points, ...(shownBefore ?? [])].map(({ scans }) => scans), 1))
  const highest = steps.at(-1) ?? 1
  const x = (index: number) => edge.left + (last < 1 ? area.width / 2 : (index / last) * area.width)
  const y = (count: number) => edge.top + area.height * (1 - count / highest)
  const lineOf = (counts: readonly number[], from = 0) =>
    counts
      .slice(from)
      .map((count, index) => `${index === 0 ? 'M' : 'L'}${x(from + index).toFixed(1)},${y(count).toFixed(1)}`)
      .join('')
  const isHoursOfDays = interval === 'hour' && points.length > 24
  const isSoFar = points[last]?.isSoFar === true
  // The last bucket is drawn apart if it is not over: its few scans so far are no plunge.
  const over = isSoFar ? points.slice(0, -1) : points
  const scansLine = lineOf(over.map(({ scans }) => scans))
  const restOf = (counts: readonly number[]) => (isSoFar ? lineOf(counts, Math.max(last - 1, 0)) : '')
  const pointed = at === undefined ? undefined : points[at]
  const marked = marksByPoint(marks, points, interval)
  const readAt = (index: number) =>
    readOut(points[index], before?.[index], interval) + (marked.has(index) ? text.andMark : '')

  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? last + 1) - 1, Home: 0, End: last }[event.key]
    if (event.key === 'Escape') setChosen(undefined)
    if (to === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(to, last)))
  }
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const from = currentTarget.getBoundingClientRect().left + edge.left
    setChosen(Math.max(0, Math.min(Math.round(((clientX - from) / area.width) * last), last)))
  }
  return (
    <div
      ref={element}
      dir="ltr"
      role="slider"
      tabIndex={0}
      aria-label={text.label}
      aria-valuemin={0}
      aria-valuemax={Math.max(last, 0)}
      aria-valuenow={at ?? 0}
      aria-valuetext={at === undefined ? text.title : readAt(at)}
      onKeyDown={move}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setChosen(undefined)}
      onBlur={() => setChosen(undefined)}
      className="relative touch-pan-y rounded-control"
      style={{ height }}
    >
      <svg width={width} height={height} aria-hidden>
        {steps.map((step) => (
          <g key={step}>
            <path d={`M${edge.left},${y(step)}h${area.width}`} stroke="var(--color-line)" />
            <text x={edge.left - 8} y={y(step) + 4} textAnchor="end" fontSize="12" fill="var(--color-soft)">
              {formatNumber(step)}
            </text>
          </g>
        ))}
        {labelled(points, Math.floor(area.width / labelWidth), isHoursOfDays ? 24 : 1).map((index) => (
          <text
            key={index}
            x={x(index)}
            y={height - 6}
            textAnchor={last > 0 && index === last ? 'end' : last > 0 && index === 0 ? 'start' : 'middle'}
            fontSize="12"
            fill="var(--color-soft)"
          >
            {isHoursOfDays
              ? formatBucket(points[index]?.date.slice(0, 10) ?? '', 'day', 'short')
              : formatBucket(points[index]?.date ?? '', formOf(interval), 'short')}
          </text>
        ))}
        {/* A day in the future has no points to draw. */}
        {over.length > 0 && (
          <>
            <path
              d={`${scansLine}L${x(over.length - 1)},${y(0)}L${x(0)},${y(0)}Z`}
              fill="var(--color-brand)"
              fillOpacity="0.1"
            />
            <g fill="none" strokeLinecap="round" strokeLinejoin="round">
              {shownBefore !== undefined && (
                <path d={lineOf(shownBefore.map(({ scans }) => scans))} {...looks.before} />
              )}
              <path d={lineOf(over.map(({ uniqueScans }) => uniqueScans))} {...looks.uniqueScans} />
              <path
                d={restOf(points.map(({ uniqueScans }) => uniqueScans))}
                {...looks.uniqueScans}
                strokeOpacity="0.6"
              />
              <path d={scansLine} {...looks.scans} />
              <path
                data-so-far={isSoFar}
                d={restOf(points.map(({ scans }) => scans))}
                {...looks.scans}
                strokeDasharray={dashes}
              />
            </g>
          </>
        )}
        {[...marked.keys()]
          .filter((index) => index >= 0)
          .map((index) => (
            <g key={index} strokeDasharray="2 3">
              <Flag x={x(index)} top={edge.top} height={area.height} />
            </g>
          ))}
        {last === 0 && <circle cx={x(0)} cy={y(points[0]?.scans ?? 0)} r="5" fill="var(--color-brand)" />}
        {isSoFar && (
          <text
            x={x(last)}
            y={Math.max(y(points[last]?.scans ?? 0) - 10, edge.top + 4)}
            textAnchor={last === 0 ? 'middle' : 'end'}
            fontSize="12"
            fill="var(--color-soft)"
            stroke="var(--color-surface)"
            strokeWidth="4"
            paintOrder="stroke"
          >
            {text.soFar}
          </text>
        )}
        {at !== undefined && pointed !== undefined && (
          <>
            <path d={`M${x(at)},${edge.top}v${area.height}`} stroke="var(--color-soft)" />
            <circle
              cx={x(at)}
              cy={y(pointed.scans)}
              r="5"
              fill="var(--color-brand)"
              stroke="var(--color-surface)"
              strokeWidth="2"
            />
          </>
        )}
      </svg>
      {at !== undefined && pointed !== undefined && (
        <p
          className="pointer-events-none absolute top-0 w-44 rounded-control border border-line bg-raised px-3 py-2 text-sm shadow-lg"
          style={x(at) > width / 2 ? { right: width - x(at) + 12 } : { left: x(at) + 12 }}
        >
          {readAt(at)}
        </p>
      )}
    </div>
  )
}

/**
 * Returns evenly spaced indexes of points, as many as have room for a label, starting with the
 * first. The spacing is a multiple of `every`.
 */
function labelled(points: readonly Point[], room: number, every: number): readonly number[] {
  const last = points.length - 1
  const stepLeast = Math.ceil(last / Math.max(room - 1, 1) / every) * every
  // A longer step that ends at the last point is better, because readers look for the end of a line
  // most.
  const step = [0, 1, 2].map((more) => stepLeast + more * every).find((one) => last % one === 0) ?? stepLeast
  return points.flatMap((_, index) => (step === 0 || index % step === 0 ? [index] : []))
}

function readOut(point: Point | undefined, before: Point | undefined, interval: Interval): string {
  if (point === undefined) return ''
  const { date, scans, uniqueScans, isSoFar } = point
  return [
    text.point(longDate(date, interval), analyticsWords.scans(scans, formatNumber(scans))),
    text.andUnique(formatNumber(uniqueScans)),
    isSoFar ? text.andSoFar : '',
    before === undefined ? '' : text.andBefore(formatNumber(before.scans)),
  ].join('')
}

function longDate(date: string, interval: Interval): string {
  const written = formatBucket(date, formOf(interval), interval === 'week' ? 'short' : 'long')
  return interval === 'week' ? text.week(`${written} ${date.slice(0, 4)}`) : written
}

function formOf(interval: Interval): BucketForm {
  return interval === 'week' ? 'day' : interval
}
