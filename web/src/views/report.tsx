import { listIn } from '@everscan/contract/dimensions/answered-lists.ts'
import { listedDimensions, listOf } from '@everscan/contract/dimensions/dimensions.ts'
import { formatDays, formatNumber, formatPercent, formatTime } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { viewsWords } from '../words/views-words.ts'
import { ReportChart } from './report-chart.tsx'
import { ruleWords, valueWords, type Report, type ReportFigures } from './report-data.ts'

const text = viewsWords.report
const rowsMax = 10
/** Rows of lists beside each other, so that a report is one page of paper. */
const shortRowsMax = 7

/** Shows figures without controls: for readers of a public link, and on paper. */
export function ReportView({ report }: { report: Report }) {
  const { title, organization, asOf, days, timezone, interval, scope, figures } = report
  return (
    <article className="report">
      <header className="mb-5 flex flex-wrap items-start gap-4 print:mb-[4mm]">
        {organization.logo !== null && (
          <img
            src={organization.logo}
            alt=""
            className="h-14 max-w-40 rounded-control bg-white object-contain print:h-[12mm]"
          />
        )}
        <div className="min-w-0 flex-1 basis-60">
          <p className="text-sm text-soft">{organization.name}</p>
          <h1 className="text-2xl font-semibold break-words print:text-[16pt]">{title}</h1>
          <p className="mt-1 text-sm">{text.days(formatDays(days), timezone)}</p>
          {scope.length > 0 && (
            <p className="mt-1 line-clamp-3 text-sm break-words text-soft">{scope.join(' · ')}</p>
          )}
        </div>
        <p className="text-sm text-soft">
          <time dateTime={asOf}>{text.asOf(formatTime(asOf))}</time>
        </p>
      </header>
      <Summary summary={figures.summary} />
      <section className={`${card} mt-3`}>
        <h2 className={heading}>{text.timeline}</h2>
        {figures.timeline.length > 0 && <ReportChart timeline={figures.timeline} interval={interval} />}
      </section>
      <Lists figures={figures} />
    </article>
  )
}

const card =
  'min-w-0 break-inside-avoid rounded-card border border-line bg-surface p-5 print:rounded-none print:border-0 print:border-t print:px-0 print:py-[2.5mm]'
const heading = 'mb-3 text-base font-semibold print:mb-[1.5mm] print:text-[10pt]'

function Summary({ summary }: Pick<ReportFigures, 'summary'>) {
  const words = analyticsWords.summary
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4 print:grid-cols-4 print:gap-[3mm]">
      {(['totalScans', 'uniqueScans', 'avgDailyScans', 'botScans'] as const).map((name) => (
        <div
          key={name}
          className="rounded-card border border-line bg-surface p-4 print:rounded-[2mm] print:p-[2.5mm]"
        >
          <dt className="text-sm text-soft print:text-[8pt]">{words[name]}</dt>
          <dd className="mt-1 text-2xl font-semibold tabular-nums print:mt-0 print:text-[15pt]">
            {formatNumber(summary[name])}
          </dd>
        </div>
      ))}
    </dl>
  )
}

type Row = { key: string; name: string; note?: string; scans: number; percentage: number }

function Lists({ figures }: { figures: ReportFigures }) {
  const { topQrCodes, destinations = [] } = figures
  const words = analyticsWords.breakdowns
  return (
    <>
      {topQrCodes !== undefined && (
        <div className="mt-3 print:mt-0">
          <List
            title={words.topQrCodes}
            rowsShown={rowsMax}
            isWide
            rows={topQrCodes.map(({ name, type, ...counted }, at) => ({
              key: String(at),
              name,
              note: commonWords.types[type],
              ...counted,
            }))}
          />
        </div>
      )}
      {destinations.some(({ name }) => name !== null) && (
        <div className="mt-3 print:mt-0">
          <List
            title={analyticsWords.destinations.title}
            rowsShown={rowsMax}
            isWide
            rows={destinations.map(({ name, arm, scans, percentage }, at) => ({
              key: String(at),
              name: name === null ? analyticsWords.destinations.own : ruleWords(name),
              ...(arm !== null && { note: arm }),
              scans,
              percentage,
            }))}
          />
        </div>
      )}
      <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3 print:mt-0 print:grid-cols-3 print:gap-x-[6mm] print:gap-y-0">
        {shortLists(figures).map((list) => (
          <List key={list.title} {...list} />
        ))}
      </div>
    </>
  )
}

/** Returns the lists that stand beside each other, in their order. */
function shortLists(figures: ReportFigures): readonly ListProps[] {
  const { totalScans } = figures.summary
  const shareOf = (scans: number) => (totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10)
  return listedDimensions
    .filter((name) => listOf(name).isInReports === true)
    .map((name) => ({
      title: analyticsWords.breakdowns.lists[name],
      isOnScreenOnly: listOf(name).isOnScreenOnly === true,
      rows: listIn(figures, name).map(({ value, country = '', scans, percentage = shareOf(scans) }) => ({
        key: `${country} ${value}`,
        name: valueWords(name, value),
        scans,
        percentage,
      })),
    }))
}

type ListProps = {
  title: string
  rows: readonly Row[]
  rowsShown?: number
  isWide?: boolean
  isOnScreenOnly?: boolean
}

function List({ title, rows, rowsShown = shortRowsMax, isWide = false, isOnScreenOnly = false }: ListProps) {
  const more = rows.length - rowsShown
  const most = Math.max(...rows.map(({ scans }) => scans), 1)
  return (
    <section className={`${card} ${isOnScreenOnly ? 'print:hidden' : ''}`}>
      <h2 className={heading}>{title}</h2>
      {rows.length === 0 && <p className="text-sm text-soft">{text.nothing}</p>}
      <ul
        className={`grid gap-2 print:gap-[1mm] ${isWide ? 'sm:grid-cols-2 sm:gap-x-8 print:grid-cols-2 print:gap-x-[8mm]' : ''}`}
      >
        {rows.slice(0, rowsShown).map(({ key, name, note, scans, percentage }) => (
          <li key={key} className="min-w-0 text-sm print:text-[8.5pt]">
            <div className="flex items-baseline gap-2">
              <span className="line-clamp-2 min-w-0 flex-1 break-words">
                {name}
                {note !== undefined && <span className="text-soft"> · {note}</span>}
              </span>
              <span className="font-medium tabular-nums">{formatNumber(scans)}</span>
              <span className="w-13 text-end text-soft tabular-nums">{formatPercent(percentage)}</span>
            </div>
            <div aria-hidden className="mt-1 h-1 rounded-full bg-raised print:mt-[0.5mm] print:h-[1mm]">
              <div className="h-full rounded-full bg-brand" style={{ width: `${(100 * scans) / most}%` }} />
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="mt-2 text-xs text-soft print:mt-[1mm]">{text.more(formatNumber(more))}</p>}
    </section>
  )
}
