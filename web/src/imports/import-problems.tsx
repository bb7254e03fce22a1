import type { ImportJob } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { saveCsv } from '../ui/save-file.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button } from '../ui/button.tsx'

const text = importsWords.errors
const shownMax = 10

/**
 * Lists the rows that an import skipped or would skip, and why. All of them can be downloaded as a
 * file to fix.
 */
export function ImportProblems({ orgId, job }: { orgId: string; job: ImportJob }) {
  const save = useMutation({
    mutationFn: async () => saveCsv(await api.imports.errorsCsv(orgId, job.id), `${job.id}-errors.csv`),
    onError: showProblem,
  })
  if (job.errorCount === 0) return null
  const shown = job.errors.slice(0, shownMax)
  const more = job.errorCount - shown.length
  return (
    <section className="grid gap-3">
      <h2 className="font-medium">{text.title}</h2>
      <div
        className="overflow-x-auto rounded-control border border-line"
        tabIndex={0}
        aria-label={text.title}
        role="region"
      >
        <table className="w-full text-sm">
          <thead className="text-start text-soft">
            <tr className="border-b border-line">
              <th className={`${cellClass} text-start font-medium`}>{text.row}</th>
              <th className={`${cellClass} text-start font-medium`}>{text.column}</th>
              <th className={`${cellClass} text-start font-medium`}>{text.problem}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {shown.map(({ row, column, error }) => (
              <tr key={row}>
                <td className={`${cellClass} tabular-nums`}>{formatNumber(row)}</td>
                <td className={cellClass}>{column}</td>
                <td className={`${cellClass} w-full break-words`}>{withoutColumn(error, column)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="text-sm text-soft">{text.more(formatNumber(more))}</p>}
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={save.isPending} onClick={() => save.mutate()}>
          <Download size={18} aria-hidden />
          {text.download}
        </Button>
        <p className="text-sm text-soft">{text.downloadHint}</p>
      </div>
    </section>
  )
}

/** Removes the column from an error message, because the table has a column for it. */
function withoutColumn(error: string, column: string | null): string {
  return column !== null && error.startsWith(`${column}: `) ? error.slice(column.length + 2) : error
}

const cellClass = 'px-3 py-2 align-top'
