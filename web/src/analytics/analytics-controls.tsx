import { useEffect, useState } from 'react'
import type { AnalyticsScope } from './analytics.ts'
import { ownTimezone, type Asked } from './asked.ts'
import type { AnalyticsSearch } from './analytics-search.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { useOpenView } from './view-page.tsx'
import { viewQueryOf } from './view-query.ts'
import type { RuleNames } from './destinations/rule-names.ts'
import { DownloadsMenu } from './downloads-menu.tsx'
import { FilterChips } from './filter-chips.tsx'
import { formatDays } from '../ui/format.ts'
import { datesBefore, defaultPeriod, isDate, periodNames, type PeriodName } from './periods.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Choice } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'

const text = analyticsWords

const timezones = [...new Set([ownTimezone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]

type Props = {
  scope: AnalyticsScope
  search: AnalyticsSearch
  asked: Asked
  ruleNames: RuleNames
  /** Proposed name of a view of this. */
  viewName: string
  /**
   * Called with changes to the search parameters. The others stay, but the list of scans returns to
   * its first page.
   */
  onSearch: (changes: AnalyticsSearch) => void
}

/** Chooses the days, the time zone, the interval and the comparison, and shows the filters. */
export function AnalyticsControls({ scope, search, asked, ruleNames, viewName, onSearch }: Props) {
  const openView = useOpenView(scope.orgId)
  const { period = defaultPeriod, compare = true } = search
  const { dates, timezone, interval } = asked
  return (
    <div role="group" aria-label={text.controls} className="mb-4 grid gap-2">
      <div className="grid grid-cols-[1fr_auto] items-center gap-2 sm:flex sm:flex-wrap">
        <PeriodChoice period={period} dates={dates} onSearch={onSearch} />
        <Choice
          label={text.interval}
          className="max-[24rem]:col-span-2 sm:w-auto"
          value={interval}
          options={asked.intervals.map((one) => [one, text.intervals[one]] as const)}
          onChoose={(chosen) => onSearch({ interval: chosen })}
        />
        <Choice
          label={text.timezone}
          className="max-sm:col-span-2 sm:w-60"
          value={timezone}
          options={[...new Set([...timezones, timezone])].map(
            (one) => [one, one === ownTimezone ? text.thisDevice(one) : one] as const,
          )}
          onChoose={(chosen) => onSearch({ timezone: chosen === ownTimezone ? undefined : chosen })}
        />
        <div className="grid grid-cols-2 gap-2 max-sm:col-span-2 sm:order-last sm:ms-auto sm:flex">
          <ViewsMenu
            orgId={scope.orgId}
            query={viewQueryOf(search, scope.codeId)}
            name={viewName}
            onOpen={openView}
          />
          <DownloadsMenu scope={scope} search={search} asked={asked} />
        </div>
        {period !== 'all' && (
          <label
            title={text.compareDays(formatDays(datesBefore(dates)))}
            className="col-span-2 flex min-h-10 cursor-pointer items-center gap-2 px-1 text-sm"
          >
            <input
              type="checkbox"
              checked={compare}
              onChange={(event) => onSearch({ compare: event.target.checked ? undefined : false })}
              className="size-4 accent-brand"
            />
            {text.compare}
          </label>
        )}
      </div>
      {period === 'own' && <OwnDates asked={asked} onSearch={onSearch} />}
      <FilterChips search={search} ruleNames={ruleNames} onSearch={onSearch} />
    </div>
  )
}

type PeriodProps = Pick<Props, 'onSearch'> & { period: PeriodName; dates: Asked['dates'] }

function PeriodChoice({ period, dates, onSearch }: PeriodProps) {
  return (
    <Choice
      label={text.period}
      className="max-[24rem]:col-span-2 sm:w-auto"
      value={period}
      options={periodNames.map((one) => [one, text.periods[one]] as const)}
      onChoose={(chosen) =>
        onSearch({
          period: chosen === defaultPeriod ? undefined : chosen,
          from: chosen === 'own' ? dates.startDate : undefined,
          to: chosen === 'own' ? dates.endDate : undefined,
          interval: undefined,
        })
      }
    />
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
