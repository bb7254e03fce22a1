import type { MoveSummary } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { api } from '../../session/api.ts'
import { formatNumber } from '../../ui/format.ts'
import { movesWords } from '../../words/moves-words.ts'
import { JobLine, lineClass, PastJobs } from '../past-jobs.tsx'

const text = movesWords

type Props = { orgId: string; page: number; onGo: (page: number) => void }

/** Lists the moves of an organization, newest first. */
export function PastMoves({ orgId, page, onGo }: Props) {
  return (
    <PastJobs
      words={text}
      queryKey={['moves', orgId]}
      read={async (query, options) => api.moves.list(orgId, query, options)}
      line={(move) => <Line orgId={orgId} move={move} />}
      page={page}
      onGo={onGo}
    />
  )
}

function Line({ orgId, move }: { orgId: string; move: MoveSummary }) {
  const { id, source, status, dryRun, successCount } = move
  const facts = [
    text.products[source],
    dryRun && status === 'COMPLETED' ? text.job.checkOnly : text.job.statuses[status],
    !dryRun && text.links(successCount, formatNumber(successCount)),
  ]
  return (
    <Link to="/$orgId/imports/move" params={{ orgId }} search={{ job: id }} className={lineClass}>
      <JobLine job={move} facts={facts} />
    </Link>
  )
}
