import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { randomKey } from './random-key.ts'
import { changedRows, repairedCsv } from './repairs.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { ImportProblems } from './import-problems.tsx'
import { endText, JobRun, useJob } from './job-run.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Failure, Notice } from '../ui/surfaces.tsx'

const text = importsWords
const told = text.job

type Props = {
  orgId: string
  id: string
  /** Folder that the codes were created in, if it is known. */
  folder: string | undefined
  mayEdit: boolean
}

/**
 * Shows an import: its progress while it runs, then its result. It continues when the user leaves
 * the page.
 */
export function ImportProgress({ orgId, id, folder, mayEdit }: Props) {
  const { job } = useJob({
    queryKey: ['imports', orgId],
    id,
    read: async (options) => api.imports.read(orgId, id, options),
  })
  if (job.isError) return <Failure error={job.error} onRetry={() => void job.refetch()} />
  if (job.data === undefined) return <LinesSkeleton lines={4} className="h-13" />
  const { processedRows: value, totalRows: max } = job.data
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Head orgId={orgId} job={job.data} />
      <JobRun
        job={job.data}
        words={told}
        done={{ value, max, said: told.running(formatNumber(value), formatNumber(max)) }}
        mayEdit={mayEdit}
        onCancel={async () => {
          await api.imports.cancel(orgId, id)
          await job.refetch()
        }}
      >
        <Outcome orgId={orgId} job={job.data} folder={folder} mayEdit={mayEdit} />
      </JobRun>
    </div>
  )
}

function Head({ orgId, job }: { orgId: string; job: ImportJob }) {
  const { type, totalRows, fileName, repairOf } = job
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="min-w-0 flex-1">
        <span className="block truncate font-medium">{fileName ?? told.noFile}</span>
        <span className="text-sm text-soft">
          {commonWords.types[type]} · {text.rows(totalRows, formatNumber(totalRows))}
        </span>
        {repairOf !== null && (
          <span className="block text-sm text-soft">
            {text.repairOf}
            {' · '}
            <Link
              to="/$orgId/imports"
              params={{ orgId }}
              search={{ job: repairOf }}
              className="text-brand underline underline-offset-2"
            >
              {told.showRepaired}
            </Link>
          </span>
        )}
      </p>
      <Link to="/$orgId/imports" params={{ orgId }} className={buttonClass()}>
        {told.back}
      </Link>
    </div>
  )
}

type OutcomeProps = Pick<Props, 'orgId' | 'folder' | 'mayEdit'> & { job: ImportJob }

function Outcome({ orgId, job, folder, mayEdit }: OutcomeProps) {
  const { status, dryRun, successCount, errorCount } = job
  const codes = text.codes(successCount, formatNumber(successCount))
  const valid = text.rows(successCount, formatNumber(successCount))
  const said = endText(job, {
    completed: dryRun ? told.checked(valid) : told.completed(codes),
    cancelled: dryRun ? told.checkStopped(valid) : told.cancelled(codes),
    failed: told.failed,
  })
  const rejected = text.rows(errorCount, formatNumber(errorCount))
  return (
    <>
      <Notice kind={status === 'COMPLETED' && successCount > 0 ? 'good' : 'problem'}>
        {said}
        {errorCount > 0 && `, ${dryRun ? told.faulty(rejected) : told.rejected(rejected)}`}
        {dryRun && `. ${told.nothingMade}`}
      </Notice>
      {!dryRun && successCount > 0 && (
        <div>
          <Link to="/$orgId/codes" params={{ orgId }} search={{ folder }} className={buttonClass('primary')}>
            {told.show}
          </Link>
        </div>
      )}
      {mayEdit && !dryRun ? (
        <RepairedRows key={job.id} orgId={orgId} job={job} />
      ) : (
        <ImportProblems orgId={orgId} job={job} />
      )}
    </>
  )
}

/** Repairs rows that an import skipped, and imports them with its type, style and folder. */
function RepairedRows({ orgId, job }: { orgId: string; job: ImportJob }) {
  const [repairs, setRepairs] = useState<ImportRepairs>({})
  const navigate = useNavigate({ from: '/$orgId/imports' })
  const count = changedRows(job.errors, repairs).length
  const [idempotencyKey] = useState(randomKey)
  const start = useMutation({
    mutationFn: async () => {
      const { id: repairOf, type, fileName, styleId, folderId } = job
      const file = repairedCsv(job.errors, repairs)
      const settings = {
        ...(fileName !== null && { fileName }),
        ...(styleId !== null && { styleId }),
        ...(folderId !== null && { folderId }),
      }
      // The same rows are imported once, however often the request is sent.
      return api.imports.start(orgId, { type, file, repairOf, ...settings }, { idempotencyKey })
    },
    onSuccess: async ({ id, folderId }) => {
      await queries.invalidateQueries({ queryKey: ['imports'] })
      await navigate({ search: { job: id, folder: folderId ?? undefined } })
    },
    onError: showProblem,
  })
  return (
    <ImportProblems orgId={orgId} job={job} edit={{ repairs, onRepairs: setRepairs }}>
      {count > 0 && (
        <>
          <Button look="primary" busy={start.isPending} onClick={() => start.mutate()}>
            {text.errors.importRepaired(count)}
          </Button>
          <Button look="quiet" onClick={() => setRepairs({})}>
            {text.errors.discard}
          </Button>
        </>
      )}
    </ImportProblems>
  )
}
