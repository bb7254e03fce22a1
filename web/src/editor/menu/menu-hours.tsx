import { weekdays, type Weekday } from '@everscan/contract/schema/weekdays.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { Plus, X } from 'lucide-react'
import { currentLocale } from '../../words/chosen-language.ts'
import { menuWords } from '../../words/menu-words.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'

const text = menuWords
const mondayMs = Date.UTC(2024, 0, 1)
const dayMs = 24 * 60 * 60_000

type Hours = { days: readonly Weekday[]; from: string; to: string }
type Props = {
  value: unknown
  path: string
  form: FormPaths
  onChange: (hours: readonly Hours[] | undefined) => void
}

/** Edits opening hours: lines of days and a time each. */
export function MenuHours({ value, path, form, onChange }: Props) {
  const lines = hoursOf(value)
  const taken = new Set(lines.flatMap(({ days }) => days))
  const free = weekdays.filter((day) => !taken.has(day))
  const set = (next: readonly Hours[]) => onChange(next.length === 0 ? undefined : next)
  const last = lines.at(-1)
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 text-sm font-medium">{text.hours}</legend>
      {lines.map((line, at) => (
        <HoursLine
          // Lines have no ids, and the form holds their content.
          // oxlint-disable-next-line no-array-index-key
          key={at}
          line={line}
          at={at}
          path={joinPath(path, at)}
          form={form}
          onChange={(changed) => set(lines.with(at, { ...line, ...changed }))}
          onRemove={() => set(lines.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button
          disabled={lines.length >= limits.menuHoursMax}
          onClick={() =>
            set([
              ...lines,
              {
                days: free.length === 0 ? weekdays : free,
                from: last?.from ?? '11:00',
                to: last?.to ?? '22:00',
              },
            ])
          }
        >
          <Plus size={16} aria-hidden />
          {text.addHours}
        </Button>
      </div>
      <p className="text-sm text-soft">{text.hoursHint}</p>
    </fieldset>
  )
}

type LineProps = {
  line: Hours
  at: number
  path: string
  form: FormPaths
  onChange: (changed: Partial<Hours>) => void
  onRemove: () => void
}

function HoursLine({ line, at, path, form, onChange, onRemove }: LineProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-end gap-x-3 gap-y-2">
      <legend className="sr-only">{text.hoursLine(at + 1)}</legend>
      <Days
        days={line.days}
        problem={form.problemAt(joinPath(path, 'days'))}
        onChange={(days) => onChange({ days })}
      />
      {(['from', 'to'] as const).map((end) => (
        <Field
          key={end}
          label={text[end]}
          type="time"
          className="min-w-26 flex-1 basis-26 sm:max-w-32"
          value={line[end]}
          problem={form.problemAt(joinPath(path, end))}
          onChange={({ target }) => onChange({ [end]: target.value })}
          onBlur={() => form.onLeave(joinPath(path, end))}
        />
      ))}
      <button
        type="button"
        aria-label={text.removeHours(at + 1)}
        onClick={onRemove}
        className={iconButtonClass}
      >
        <X size={18} aria-hidden />
      </button>
    </fieldset>
  )
}

type DaysProps = {
  days: readonly Weekday[]
  problem: string | undefined
  onChange: (days: readonly Weekday[]) => void
}

function Days({ days, problem, onChange }: DaysProps) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{text.days}</legend>
      <div className="flex flex-wrap gap-1">
        {weekdays.map((day, at) => (
          <label
            key={day}
            className="relative flex min-h-10 min-w-10 cursor-pointer items-center justify-center rounded-control border border-line px-1.5 text-sm has-checked:border-brand has-checked:bg-brand has-checked:text-on-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand"
          >
            <input
              type="checkbox"
              aria-label={dayName(at, 'long')}
              checked={days.includes(day)}
              className="absolute inset-0 cursor-pointer opacity-0"
              onChange={({ target }) =>
                onChange(weekdays.filter((one) => (one === day ? target.checked : days.includes(one))))
              }
            />
            <span aria-hidden>{dayName(at, 'short')}</span>
          </label>
        ))}
      </div>
      {problem !== undefined && <p className="mt-1 text-sm text-danger">{problem}</p>}
    </fieldset>
  )
}

const dayName = (at: number, weekday: 'short' | 'long') =>
  new Intl.DateTimeFormat(currentLocale(), { weekday, timeZone: 'UTC' }).format(mondayMs + at * dayMs)

function hoursOf(value: unknown): Hours[] {
  if (!Array.isArray(value)) return []
  return value.filter(isRecord).map(({ days, from, to }) => ({
    days: weekdays.filter((day) => Array.isArray(days) && days.includes(day)),
    from: typeof from === 'string' ? from : '',
    to: typeof to === 'string' ? to : '',
  }))
}
