import { Check } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatNumber, formatPercent } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/surfaces.tsx'

const text = analyticsWords.breakdowns
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
  /** Filters by this row. Undefined for readers who cannot. */
  onChoose?: () => void
}

type Props = {
  title: string
  rows: readonly BreakdownRow[]
  className?: string
  /** Renders a row as a link to more about it, in place of its button. */
  linkOf?: ((row: BreakdownRow, children: ReactNode, className: string) => ReactNode) | undefined
}

/**
 * Lists scans by one property, most frequent first. Pressing a row filters the whole page by it.
 */
export function BreakdownCard({ title, rows, className, linkOf }: Props) {
  const [isWhole, setWhole] = useState(false)
  const turn = isWhole ? text.showLess : text.showAll(formatNumber(rows.length))
  const shown = rows.slice(0, isWhole ? rowsMax : rowsAtFirst)
  return (
    <Card title={title} {...(className !== undefined && { className })}>
      {/* Cards in a row are as high as a full one. Cards with links are in none of those rows. */}
      <ul
        className={`-mx-2 -mt-1 grid max-h-96 grid-cols-1 content-start gap-0.5 overflow-auto ${linkOf === undefined ? 'sm:min-h-[17rem]' : ''}`}
      >
        {rows.length === 0 && <li className="px-2 py-2 text-soft">{text.nothing}</li>}
        {shown.map((row) => (
          <li key={row.key}>
            <Row row={row} linkOf={linkOf} />
          </li>
        ))}
        {isWhole && rows.length > rowsMax && (
          <li className="px-2 py-2 text-soft">{text.more(formatNumber(rows.length - rowsMax))}</li>
        )}
      </ul>
      {rows.length > rowsAtFirst && (
        <Button
          look="quiet"
          aria-label={`${turn}: ${title}`}
          className="mt-1 -ms-3 -mb-3"
          onClick={() => setWhole(!isWhole)}
        >
          {turn}
        </Button>
      )}
    </Card>
  )
}

const rowClass = 'relative flex min-h-11 w-full items-center gap-2 rounded-control px-2 text-start text-sm'
const pressedClass = `${rowClass} cursor-pointer hover:bg-raised`

function Row({ row, linkOf }: { row: BreakdownRow; linkOf: Props['linkOf'] }) {
  const content = <RowContent row={row} />
  if (linkOf !== undefined) return linkOf(row, content, pressedClass)
  if (row.onChoose === undefined) return <div className={rowClass}>{content}</div>
  return (
    <button
      type="button"
      aria-pressed={row.isChosen ?? false}
      onClick={row.onChoose}
      title={text.only(row.name)}
      className={pressedClass}
    >
      {content}
    </button>
  )
}

function RowContent({ row: { name, note, scans, percentage, isChosen = false } }: { row: BreakdownRow }) {
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
        <span className="block h-full rounded-full bg-brand" style={{ width: `${percentage}%` }} />
      </span>
    </>
  )
}
