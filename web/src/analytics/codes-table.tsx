import type { CodeFigures, CodeFiguresSort } from '@everscan/contract/resources/analytics-codes.ts'
import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatChange, formatNumber, formatPercent } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'

const text = analyticsWords.codes

type Props = {
  rows: readonly CodeFigures[]
  folderNames: ReadonlyMap<string, string>
  sort: CodeFiguresSort
  order: 'asc' | 'desc'
  onSort: (sort: CodeFiguresSort) => void
  /** Shows only the scans of a code. */
  onOnly: (qrCodeId: string) => void
  linkOfCode: (qrCodeId: string, children: ReactNode, className: string) => ReactNode
}

const wide = 'max-sm:hidden'
const columns: readonly { sort?: CodeFiguresSort; name: string; title?: string; className: string }[] = [
  { sort: 'name', name: text.name, className: 'w-full text-start' },
  { sort: 'scans', name: text.scans, className: 'text-end' },
  { name: text.share, className: `text-end ${wide}` },
  { sort: 'uniqueScans', name: text.unique, title: text.uniqueScans, className: `text-end ${wide}` },
  { sort: 'change', name: text.change, title: text.changeHint, className: 'text-end' },
]

/** Shows codes with their figures. On phones, the scans and their change. */
export function CodesTable({ rows, folderNames, sort, order, onSort, onOnly, linkOfCode }: Props) {
  const highest = Math.max(...rows.map(({ scans }) => scans), 1)
  const Arrow = order === 'asc' ? ArrowUp : ArrowDown
  return (
    <table className="w-full table-auto text-sm tabular-nums">
      <caption className="sr-only">{text.title}</caption>
      <thead>
        <tr className="border-b border-line text-soft">
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              title={column.title}
              {...(column.sort === sort && {
                'aria-sort': order === 'asc' ? ('ascending' as const) : ('descending' as const),
              })}
              className={`font-medium whitespace-nowrap ${column.className}`}
            >
              {column.sort === undefined ? (
                <span className="px-2">{column.name}</span>
              ) : (
                <button
                  type="button"
                  onClick={() => onSort(column.sort ?? 'scans')}
                  className={`inline-flex min-h-10 cursor-pointer items-center gap-1 rounded-control px-2 hover:bg-raised hover:text-ink ${column.sort === sort ? 'text-ink' : ''}`}
                >
                  {column.name}
                  {column.sort === sort && <Arrow size={14} aria-hidden />}
                </button>
              )}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map((row) => (
          <CodeRow
            key={row.qrCodeId}
            row={row}
            share={row.scans / highest}
            note={noteOf(row, folderNames)}
            onOnly={onOnly}
            linkOfCode={linkOfCode}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = Pick<Props, 'onOnly' | 'linkOfCode'> & { row: CodeFigures; share: number; note: string }

/** `share` is that of the scans of the code with the most. */
function CodeRow({ row, share, note, onOnly, linkOfCode }: RowProps) {
  return (
    <tr className="h-16">
      <th scope="row" className="max-w-0 py-1 text-start font-normal">
        {linkOfCode(
          row.qrCodeId,
          <>
            <span className="block truncate font-medium">{row.name}</span>
            <span className="block truncate text-xs text-soft">{note}</span>
            <Bar share={share} />
          </>,
          'block min-h-11 rounded-control px-2 py-1 hover:bg-raised',
        )}
      </th>
      <td className="px-2 text-end font-medium">{formatNumber(row.scans)}</td>
      <td className={`px-2 text-end text-soft ${wide}`}>{formatPercent(row.percentage)}</td>
      <td className={`px-2 text-end ${wide}`}>{formatNumber(row.uniqueScans)}</td>
      <td
        title={text.before(formatNumber(row.previousScans))}
        className={`px-2 text-end whitespace-nowrap ${(row.change ?? 0) > 0 ? 'text-brand' : 'text-soft'}`}
      >
        {changeOf(row)}
      </td>
      <td className="ps-1 text-end">
        <button
          type="button"
          aria-label={text.onlyThis(row.name)}
          title={text.onlyThis(row.name)}
          onClick={() => onOnly(row.qrCodeId)}
          className="inline-flex size-9 cursor-pointer items-center justify-center rounded-control text-soft hover:bg-raised hover:text-ink"
        >
          <ListFilter size={16} aria-hidden />
        </button>
      </td>
    </tr>
  )
}

function Bar({ share }: { share: number }) {
  return (
    <span aria-hidden className="mt-1 block h-1 overflow-hidden rounded-full bg-raised">
      <span className="block h-full rounded-full bg-brand" style={{ width: `${100 * share}%` }} />
    </span>
  )
}

function noteOf({ type, status, folderId }: CodeFigures, folderNames: ReadonlyMap<string, string>): string {
  const folder = folderId === null ? undefined : folderNames.get(folderId)
  const parts = [commonWords.types[type], folder, status === 'ARCHIVED' ? text.archived : undefined]
  return parts.filter((part) => part !== undefined).join(' · ')
}

function changeOf({ scans, previousScans, change }: CodeFigures): string {
  if (change === null) return scans === 0 ? '–' : text.isNew
  return formatChange(scans, previousScans)
}
