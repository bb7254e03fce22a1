import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import type { ReactNode } from 'react'
import { api } from '../session/api.ts'
import { importsWords } from '../words/imports-words.ts'
import { RepairTable } from './repair-table.tsx'
import { SaveErrors } from './save-errors.tsx'

const text = importsWords.errors

type Props = {
  orgId: string
  job: ImportJob
  /** Absent: the rows can only be read and downloaded. */
  edit?: { repairs: ImportRepairs; onRepairs: (repairs: ImportRepairs) => void } | undefined
  /** Buttons that do something with repaired rows. */
  children?: ReactNode
}

/**
 * Lists the rows that an import skipped or would skip, and why. They are repaired here, or in a
 * file with all of them.
 */
export function ImportProblems({ orgId, job, edit, children }: Props) {
  if (job.errorCount === 0) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 className="font-medium">{text.title}</h2>
        {edit !== undefined && <p className="text-sm text-soft">{text.hint}</p>}
      </div>
      <RepairTable errors={job.errors} errorCount={job.errorCount} edit={edit} />
      <div className="flex flex-wrap items-center gap-3">
        {children}
        <SaveErrors
          id={job.id}
          label={text.download}
          read={async () => api.imports.errorsCsv(orgId, job.id)}
        />
      </div>
    </section>
  )
}
