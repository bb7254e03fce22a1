import type { ImportJobSummary } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatAge, formatTime } from '../ui/format.ts'
import { Pager } from '../ui/pager.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'
import { importsWords } from '../words/imports-words.ts'

const perPage = 10
const askedEveryMs = 2_000

type PastJob = Pick<ImportJobSummary, 'id' | 'fileName' | 'createdAt' | 'completedAt'>

type Props<Job extends PastJob> = {
  words: { history: string; noHistory: string }
  queryKey: readonly unknown[]
  read: (
    query: { page: number; limit: number },
    options: { signal: AbortSignal },
  ) => Promise<{ data: readonly Job[]; pagination: { total: number; totalPages: number } }>
  page: number
  onGo: (page: number) => void
  /** Returns a link to a job, with a `JobLine`. */
  line: (job: Job) => ReactNode
}

/** Lists the imports or moves of an organization, newest first. */
export function PastJobs<Job extends PastJob>({ words, queryKey, read, page, onGo, line }: Props<Job>) {
  const jobs = useQuery({
    queryKey: [...queryKey, 'list', page],
    queryFn: async ({ signal }) => read({ page, limit: perPage }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ completedAt }) => completedAt === null) === true ? askedEveryMs : false,
  })
  return (
    <Card title={words.history}>
      {jobs.isError && <Failure error={jobs.error} onRetry={() => void jobs.refetch()} />}
      {jobs.data?.pagination.total === 0 && <p className="text-soft">{words.noHistory}</p>}
      {jobs.isPending && <LinesSkeleton lines={4} className="h-16" />}
      <ul aria-label={words.history} className="-mx-3 grid grid-cols-1">
        {jobs.data?.data.map((job) => (
          <li key={job.id}>{line(job)}</li>
        ))}
      </ul>
      <Pager page={page} totalPages={jobs.data?.pagination.totalPages ?? 0} onGo={onGo} />
    </Card>
  )
}

/** The class of a link to a job. */
export const lineClass =
  'flex min-h-14 items-center gap-3 rounded-control px-3 py-1.5 hover:bg-raised aria-[current=page]:bg-raised'

type LineProps = { job: PastJob; facts: readonly (string | false)[]; isQuiet?: boolean }

/** Shows the file of a job, facts about it, and its age. */
export function JobLine({ job: { fileName, createdAt }, facts, isQuiet = false }: LineProps) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className={`block truncate ${isQuiet ? 'text-soft' : 'font-medium'}`}>
          {fileName ?? importsWords.job.noFile}
        </span>
        <span className="block text-sm text-soft">{facts.filter((fact) => fact !== false).join(' · ')}</span>
      </span>
      <time
        dateTime={createdAt}
        title={formatTime(createdAt)}
        className="text-sm whitespace-nowrap text-soft"
      >
        {formatAge(createdAt)}
      </time>
    </>
  )
}
