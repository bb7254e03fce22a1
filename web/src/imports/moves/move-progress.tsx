import type { Move } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { refreshCodes } from '../../codes/code-changes.ts'
import { ProgressBar } from '../progress-bar.tsx'
import { api, queries } from '../../session/api.ts'
import { domainsQuery, isProved } from '../../session/domains.ts'
import { useMay } from '../../session/roles.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Card, Failure, Notice } from '../../ui/surfaces.tsx'
import { commonWords } from '../../words/common-words.ts'
import { domainsWords } from '../../words/domains-words.ts'
import { movesWords } from '../../words/moves-words.ts'
import { sayProblem } from '../../words/problems/say-problem.ts'
import { MoveComparison } from './move-comparison.tsx'
import { MoveProblems } from './move-problems.tsx'
import { isAtVisitsOf, VisitsOutcome } from './move-visits.tsx'
import { ofInstallation } from './move-search.ts'

const text = movesWords
const told = text.job
const askedEveryMs = 500

/** Shows a move: its progress while it runs, then its result and what comes next. */
export function MoveProgress({ orgId, id }: { orgId: string; id: string }) {
  const { move, ended } = useMove(orgId, id)
  const [stopping, setStopping] = useState(false)
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
          {ended ? (
            <Outcome orgId={orgId} move={move.data} waits={waits} />
          ) : (
            <Running move={move.data} mayEdit={mayEdit} onStop={() => setStopping(true)} />
          )}
        </div>
      </Card>
      {stopping && (
        <ConfirmDialog
          title={told.cancelTitle}
          text={told.cancelText}
          action={told.cancel}
          onClose={() => setStopping(false)}
          onConfirm={async () => {
            await api.moves.cancel(orgId, id)
            await move.refetch()
          }}
        />
      )}
      {ended && !move.data.dryRun && move.data.successCount > 0 && (
        <>
          {!waits && <MoveComparison orgId={orgId} move={move.data} />}
          <Next orgId={orgId} hostname={hostname} waits={waits} />
        </>
      )}
    </div>
  )
}

/** Reads a move until it has ended. */
function useMove(orgId: string, id: string) {
  const move = useQuery({
    queryKey: ['moves', orgId, 'one', id],
    queryFn: async ({ signal }) => api.moves.read(orgId, id, { signal }),
    refetchInterval: ({ state }) => (state.data?.completedAt === null ? askedEveryMs : false),
  })
  const ended = move.data !== undefined && move.data.completedAt !== null
  useEffect(() => {
    if (!ended) return
    void refreshCodes()
    void queries.invalidateQueries({ queryKey: ['moves', orgId, 'list'] })
  }, [ended, orgId])
  return { move, ended }
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
        <h2 className="truncate font-medium">{fileName ?? told.noFile}</h2>
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

function Running({ move, mayEdit, onStop }: { move: Move; mayEdit: boolean; onStop: () => void }) {
  const { totalRows, processedRows, totalVisits, processedVisits, status } = move
  const isAtVisits = isAtVisitsOf(move)
  return (
    <div>
      <ProgressBar
        label={told.progress}
        max={isAtVisits ? totalVisits : totalRows}
        value={isAtVisits ? processedVisits : processedRows}
      >
        {status === 'PENDING'
          ? told.pending
          : isAtVisits
            ? text.visits.running(formatNumber(processedVisits), formatNumber(totalVisits))
            : told.running(formatNumber(processedRows), formatNumber(totalRows))}
      </ProgressBar>
      <p className="mt-1 text-sm text-soft">{told.leave}</p>
      {mayEdit && (
        <Button className="mt-4" onClick={onStop}>
          {told.cancel}
        </Button>
      )}
    </div>
  )
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
  const { status, dryRun, successCount, errorCount, domainId, failureReason } = move
  const links = text.links(successCount, formatNumber(successCount))
  const said = {
    COMPLETED: dryRun ? told.checked(links) : told.completed(links),
    CANCELLED: told.cancelled(links),
    FAILED: `${told.failed}. ${failureReason === null ? '' : sayProblem({ ...move, message: failureReason })}`,
    PENDING: '',
    PROCESSING: '',
  }[status]
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
            {told.show}
          </Link>
        </div>
      )}
      <MoveProblems orgId={orgId} move={move} />
    </>
  )
}
