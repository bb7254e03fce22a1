import { useState, type KeyboardEvent } from 'react'
import { formatNumber } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords.matrix
/** Percent of the brand color under the highest number. With more, text would be hard to read. */
const strongestMix = 45

/** A cell, or a row or column as a whole. */
export type Place = { row?: number | undefined; column?: number | undefined }

type Props = {
  caption: string
  names: { rows: readonly string[]; columns: readonly string[] }
  scans: readonly (readonly number[])[]
  /** Number of rows and columns that are shown. Totals are of all. */
  shown: { rows: number; columns: number }
  chosen: Place | undefined
  onChoose: (place: Place) => void
}

/**
 * Shows counts in cells, darker with more scans, with totals and heads that stay in sight. Takes
 * one stop of the tab key; arrow keys move from cell to cell.
 */
export function MatrixTable({ caption, names, scans, shown, chosen, onChoose }: Props) {
  const place = usePlaces({ chosen, onChoose })
  const rows = names.rows.slice(0, shown.rows)
  const columns = names.columns.slice(0, shown.columns)
  const highest = Math.max(...scans.flat(), 1)
  return (
    <div data-scrolls className="max-h-[46rem] overflow-auto rounded-control border border-line">
      <table
        onKeyDown={moveFocus}
        className="w-full border-separate border-spacing-0 text-sm tabular-nums"
        style={{ minWidth: `${10 + columns.length * 4.5}rem` }}
      >
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <td className={`${headClass} start-0 z-[2] min-w-28 sm:min-w-32`} />
            {columns.map((name, column) => (
              <th key={name} scope="col" className={`${headClass} max-w-32 align-bottom`}>
                <button {...place({ column })} title={name} className={`${buttonClass} text-end`}>
                  {name}
                </button>
              </th>
            ))}
            <th scope="col" className={`${headClass} px-2 text-end align-bottom font-medium text-soft`}>
              {text.total}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((name, row) => (
            <Row
              key={`${row} ${name}`}
              {...{ name, row, columns, highest, place }}
              counts={scans[row] ?? []}
            />
          ))}
        </tbody>
        <tfoot>
          <Totals
            columns={columns}
            totals={names.columns.map((_, column) => totalOf(scans.map((cells) => cells[column] ?? 0)))}
          />
        </tfoot>
      </table>
    </div>
  )
}

/** Returns the props of a button by its place, one of which takes the tab key. */
function usePlaces({ chosen, onChoose }: Pick<Props, 'chosen' | 'onChoose'>) {
  const [focus, setFocus] = useState('-1,0')
  return ({ row, column }: Place) => {
    const at = `${row ?? -1},${column ?? -1}`
    const isChosen = chosen?.row === row && chosen?.column === column
    return {
      'data-at': at,
      type: 'button' as const,
      tabIndex: at === focus ? 0 : -1,
      'aria-pressed': isChosen,
      onFocus: () => setFocus(at),
      onClick: () => onChoose({ row, column }),
    }
  }
}

type RowProps = {
  name: string
  row: number
  columns: readonly string[]
  counts: readonly number[]
  highest: number
  place: ReturnType<typeof usePlaces>
}

function Row({ name, row, columns, counts, highest, place }: RowProps) {
  return (
    <tr>
      <th scope="row" className={`${rowHeadClass} max-w-28 sm:max-w-64`}>
        <button {...place({ row })} title={name} className={`${buttonClass} text-start`}>
          {name}
        </button>
      </th>
      {columns.map((of, column) => {
        const count = counts[column] ?? 0
        return (
          <td key={of} style={{ background: colorOf(count, highest) }} className="p-0">
            <button
              {...place({ row, column })}
              className={`${buttonClass} text-end ${count === 0 ? 'text-soft' : ''}`}
            >
              {formatNumber(count)}
            </button>
          </td>
        )
      })}
      <td className="border-s border-line px-2 text-end font-medium">{formatNumber(totalOf(counts))}</td>
    </tr>
  )
}

function Totals({ columns, totals }: { columns: readonly string[]; totals: readonly number[] }) {
  return (
    <tr>
      <th scope="row" className={`${rowHeadClass} border-t px-2 py-1.5 text-start font-medium text-soft`}>
        {text.total}
      </th>
      {columns.map((name, column) => (
        <td key={name} className="border-t border-line px-2 text-end font-medium">
          {formatNumber(totals[column] ?? 0)}
        </td>
      ))}
      <td className="border-s border-t border-line px-2 text-end font-semibold">
        {formatNumber(totalOf(totals))}
      </td>
    </tr>
  )
}

function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Moves the focus to the next cell by arrow keys. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key]
  const at = (event.target as HTMLElement).dataset['at']?.split(',').map(Number)
  if (step === undefined || at === undefined) return
  event.preventDefault()
  const next = at.map((one, axis) => one + (step[axis] ?? 0)).join()
  event.currentTarget.querySelector<HTMLElement>(`[data-at="${next}"]`)?.focus()
}

const headClass = 'sticky top-0 z-[1] border-b border-line bg-surface p-0 font-normal'
const rowHeadClass = 'sticky start-0 z-[1] border-e border-line bg-surface p-0 font-normal'
const buttonClass =
  'block min-h-9 w-full cursor-pointer truncate px-2 -outline-offset-2 hover:underline aria-pressed:outline-2 aria-pressed:outline-ink'

/** Returns the background of a count. The text on it keeps a contrast of at least 4.5:1. */
function colorOf(count: number, highest: number): string | undefined {
  if (count === 0) return undefined
  const mix = 5 + ((strongestMix - 5) * count) / highest
  return `color-mix(in srgb, var(--color-brand) ${mix.toFixed(1)}%, transparent)`
}
