import { Download, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { downloadAddress, type AnalyticsScope } from './analytics.ts'
import { ownTimezone, queryOf, type Asked } from './asked.ts'
import { filterNames, type AnalyticsSearch, type FilterName } from './analytics-search.ts'
import { formatDays } from '../ui/format.ts'
import { datesBefore, intervals, isDate, periodNames } from './periods.ts'
import { valueName } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Menu, MenuLink } from '../ui/menu.tsx'

const text = analyticsWords

const timezones = [...new Set([ownTimezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]

type Props = {
  scope: AnalyticsScope
  search: AnalyticsSearch
  asked: Asked
  /**
   * Called with changes to the search parameters. The others stay, but the list of scans returns to
   * its first page.
   */
  onSearch: (changes: AnalyticsSearch) => void
}

/** Chooses the days, the time zone, the interval and the comparison. */
export function AnalyticsControls({ scope, search, asked, onSearch }: Props) {
  const { period = '30d', compare = true } = search
  const { dates, timezone, interval } = asked
  return (
    <div role="group" aria-label={text.controls} className="mb-4 grid gap-2">
      <div className="grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap">
        <Choice
          label={text.period}
          className="sm:w-auto"
          value={period}
          options={periodNames.map((one) => [one, text.periods[one]] as const)}
          onChoose={(chosen) =>
            onSearch({
              period: chosen === '30d' ? undefined : chosen,
              from: chosen === 'own' ? dates.startDate : undefined,
              to: chosen === 'own' ? dates.endDate : undefined,
              interval: undefined,
            })
          }
        />
        <Choice
          label={text.interval}
          className="sm:w-auto"
          value={interval}
          options={intervals
            .filter((one) => asked.intervals.includes(one))
            .map((one) => [one, text.intervals[one]] as const)}
          onChoose={(chosen) => onSearch({ interval: chosen })}
        />
        <Choice
          label={text.timezone}
          className="sm:w-60"
          value={timezone}
          options={[...new Set([...timezones, timezone])].map(
            (one) => [one, one === ownTimezone ? text.thisDevice(one) : one] as const,
          )}
          onChoose={(chosen) => onSearch({ timezone: chosen === ownTimezone ? undefined : chosen })}
        />
        <div className="sm:order-last sm:ms-auto">
          <Downloads scope={scope} search={search} asked={asked} />
        </div>
        {period !== 'all' && (
          <label className="col-span-2 flex min-h-10 cursor-pointer items-center gap-2 px-1 text-sm">
            <input
              type="checkbox"
              checked={compare}
              onChange={(event) => onSearch({ compare: event.target.checked ? undefined : false })}
              className="size-4 accent-brand"
            />
            {text.compare(formatDays(datesBefore(dates)))}
          </label>
        )}
      </div>
      {period === 'own' && <OwnDates asked={asked} onSearch={onSearch} />}
      <FilterChips search={search} onSearch={onSearch} />
    </div>
  )
}

/** Edits custom dates. They apply once both are valid days and the first is not after the last. */
function OwnDates({ asked: { dates }, onSearch }: Pick<Props, 'asked' | 'onSearch'>) {
  const [from, setFrom] = useState(dates.startDate)
  const [to, setTo] = useState(dates.endDate)
  // The URL wins when it changes by itself: back and forward.
  useEffect(() => {
    setFrom(dates.startDate)
    setTo(dates.endDate)
  }, [dates.startDate, dates.endDate])
  const ask = (changed: { from: string; to: string }) => {
    setFrom(changed.from)
    setTo(changed.to)
    if (isDate(changed.from) && isDate(changed.to) && changed.from <= changed.to)
      onSearch({ ...changed, interval: undefined })
  }
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex">
      <Field
        label={text.from}
        type="date"
        min="1970-01-01"
        max={to}
        value={from}
        onChange={(event) => ask({ from: event.target.value, to })}
      />
      <Field
        label={text.to}
        type="date"
        min={from}
        max="2099-12-31"
        value={to}
        onChange={(event) => ask({ from, to: event.target.value })}
      />
    </div>
  )
}

/**
 * Offers files. The browser downloads them directly from the API, so nothing passes through this
 * page.
 */
function Downloads({ scope, search, asked }: Pick<Props, 'scope' | 'search' | 'asked'>) {
  const query = queryOf(search, asked, asked.dates)
  return (
    <Menu
      trigger={
        <Button className="w-full">
          <Download size={16} aria-hidden />
          {text.download}
        </Button>
      }
    >
      {(['scans', 'figures'] as const)
        // The API exports single scans only per code.
        .filter((file) => file === 'figures' || scope.codeId !== undefined)
        .map((file) => (
          <MenuLink key={file}>
            <a
              href={downloadAddress(scope, file, query)}
              download={`analytics-${query.startDate}-${query.endDate}.${file === 'scans' ? 'csv' : 'json'}`}
            >
              {text.downloads[file]}
            </a>
          </MenuLink>
        ))}
    </Menu>
  )
}

/** Lists the active filters. The cross of a filter removes it. */
function FilterChips({ search, onSearch }: Pick<Props, 'search' | 'onSearch'>) {
  const chips = filterNames.flatMap((name) => (search[name] ?? []).map((value) => ({ name, value })))
  if (chips.length === 0) return null
  const without = (name: FilterName, value: string) => {
    const rest = search[name]?.filter((one) => one !== value) ?? []
    onSearch({ [name]: rest.length === 0 ? undefined : rest })
  }
  const none = Object.fromEntries(filterNames.map((name) => [name, undefined]))
  return (
    <ul aria-label={text.filters.label} className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, value }) => {
        const said = [text.filters.names[name], valueName(name, value)] as const
        return (
          <li key={`${name} ${value}`}>
            <Button aria-label={text.filters.remove(...said)} onClick={() => without(name, value)}>
              {text.filters.chip(...said)}
              <X size={16} aria-hidden />
            </Button>
          </li>
        )
      })}
      {chips.length > 1 && (
        <li>
          <Button look="quiet" onClick={() => onSearch(none)}>
            {text.filters.clear}
          </Button>
        </li>
      )}
    </ul>
  )
}
