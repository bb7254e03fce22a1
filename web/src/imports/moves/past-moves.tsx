import type { MoveSummary } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../session/api.ts'
import { formatAge, formatNumber, formatTime } from '../../ui/format.ts'
import { Pager } from '../../ui/pager.tsx'
import { Card, Failure } from '../../ui/surfaces.tsx'
import { commonWords } from '../../words/common-words.ts'
import { movesWords } from '../../words/moves-words.ts'

const text = movesWords
const perPage = 10
const askedEveryMs = 2_000

type Props = { orgId: string; page: number; onGo: (page: number) => void }

/** Lists the moves of an organization, newest first. */
export function PastMoves({ orgId, page, onGo }: Props) {
  const moves = useQuery({
    queryKey: ['moves', orgId, 'list', page],
    queryFn: async ({ signal }) => api.moves.list(orgId, { page, limit: perPage }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ completedAt }) => completedAt === null) === true ? askedEveryMs : false,
  })
  return (
    <Card title={text.history}>
      {moves.isError && <Failure error={moves.error} onRetry={() => void moves.refetch()} />}
      {moves.data?.pagination.total === 0 && <p className="text-soft">{text.noHistory}</p>}
      {moves.isPending && <div role="status" aria-label={commonWords.loading} className="h-24" />}
      <ul aria-label={text.history} className="-mx-3 grid grid-cols-1">
        {moves.data?.data.map((move) => (
          <li key={move.id}>
            <Line orgId={orgId} move={move} />
          </li>
        ))}
      </ul>
      <Pager page={page} totalPages={moves.data?.pagination.totalPages ?? 0} onGo={onGo} />
    </Card>
  )
}

function Line({ orgId, move }: { orgId: string; move: MoveSummary }) {
  const { id, source, fileName, status, dryRun, successCount, createdAt } = move
  const facts = [
    text.products[source],
    dryRun && status === 'COMPLETED' ? text.job.checkOnly : text.job.statuses[status],
    !dryRun && text.links(successCount, formatNumber(successCount)),
  ]
  return (
    <Link
      to="/$orgId/imports/move"
      params={{ orgId }}
      search={{ job: id }}
      className="flex min-h-14 items-center gap-3 rounded-control px-3 py-1.5 hover:bg-raised aria-[current=page]:bg-raised"
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{fileName ?? text.job.noFile}</span>
        <span className="block text-sm text-soft">{facts.filter((fact) => fact !== false).join(' · ')}</span>
      </span>
      <time
        dateTime={createdAt}
        title={formatTime(createdAt)}
        className="text-sm whitespace-nowrap text-soft"
      >
        {formatAge(createdAt)}
      </time>
    </Link>
  )
}
