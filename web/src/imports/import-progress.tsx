import type { ImportJob, ImportRepairs } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, queries } from '../session/api.ts'
import { refreshCodes } from '../codes/code-changes.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { randomKey } from './random-key.ts'
import { changedRows, repairedCsv } from './repairs.ts'
import { commonWords } from '../words/common-words.ts'
import { importsWords } from '../words/imports-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ImportProblems } from './import-problems.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Failure, Notice } from '../ui/surfaces.tsx'

const text = importsWords
const told = text.job
const askedEveryMs = 500

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
  const [stopping, setStopping] = useState(false)
  const job = useQuery({
    queryKey: ['imports', orgId, 'one', id],
    queryFn: async ({ signal }) => api.imports.read(orgId, id, { signal }),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? askedEveryMs : false),
  })
  const ended = job.data !== undefined && job.data.completedAt !== null
  useEffect(() => {
    if (!ended) return
    void refreshCodes()
    void queries.invalidateQueries({ queryKey: ['imports', orgId, 'list'] })
  }, [ended, orgId])
  if (job.isError) return <Failure error={job.error} onRetry={() => void job.refetch()} />
  if (job.data === undefined) return <LinesSkeleton lines={4} className="h-13" />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Head orgId={orgId} job={job.data} />
      {ended ? (
        <Outcome orgId={orgId} job={job.data} folder={folder} mayEdit={mayEdit} />
      ) : (
        <Running job={job.data} mayEdit={mayEdit} onStop={() => setStopping(true)} />
      )}
      {stopping && (
        <ConfirmDialog
          title={told.cancelTitle}
          text={told.cancelText}
          action={told.cancel}
          onClose={() => setStopping(false)}
          onConfirm={async () => {
            await api.imports.cancel(orgId, id)
            await job.refetch()
          }}
        />
      )}
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

type RunningProps = { job: ImportJob; mayEdit: boolean; onStop: () => void }

function Running({ job: { status, processedRows, totalRows }, mayEdit, onStop }: RunningProps) {
  return (
    <>
      <div>
        <ProgressBar label={told.progress} max={totalRows} value={processedRows}>
          {status === 'PENDING'
            ? told.pending
            : told.running(formatNumber(processedRows), formatNumber(totalRows))}
        </ProgressBar>
      </div>
      {mayEdit && (
        <div>
          <Button onClick={onStop}>{told.cancel}</Button>
        </div>
      )}
    </>
  )
}

type OutcomeProps = Pick<Props, 'orgId' | 'folder' | 'mayEdit'> & { job: ImportJob }

function Outcome({ orgId, job, folder, mayEdit }: OutcomeProps) {
  const { status, dryRun, successCount, errorCount, failureReason } = job
  const codes = text.codes(successCount, formatNumber(successCount))
  const valid = text.rows(successCount, formatNumber(successCount))
  const said = {
    COMPLETED: dryRun ? told.checked(valid) : told.completed(codes),
    CANCELLED: dryRun ? told.checkStopped(valid) : told.cancelled(codes),
    FAILED: `${told.failed}. ${failureReason === null ? '' : sayProblem({ ...job, message: failureReason })}`,
    PENDING: '',
    PROCESSING: '',
  }[status]
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
