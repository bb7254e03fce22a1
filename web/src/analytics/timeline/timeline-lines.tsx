import type { AnalyticsMark, Interval } from '@everscan/contract/resources/analytics.ts'
import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { formatBucket, formatNumber } from '../../ui/format.ts'
import { useWidth } from '../../ui/use-width.ts'
import { analyticsWords } from '../../words/analytics-words.ts'
import { marksByPoint, type Point } from '../asked.ts'
import { dashes, Flag, looks } from './timeline-looks.tsx'
import { edge, height, labelled, timelineScale, type TimelineScale } from './timeline-scale.ts'
import { formOf, readOut } from './timeline-words.ts'

const text = analyticsWords.timeline
/** Width of a label below the chart, in pixels. */
const labelWidth = 80

export type LinesProps = {
  points: readonly Point[]
  /**
   * Points of the days before, aligned with `points` by index. Undefined if nothing is compared.
   */
  before: readonly Point[] | undefined
  interval: Interval
  /**
   * Days from which on uniques cannot be compared with earlier ones. Some of these days have no
   * point.
   */
  marks: readonly AnalyticsMark[]
}

/**
 * Takes one stop of the tab key. From there the arrow keys move from point to point, and screen
 * readers read each.
 */
export function Lines({ points, before, interval, marks }: LinesProps) {
  const [element, width] = useWidth<HTMLDivElement>()
  const shownBefore = before?.slice(0, points.length)
  const scale = timelineScale(points, shownBefore, width)
  const { last, x } = scale
  const { at, events } = useChosenPoint(scale)
  const pointed = at === undefined ? undefined : points[at]
  const marked = marksByPoint(marks, points, interval)
  const readAt = (index: number) =>
    readOut(points[index], before?.[index], interval) + (marked.has(index) ? text.andMark : '')
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
      {...events}
      className="relative touch-pan-y rounded-control"
      style={{ height }}
    >
      <svg width={width} height={height} aria-hidden>
        <Grid scale={scale} />
        <Labels points={points} interval={interval} scale={scale} />
        <Curves points={points} before={shownBefore} scale={scale} />
        {[...marked.keys()]
          .filter((index) => index >= 0)
          .map((index) => (
            <g key={index} strokeDasharray="2 3">
              <Flag x={x(index)} top={edge.top} height={scale.area.height} />
            </g>
          ))}
        {last === 0 && (
          <circle cx={x(0)} cy={scale.y(points[0]?.scans ?? 0)} r="5" fill="var(--color-brand)" />
        )}
        {points[last]?.isSoFar === true && <SoFar scans={points[last].scans} scale={scale} />}
        {at !== undefined && pointed !== undefined && <Pointer at={at} scans={pointed.scans} scale={scale} />}
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

/** Chooses a point by arrow keys or with the pointer. */
function useChosenPoint({ last, area }: TimelineScale) {
  const [chosen, setChosen] = useState<number>()
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
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
  return {
    at,
    events: {
      onKeyDown: move,
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: () => setChosen(undefined),
      onBlur: () => setChosen(undefined),
    },
  }
}

function Grid({ scale: { steps, area, y } }: { scale: TimelineScale }) {
  return steps.map((step) => (
    <g key={step}>
      <path d={`M${edge.left},${y(step)}h${area.width}`} stroke="var(--color-line)" />
      <text x={edge.left - 8} y={y(step) + 4} textAnchor="end" fontSize="12" fill="var(--color-soft)">
        {formatNumber(step)}
      </text>
    </g>
  ))
}

function Labels({
  points,
  interval,
  scale: { area, last, x },
}: Pick<LinesProps, 'points' | 'interval'> & { scale: TimelineScale }) {
  const isHoursOfDays = interval === 'hour' && points.length > 24
  return labelled(points, Math.floor(area.width / labelWidth), isHoursOfDays ? 24 : 1).map((index) => (
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
  ))
}

/**
 * Draws the lines. The last bucket is drawn apart if it is not over: its few scans so far are no
 * plunge.
 */
function Curves({ points, before, scale }: Pick<LinesProps, 'points' | 'before'> & { scale: TimelineScale }) {
  const { last, x, y, lineOf } = scale
  const isSoFar = points[last]?.isSoFar === true
  const over = isSoFar ? points.slice(0, -1) : points
  const scansLine = lineOf(over.map(({ scans }) => scans))
  const restOf = (counts: readonly number[]) => (isSoFar ? lineOf(counts, Math.max(last - 1, 0)) : '')
  // A day in the future has no points to draw.
  if (over.length === 0) return null
  return (
    <>
      <path
        d={`${scansLine}L${x(over.length - 1)},${y(0)}L${x(0)},${y(0)}Z`}
        fill="var(--color-brand)"
        fillOpacity="0.1"
      />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        {before !== undefined && <path d={lineOf(before.map(({ scans }) => scans))} {...looks.before} />}
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
  )
}

/** Says that the last point is not over. */
function SoFar({ scans, scale: { last, x, y } }: { scans: number; scale: TimelineScale }) {
  return (
    <text
      x={x(last)}
      y={Math.max(y(scans) - 10, edge.top + 4)}
      textAnchor={last === 0 ? 'middle' : 'end'}
      fontSize="12"
      fill="var(--color-soft)"
      stroke="var(--color-surface)"
      strokeWidth="4"
      paintOrder="stroke"
    >
      {text.soFar}
    </text>
  )
}

function Pointer({ at, scans, scale: { area, x, y } }: { at: number; scans: number; scale: TimelineScale }) {
  return (
    <>
      <path d={`M${x(at)},${edge.top}v${area.height}`} stroke="var(--color-soft)" />
      <circle
        cx={x(at)}
        cy={y(scans)}
        r="5"
        fill="var(--color-brand)"
        stroke="var(--color-surface)"
        strokeWidth="2"
      />
    </>
  )
}
