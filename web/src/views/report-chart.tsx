import type { SharedView } from '@everscan/client/create-client.ts'
import { formatBucket, formatNumber } from '../ui/format.ts'
import { stepsUpTo } from '../ui/scales.ts'
import { viewsWords } from '../words/views-words.ts'

const text = viewsWords.report
const height = 100
/** Part of a bar's place that the bar takes. */
const barShare = 0.72

type Props = { timeline: SharedView['timeline']; interval: SharedView['interval'] }

/**
 * Draws scans over time as bars. They stretch to any width, on paper too, so their labels are
 * outside of the picture.
 */
export function ReportChart({ timeline, interval }: Props) {
  const steps = stepsUpTo(Math.max(...timeline.map(({ scans }) => scans), 1))
  const highest = steps.at(-1) ?? 1
  return (
    <figure className="relative">
      <div className="flex gap-2">
        <div aria-hidden className="relative w-12 text-end text-xs text-soft tabular-nums print:text-[7pt]">
          {steps.map((step) => (
            <span
              key={step}
              className="absolute end-0 -translate-y-1/2"
              style={{ top: `${100 - (100 * step) / highest}%` }}
            >
              {formatNumber(step)}
            </span>
          ))}
        </div>
        <Bars timeline={timeline} steps={steps} />
      </div>
      <div aria-hidden className="ms-14 mt-2 flex justify-between text-xs text-soft print:text-[7pt]">
        {labelled(timeline).map((at) => (
          <span key={at}>{bucketWords(timeline[at], interval)}</span>
        ))}
      </div>
      <figcaption className="mt-2 ms-14 flex flex-wrap gap-x-5 text-sm text-soft print:mt-1 print:text-[8pt]">
        <Legend opacity={0.45} name={text.scans} />
        <Legend opacity={1} name={text.uniqueScans} />
      </figcaption>
      {/* A table grows with its content, whatever its width. */}
      <div className="sr-only">
        <BarTable timeline={timeline} interval={interval} />
      </div>
    </figure>
  )
}

function Bars({ timeline, steps }: Pick<Props, 'timeline'> & { steps: readonly number[] }) {
  const bar = (count: number) => (height * count) / (steps.at(-1) ?? 1)
  return (
    <svg
      role="img"
      aria-label={text.timelineLabel(formatNumber(Math.max(...timeline.map(({ scans }) => scans), 0)))}
      viewBox={`0 0 ${Math.max(timeline.length, 1)} ${height}`}
      preserveAspectRatio="none"
      className="h-52 min-w-0 flex-1 overflow-visible print:h-[42mm]"
    >
      {steps.map((step) => (
        <path
          key={step}
          d={`M0,${height - bar(step)}H${Math.max(timeline.length, 1)}`}
          stroke="var(--color-line)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {timeline.map(({ date, start, scans, uniqueScans }, at) => (
        <g key={start ?? date} fill="var(--color-brand)">
          <rect
            x={at + (1 - barShare) / 2}
            y={height - bar(scans)}
            width={barShare}
            height={bar(scans)}
            fillOpacity="0.45"
          />
          <rect
            x={at + (1 - barShare) / 2}
            y={height - bar(uniqueScans)}
            width={barShare}
            height={bar(uniqueScans)}
          />
        </g>
      ))}
    </svg>
  )
}

function BarTable({ timeline, interval }: Props) {
  return (
    <table>
      <caption>{text.timeline}</caption>
      <thead>
        <tr>
          {[text.date, text.scans, text.uniqueScans].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {timeline.map((bucket) => (
          <tr key={bucket.start ?? bucket.date}>
            <th scope="row">{bucketWords(bucket, interval, 'long')}</th>
            <td>{formatNumber(bucket.scans)}</td>
            <td>{formatNumber(bucket.uniqueScans)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Legend({ opacity, name }: { opacity: number; name: string }) {
  return (
    <span className="flex items-center gap-2">
      <svg width="12" height="12" aria-hidden>
        <rect width="12" height="12" rx="2" fill="var(--color-brand)" fillOpacity={opacity} />
      </svg>
      {name}
    </span>
  )
}

/** Returns the indexes of the first and the last bar, and of some between that have room. */
function labelled(timeline: Props['timeline']): readonly number[] {
  const last = timeline.length - 1
  if (last < 3) return timeline.map((_, at) => at)
  return [0, Math.round(last / 3), Math.round((2 * last) / 3), last]
}

function bucketWords(
  bucket: Props['timeline'][number] | undefined,
  interval: Props['interval'],
  length: 'short' | 'long' = 'short',
): string {
  if (bucket === undefined) return ''
  if (interval !== 'hour') return formatBucket(bucket.date, interval === 'month' ? 'month' : 'day', length)
  return formatBucket(bucket.date, 'day', length)
}
