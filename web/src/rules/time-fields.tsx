import { weekdays, type Weekday } from '@everscan/contract/schema/weekdays.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { useId } from 'react'
import { Field } from '../ui/field.tsx'
import { rulesWords } from '../words/rules-words.ts'
import type { ConditionProps } from './condition-props.ts'

const text = rulesWords.fields
const zones = Intl.supportedValuesOf('timeZone')

/** Edits days, hours and their time zone. */
export function HoursFields({ when, path, form, onChange }: ConditionProps) {
  const { days = [], from = '', to = '', timeZone = '' } = when
  const listId = useId()
  const at = (name: string) => ({
    problem: form.problemAt(joinPath(path, name)),
    onBlur: () => form.onLeave(joinPath(path, name)),
  })
  return (
    <div className="grid gap-3">
      <DayBoxes
        days={days}
        problem={form.problemAt(joinPath(path, 'days'))}
        onChange={(next) => onChange({ days: next.length === 0 ? undefined : next })}
      />
      <div className="grid gap-3 sm:grid-cols-[8rem_8rem_1fr]">
        <Field
          label={text.from}
          type="time"
          value={from}
          {...at('from')}
          onChange={({ target }) => onChange({ from: target.value || undefined })}
        />
        <Field
          label={text.to}
          type="time"
          value={to}
          {...at('to')}
          onChange={({ target }) => onChange({ to: target.value || undefined })}
        />
        <Field
          label={text.timeZone}
          hint={text.timeZoneHint}
          list={listId}
          autoComplete="off"
          value={timeZone}
          {...at('timeZone')}
          onChange={({ target }) => onChange({ timeZone: target.value || undefined })}
        />
        <datalist id={listId}>
          {zones.map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
      {from !== '' && to !== '' && to < from && <p className="text-sm text-soft">{text.overMidnight}</p>}
    </div>
  )
}

type DaysProps = {
  days: readonly Weekday[]
  problem: string | undefined
  onChange: (days: Weekday[]) => void
}

function DayBoxes({ days, problem, onChange }: DaysProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">{text.days}</legend>
      <div className="flex flex-wrap gap-1.5">
        {weekdays.map((day) => (
          <label
            key={day}
            className="relative flex min-h-10 min-w-12 cursor-pointer items-center justify-center rounded-control border border-line px-2 text-sm has-checked:border-brand has-checked:bg-brand has-checked:text-on-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
          >
            <input
              type="checkbox"
              aria-label={rulesWords.weekdays[day]}
              checked={days.includes(day)}
              className="absolute inset-0 cursor-pointer opacity-0"
              onChange={({ target }) =>
                onChange(weekdays.filter((one) => (one === day ? target.checked : days.includes(one))))
              }
            />
            <span aria-hidden>{rulesWords.shortWeekdays[day]}</span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="mt-1 text-sm text-danger">{problem}</p>}
    </fieldset>
  )
}

/** Edits a period, in the time of this device. */
export function PeriodFields({ when: { startsAt, endsAt }, path, form, onChange }: ConditionProps) {
  const field = (name: 'startsAt' | 'endsAt', value: string | undefined) => (
    <Field
      label={text[name]}
      hint={text.inYourTime}
      type="datetime-local"
      value={localOf(value)}
      problem={form.problemAt(joinPath(path, name))}
      onChange={({ target }) => onChange({ [name]: momentOf(target.value) })}
      onBlur={() => form.onLeave(joinPath(path, name))}
    />
  )
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      {field('startsAt', startsAt)}
      {field('endsAt', endsAt)}
    </div>
  )
}

/** Returns a time in the form of the browser's own field. */
export function localOf(iso: string | undefined): string {
  const ms = iso === undefined ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(ms)) return ''
  return new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

export function momentOf(local: string): string | undefined {
  const ms = Date.parse(local)
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
