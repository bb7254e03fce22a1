import type { Move } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { endText, JobRun, useJob } from '../job-run.tsx'
import { api } from '../../session/api.ts'
import { domainsQuery, isProved } from '../../session/domains.ts'
import { useMay } from '../../session/roles.ts'
import { buttonClass } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card, Failure, Notice } from '../../ui/surfaces.tsx'
import { commonWords } from '../../words/common-words.ts'
import { domainsWords } from '../../words/domains-words.ts'
import { importsWords } from '../../words/imports-words.ts'
import { movesWords } from '../../words/moves-words.ts'
import { MoveComparison } from './move-comparison.tsx'
import { MoveProblems } from './move-problems.tsx'
import { isAtVisitsOf, VisitsOutcome } from './move-visits.tsx'
import { ofInstallation } from './move-search.ts'

const text = movesWords
const told = text.job

/** Shows a move: its progress while it runs, then its result and what comes next. */
export function MoveProgress({ orgId, id }: { orgId: string; id: string }) {
  const { job: move, ended } = useJob({
    queryKey: ['moves', orgId],
    id,
    read: async (options) => api.moves.read(orgId, id, options),
  })
  const mayEdit = useMay(orgId, 'EDITOR')
  const domains = useQuery(domainsQuery(orgId))
  if (move.isError) return <Failure error={move.error} onRetry={() => void move.refetch()} />
  if (move.data === undefined) return <div role="status" aria-label={commonWords.loading} className="h-52" />
  const domain = domains.data?.find((one) => one.id === move.data.domainId)
  const hostname = domain?.hostname
  const waits = move.data.waitingCount > 0 && domain !== undefined && !isProved(domain)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Head orgId={orgId} move={move.data} hostname={hostname} />
          <JobRun
            job={move.data}
            words={told}
            done={doneOf(move.data)}
            note={told.leave}
            mayEdit={mayEdit}
            onCancel={async () => {
              await api.moves.cancel(orgId, id)
              await move.refetch()
            }}
          >
            <Outcome orgId={orgId} move={move.data} waits={waits} />
          </JobRun>
        </div>
      </Card>
      {ended && !move.data.dryRun && move.data.successCount > 0 && (
        <>
          {!waits && <MoveComparison orgId={orgId} move={move.data} />}
          <Next orgId={orgId} hostname={hostname} waits={waits} />
        </>
      )}
    </div>
  )
}

function Head({ orgId, move, hostname }: { orgId: string; move: Move; hostname: string | undefined }) {
  const { fileName, source, totalRows, domainId } = move
  const facts = [
    text.products[source],
    text.links(totalRows, formatNumber(totalRows)),
    domainId === null ? domainsWords.ofInstallation : hostname,
  ]
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1 basis-52">
        <h2 className="truncate font-medium">{fileName ?? importsWords.job.noFile}</h2>
        <p className="text-sm break-words text-soft">
          {facts.filter((fact) => fact !== undefined).join(' · ')}
        </p>
      </div>
      <Link to="/$orgId/imports/move" params={{ orgId }} className={buttonClass()}>
        {told.back}
      </Link>
    </div>
  )
}

function doneOf(move: Move): { value: number; max: number; said: string } {
  const [value, max, say] = isAtVisitsOf(move)
    ? [move.processedVisits, move.totalVisits, text.visits.running]
    : [move.processedRows, move.totalRows, told.running]
  return { value, max, said: say(formatNumber(value), formatNumber(max)) }
}

type NextProps = { orgId: string; hostname: string | undefined; waits: boolean }

/** Says what comes next: for links on a domain, its records. */
function Next({ orgId, hostname, waits }: NextProps) {
  return (
    <Card title={text.next.title}>
      <p>
        {hostname === undefined ? text.next.installation : text.next[waits ? 'waits' : 'hosted'](hostname)}
      </p>
      {hostname !== undefined && (
        <div className="mt-4">
          <Link to="/$orgId/settings/domains" params={{ orgId }} className={buttonClass()}>
            {text.next.domains}
          </Link>
        </div>
      )}
    </Card>
  )
}

function Outcome({ orgId, move, waits }: { orgId: string; move: Move; waits: boolean }) {
  const { status, dryRun, successCount, errorCount, domainId } = move
  const links = text.links(successCount, formatNumber(successCount))
  const said = endText(move, {
    completed: dryRun ? told.checked(links) : told.completed(links),
    cancelled: told.cancelled(links),
    failed: told.failed,
  })
  const refused = dryRun
    ? told.refusedCheck(formatNumber(errorCount))
    : told.refused(text.links(errorCount, formatNumber(errorCount)))
  return (
    <>
      <Notice kind={status === 'COMPLETED' && successCount > 0 ? 'good' : 'problem'}>
        {said}
        {errorCount > 0 && `, ${refused}`}
      </Notice>
      <VisitsOutcome move={move} />
      {!dryRun && !waits && successCount > 0 && (
        <div>
          <Link
            to="/$orgId/codes"
            params={{ orgId }}
            search={{ domain: domainId ?? ofInstallation }}
            className={buttonClass('primary')}
          >
            {importsWords.job.show}
          </Link>
        </div>
      )}
      <MoveProblems orgId={orgId} move={move} />
    </>
  )
}
