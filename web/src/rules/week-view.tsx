import { commonRanges, weekMinutes, weekRanges, type WeekRange } from '@everscan/contract/rules/week-hours.ts'
import { weekdays } from '@everscan/contract/schema/weekdays.ts'
import { rulesWords } from '../words/rules-words.ts'
import type { DraftRule } from './rule-drafts.ts'
import { zoneCity } from './rule-sentences.ts'

const text = rulesWords.week
const dayMinutes = weekMinutes / weekdays.length

/**
 * A stretch of a day in which the same rule takes every visitor, except those that `before` takes.
 */
type Slot = { from: number; to: number; rule: DraftRule | undefined; before: DraftRule | undefined }

const tones = ['bg-brand', 'bg-warning', 'bg-soft', 'bg-ink'] as const

/** Shows which rule fits when, if rules have days or hours. */
export function WeekView({ rules, nowMs }: { rules: readonly DraftRule[]; nowMs: number }) {
  const timed = rules.filter(({ when }) => when.days !== undefined || when.from !== undefined)
  const zone = timed[0]?.when.timeZone
  if (zone === undefined) return null
  const isShown = ({ enabled, when }: DraftRule) =>
    enabled &&
    !(Date.parse(when.endsAt ?? '') <= nowMs || Date.parse(when.startsAt ?? '') > nowMs) &&
    (when.timeZone === undefined || when.timeZone === zone || !timed.some((one) => one.when === when))
  const shown = rules.filter(isShown)
  const toneOf = (rule: DraftRule) => tones[shown.indexOf(rule) % tones.length] ?? tones[0]
  return (
    <section aria-label={text.title} className="grid gap-2">
      <h3 className="text-sm font-semibold">{text.title}</h3>
      <p className="text-sm text-soft">{text.text(zoneCity(zone))}</p>
      <ol className="grid gap-1">
        {weekdays.map((day, at) => (
          <li key={day} className="grid grid-cols-[2.5rem_1fr] items-center gap-2 text-xs">
            <span className="text-soft">{rulesWords.shortWeekdays[day]}</span>
            <ul className="flex h-6 overflow-hidden rounded bg-raised">
              {slotsOf(shown, at * dayMinutes).map((slot) => (
                <li
                  key={slot.from}
                  title={said(slot, day)}
                  style={{ width: `${((slot.to - slot.from) / dayMinutes) * 100}%` }}
                  className={slot.rule === undefined ? '' : toneOf(slot.rule)}
                >
                  {slot.before !== undefined && <span className={`block h-1.5 ${toneOf(slot.before)}`} />}
                  <span className="sr-only">{said(slot, day)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      <Hours />
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {shown.map((rule) => (
          <li key={rule.id} className="flex items-center gap-2">
            <span
              aria-hidden
              className={`w-3 rounded-sm ${isPartial(rule) ? 'h-1.5' : 'h-3'} ${toneOf(rule)}`}
            />
            {rule.name}
            {isPartial(rule) && <span className="text-soft">({text.some})</span>}
          </li>
        ))}
        <li className="flex items-center gap-2">
          <span aria-hidden className="size-3 rounded-sm border border-line bg-raised" />
          {rulesWords.everyoneElse}
        </li>
      </ul>
      {timed.some(({ when }) => when.timeZone !== zone) && <p className="text-sm text-soft">{text.others}</p>}
    </section>
  )
}

/** Tells the hours below the days. */
function Hours() {
  return (
    <div aria-hidden className="grid grid-cols-[2.5rem_1fr] gap-2 text-xs text-soft">
      <span />
      <span className="flex justify-between">
        {['00', '06', '12', '18', '24'].map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </span>
    </div>
  )
}

const timeFields = new Set(['days', 'from', 'to', 'timeZone', 'startsAt', 'endsAt'])

/** Whether a rule asks for more than the time, so that it takes some visitors only. */
function isPartial({ when }: DraftRule): boolean {
  return Object.keys(when).some((field) => !timeFields.has(field))
}

/** Divides a day where another rule comes first. */
function slotsOf(rules: readonly DraftRule[], start: number): Slot[] {
  const day: WeekRange = { from: start, to: start + dayMinutes }
  const ranges = rules.map((rule) => ({ rule, ranges: commonRanges([day], weekRanges(rule.when)) }))
  const edges = [
    day.from,
    day.to,
    ...ranges.flatMap((one) => one.ranges.flatMap(({ from, to }) => [from, to])),
  ]
  const sorted = [...new Set(edges)].toSorted((a, b) => a - b)
  const slots: Slot[] = []
  for (const [at, from] of sorted.slice(0, -1).entries()) {
    const fitting = ranges.flatMap((one) =>
      one.ranges.some((range) => range.from <= from && range.to > from) ? [one.rule] : [],
    )
    const rule = fitting.find((one) => !isPartial(one))
    const first = fitting[0]
    const slot = { from, to: sorted[at + 1] ?? from, rule, before: first === rule ? undefined : first }
    const last = slots.at(-1)
    if (last?.rule === slot.rule && last?.before === slot.before && last !== undefined) last.to = slot.to
    else slots.push(slot)
  }
  return slots
}

function said({ from, to, rule, before }: Slot, day: (typeof weekdays)[number]): string {
  const names = [
    ...(before === undefined ? [] : [text.first(before.name)]),
    rule?.name ?? rulesWords.everyoneElse,
  ]
  const start = from - (from % dayMinutes)
  return text.slot(rulesWords.weekdays[day], clock(from - start), clock(to - start), names.join(', '))
}

function clock(minutes: number): string {
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const two = (number: number) => String(number).padStart(2, '0')
