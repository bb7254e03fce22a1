import { ChartNoAxesCombined, Table2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { analyticsWords } from '../words/analytics-words.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

const text = analyticsWords

type Props = {
  title: string
  /** Content of the chart as a table, for users who prefer numbers to lines or cannot see lines. */
  table: ReactNode
  className?: string
  children: ReactNode
}

/** Shows a chart with a button that switches to its table and back. */
export function ChartCard({ title, table, className, children }: Props) {
  const [isTable, setIsTable] = useState(false)
  const turn = isTable ? text.asChart : text.asTable
  return (
    <Card
      title={title}
      {...(className !== undefined && { className })}
      action={
        <Button
          look="quiet"
          className="-me-3"
          aria-label={`${turn}${commonWords.colon} ${title}`}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? <ChartNoAxesCombined size={16} aria-hidden /> : <Table2 size={16} aria-hidden />}
          <span className="hidden sm:inline">{turn}</span>
        </Button>
      }
    >
      {isTable ? table : children}
    </Card>
  )
}

type TableProps = {
  caption: string
  columns: readonly string[]
  /** The first cell of each row names it. */
  rows: readonly (readonly string[])[]
}

/** Shows numbers in rows. Many rows scroll inside the table. */
export function NumberTable({ caption, columns, rows }: TableProps) {
  return (
    <div role="region" aria-label={caption} tabIndex={0} className="max-h-80 overflow-auto">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th
                key={column}
                scope="col"
                className={`sticky top-0 bg-surface p-2 font-medium text-soft ${at === 0 ? 'text-start' : 'text-end'}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(([name = '', ...cells]) => (
            <tr key={name}>
              <th scope="row" className="p-2 text-start font-normal">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]} className="p-2 text-end">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
