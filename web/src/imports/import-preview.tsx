import type { ImportFileColumn } from '@everscan/contract/code-types/import-columns.ts'
import { CircleAlert } from 'lucide-react'
import { importsWords } from '../words/imports-words.ts'

const text = importsWords

type Props = { columns: readonly ImportFileColumn[]; rows: readonly (readonly string[])[] }

/** Shows the columns of a file, their problems, and the first rows. */
export function ImportPreview({ columns, rows }: Props) {
  return (
    <section>
      <h2 className="mb-2 font-medium">{text.columns}</h2>
      {/* A table wider than the page scrolls by itself, with the keyboard too. */}
      <div
        role="region"
        aria-label={text.columns}
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line"
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line">
              {columns.map((column, at) => (
                <th key={at} className="px-3 py-2 text-start align-top font-medium whitespace-nowrap">
                  <Heading column={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {rows.map((cells, row) => (
              <tr key={row}>
                {columns.map((_, at) => (
                  <td key={at} title={cells[at]} className="max-w-64 truncate px-3 py-2">
                    {cells[at]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Heading({ column: { name, column, repeated } }: { column: ImportFileColumn }) {
  const shown = name === '' ? text.noName : name
  if (column === null)
    return (
      <>
        {shown} <span className="block text-xs font-normal text-soft">{text.passedOver}</span>
      </>
    )
  if (column !== undefined) return shown
  return (
    <span className="text-danger">
      {shown}
      <span className="flex items-center gap-1 text-xs font-normal">
        <CircleAlert size={14} aria-hidden />
        {repeated ? text.repeatedColumn : text.unknownColumn}
      </span>
    </span>
  )
}
