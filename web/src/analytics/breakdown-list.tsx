import { Ban, Check } from 'lucide-react'
import { useState, type MouseEvent, type ReactNode } from 'react'
import { formatNumber, formatPercent } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'
import { commonWords } from '../words/common-words.ts'

const text = analyticsWords.breakdowns
const filters = analyticsWords.filters
const rowsAtFirst = 6
/** Maximum number of rows shown. A longer list belongs in a file. */
const rowsMax = 200

export type BreakdownRow = {
  key: string
  name: string
  /** Addition to the name, where names alone are not enough. */
  note?: string | undefined
  scans: number
  /** Share of all scans of the period, 0 to 100. */
  percentage: number
  /** Whether the page is filtered by this row. */
  isChosen?: boolean
  /** Filters by this row, or removes that filter. Undefined for readers who cannot. */
  onChoose?: (() => void) | undefined
  /** Leaves out the scans of this row. */
  onExclude?: (() => void) | undefined
}

type Props = {
  title: string
  rows: readonly BreakdownRow[]
  className?: string
  linkOf?: ((row: BreakdownRow, children: ReactNode, className: string) => ReactNode) | undefined
}

/**
 * Lists scans by one property, most frequent first, with bars in proportion to the first. Pressing
 * a row filters the whole page by it. Its button, or Alt and a press, leaves its scans out.
 */
export function BreakdownList({ title, rows, className = '', linkOf }: Props) {
  const [isWhole, setWhole] = useState(false)
  const turn = isWhole ? text.showLess : text.showAll(formatNumber(rows.length))
  const shown = rows.slice(0, isWhole ? rowsMax : rowsAtFirst)
  const highest = rows[0]?.scans ?? 0
  return (
    <>
      <ul
        aria-label={title}
        className={`-mx-2 -mt-1 grid max-h-96 grid-cols-1 content-start gap-0.5 overflow-auto ${className}`}
      >
        {rows.length === 0 && <li className="px-2 py-2 text-soft">{text.nothing}</li>}
        {shown.map((row) => (
          <li key={row.key} className="flex min-w-0 items-center">
            <Row row={row} highest={highest} linkOf={linkOf} />
            {row.onExclude !== undefined && (
              <button
                type="button"
                aria-label={filters.exclude(row.name)}
                title={filters.exclude(row.name)}
                onClick={row.onExclude}
                className="flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-control text-soft opacity-60 hover:bg-raised hover:text-danger hover:opacity-100 focus-visible:opacity-100"
              >
                <Ban size={14} aria-hidden />
              </button>
            )}
          </li>
        ))}
        {isWhole && rows.length > rowsMax && (
          <li className="px-2 py-2 text-soft">{text.more(formatNumber(rows.length - rowsMax))}</li>
        )}
      </ul>
      {rows.length > rowsAtFirst && (
        <Button
          look="quiet"
          aria-label={`${turn}${commonWords.colon} ${title}`}
          className="mt-1 -ms-3 -mb-3"
          onClick={() => setWhole(!isWhole)}
        >
          {turn}
        </Button>
      )}
    </>
  )
}

const rowClass =
  'relative flex min-h-11 w-full min-w-0 items-center gap-2 rounded-control px-2 text-start text-sm'
const pressedClass = `${rowClass} cursor-pointer hover:bg-raised`

type RowProps = Pick<Props, 'linkOf'> & { row: BreakdownRow; highest: number }

function Row({ row, highest, linkOf }: RowProps) {
  const content = <RowContent row={row} highest={highest} />
  if (linkOf !== undefined) return linkOf(row, content, pressedClass)
  if (row.onChoose === undefined) return <div className={rowClass}>{content}</div>
  const press = ({ altKey }: MouseEvent) => (altKey ? row.onExclude : row.onChoose)?.()
  return (
    <button
      type="button"
      aria-pressed={row.isChosen ?? false}
      onClick={press}
      title={filters.only(row.name)}
      className={pressedClass}
    >
      {content}
    </button>
  )
}

function RowContent({ row, highest }: { row: BreakdownRow; highest: number }) {
  const { name, note, scans, percentage, isChosen = false } = row
  return (
    <>
      {isChosen && <Check size={16} aria-hidden className="shrink-0 text-brand" />}
      <span className="min-w-0 flex-1 truncate">
        {name}
        {note !== undefined && <span className="text-soft"> · {note}</span>}
      </span>
      <span className="font-medium tabular-nums">{formatNumber(scans)}</span>
      <span className="w-14 text-end text-soft tabular-nums">{formatPercent(percentage)}</span>
      <span aria-hidden className="absolute inset-x-2 bottom-0.5 h-1 overflow-hidden rounded-full bg-raised">
        <span
          className="block h-full rounded-full bg-brand"
          style={{ width: `${highest === 0 ? 0 : (100 * scans) / highest}%` }}
        />
      </span>
    </>
  )
}
