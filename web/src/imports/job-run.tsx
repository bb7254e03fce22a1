import type { ImportJob } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { refreshCodes } from '../codes/code-changes.ts'
import { queries } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { importsWords } from '../words/imports-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { ProgressBar } from './progress-bar.tsx'

const askedEveryMs = 500

type JobState = Pick<ImportJob, 'status' | 'completedAt'>

type Source<Job> = {
  /** Begins the keys of its one job and of the lists. */
  queryKey: readonly unknown[]
  id: string
  read: (options: { signal: AbortSignal }) => Promise<Job>
}

/** Reads an import or a move until it has ended; then codes and lists are read again. */
export function useJob<Job extends JobState>({ queryKey, id, read }: Source<Job>) {
  const job = useQuery({
    queryKey: [...queryKey, 'one', id],
    queryFn: async ({ signal }) => read({ signal }),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? askedEveryMs : false),
  })
  const ended = job.data !== undefined && job.data.completedAt !== null
  const [name, orgId] = queryKey
  useEffect(() => {
    if (!ended) return
    void refreshCodes()
    void queries.invalidateQueries({ queryKey: [name, orgId, 'list'] })
  }, [ended, name, orgId])
  return { job, ended }
}

type Props = {
  job: JobState
  words: { progress: string; cancel: string; cancelTitle: string; cancelText: string }
  /** How far it is. */
  done: { value: number; max: number; said: string }
  note?: string
  mayEdit: boolean
  onCancel: () => Promise<void>
  /** Its outcome, shown once it has ended. */
  children: ReactNode
}

/** Shows how far a job is, and lets the user stop it; then its outcome. */
export function JobRun({ job, words, done, note, mayEdit, onCancel, children }: Props) {
  const [stopping, setStopping] = useState(false)
  return (
    <>
      {job.completedAt !== null ? (
        children
      ) : (
        <div>
          <ProgressBar label={words.progress} max={done.max} value={done.value}>
            {job.status === 'PENDING' ? importsWords.job.pending : done.said}
          </ProgressBar>
          {note !== undefined && <p className="mt-1 text-sm text-soft">{note}</p>}
          {mayEdit && (
            <Button className="mt-4" onClick={() => setStopping(true)}>
              {words.cancel}
            </Button>
          )}
        </div>
      )}
      {stopping && (
        <ConfirmDialog
          title={words.cancelTitle}
          text={words.cancelText}
          action={words.cancel}
          onClose={() => setStopping(false)}
          onConfirm={onCancel}
        />
      )}
    </>
  )
}

type EndedJob = Pick<ImportJob, 'status' | 'failureReason' | 'problem' | 'values'>

/** Says how a job ended. */
export function endText(
  job: EndedJob,
  said: { completed: string; cancelled: string; failed: string },
): string {
  const { status, failureReason } = job
  if (status === 'COMPLETED') return said.completed
  if (status === 'CANCELLED') return said.cancelled
  if (status !== 'FAILED') return ''
  return `${said.failed}. ${failureReason === null ? '' : sayProblem({ ...job, message: failureReason })}`
}
