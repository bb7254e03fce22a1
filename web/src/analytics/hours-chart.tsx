import { useState, type KeyboardEvent } from 'react'
import type { Figures } from './analytics.ts'
import { formatHour, formatNumber, formatWeekday } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { ChartCard, NumberTable } from './chart-card.tsx'

const text = analyticsWords.hours
const weekdays = [1, 2, 3, 4, 5, 6, 7] as const
const hours = Array.from({ length: 24 }, (_, hour) => hour)
/** Smallest side of a square, 0 to 1. A smaller square would be invisible. */
const sideLeast = 0.25

/** Shows scans by weekday and hour, as squares whose size stands for the count. */
export function HoursChart({ figures, className = '' }: { figures: Figures; className?: string }) {
  const counts = new Map(figures.hours.map((one) => [one.weekday * 24 + one.hour, one.scans]))
  const scansAt = (weekday: number, hour: number) => counts.get(weekday * 24 + hour) ?? 0
  const columns = [text.hour, ...weekdays.map((weekday) => formatWeekday(weekday, 'short'))]
  const rows = hours.map((hour) => [
    formatHour(hour),
    ...weekdays.map((weekday) => formatNumber(scansAt(weekday, hour))),
  ])
  return (
    <ChartCard
      title={text.title}
      className={className}
      table={<NumberTable caption={text.title} columns={columns} rows={rows} />}
    >
      <Squares scansAt={scansAt} highest={Math.max(...counts.values(), 1)} />
    </ChartCard>
  )
}

type SquaresProps = { scansAt: (weekday: number, hour: number) => number; highest: number }

/** Takes one stop of the tab key. The arrow keys move by the hour and by the day. */
function Squares({ scansAt, highest }: SquaresProps) {
  const [chosen, setChosen] = useState<{ weekday: number; hour: number }>()
  const { weekday = 1, hour = 0 } = chosen ?? {}
  const said = chosen === undefined ? text.hint : readOut(chosen, scansAt(weekday, hour))

  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key]
    if (event.key === 'Escape') setChosen(undefined)
    if (step === undefined) return
    event.preventDefault()
    const [days = 0, more = 0] = chosen === undefined ? [0, 0] : step
    setChosen({
      weekday: Math.max(1, Math.min(weekday + days, 7)),
      hour: Math.max(0, Math.min(hour + more, 23)),
    })
  }
  return (
    <>
      <div
        role="slider"
        tabIndex={0}
        aria-label={text.label}
        aria-valuemin={0}
        aria-valuemax={167}
        aria-valuenow={(weekday - 1) * 24 + hour}
        aria-valuetext={chosen === undefined ? text.title : said}
        onKeyDown={move}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
        dir="ltr"
        className="grid grid-cols-[2.25rem_repeat(24,minmax(0,1fr))] items-center gap-y-0.5 rounded-control"
      >
        {weekdays.map((day) => (
          <Weekday
            key={day}
            day={day}
            scansAt={scansAt}
            highest={highest}
            chosen={chosen}
            onPoint={setChosen}
          />
        ))}
        {[0, 6, 12, 18].map((from) => (
          <span
            key={from}
            aria-hidden
            style={{ gridColumn: `${from + 2} / span 6` }}
            className="ps-1 pt-1 text-xs text-soft"
          >
            {formatHour(from)}
          </span>
        ))}
      </div>
      <p className="mt-3 min-h-6 text-sm text-soft">{said}</p>
    </>
  )
}

type Place = { weekday: number; hour: number }

function Weekday({
  day,
  scansAt,
  highest,
  chosen,
  onPoint,
}: SquaresProps & { day: number; chosen: Place | undefined; onPoint: (place: Place) => void }) {
  return (
    <>
      <span aria-hidden className="text-xs text-soft">
        {formatWeekday(day, 'short')}
      </span>
      {hours.map((hour) => {
        const scans = scansAt(day, hour)
        // Readers compare areas, so the side is the square root of the share.
        const side = scans === 0 ? 0 : Math.max(Math.sqrt(scans / highest), sideLeast)
        const isChosen = chosen?.weekday === day && chosen.hour === hour
        return (
          <span
            key={hour}
            onPointerEnter={() => onPoint({ weekday: day, hour })}
            onPointerDown={() => onPoint({ weekday: day, hour })}
            className={`grid h-7 place-items-center rounded-sm ${isChosen ? 'outline-2 outline-ink' : ''}`}
          >
            <span
              className={`block max-w-full rounded-sm ${scans === 0 ? 'bg-line' : 'bg-brand'}`}
              style={{
                aspectRatio: '1',
                width: scans === 0 ? '3px' : `min(${side * 100}%, ${side * 1.5}rem)`,
              }}
            />
          </span>
        )
      })}
    </>
  )
}

function readOut({ weekday, hour }: Place, scans: number): string {
  const counted = analyticsWords.scans(scans, formatNumber(scans))
  return text.at(formatWeekday(weekday, 'long'), formatHour(hour), counted)
}
