import type { SentMailsPage } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { formatDay, formatNumber } from '../ui/format.ts'
import { Pager } from '../ui/pager.tsx'
import { Card, Failure, FormProblem } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { copiesWords } from '../words/settings-words.ts'

const text = copiesWords.mails
const rowsMax = 10

type SentMails = SentMailsPage['data'][number]

const keyOf = (orgId: string) => ['sent-mails', orgId] as const

/** Shows the operator which mails members caused, and stops those of one organization. */
export function SentMailsCard({ orgId }: { orgId: string }) {
  const [page, setPage] = useState(1)
  const [stopping, setStopping] = useState<SentMails['organization']>()
  const mails = useQuery({
    queryKey: [...keyOf(orgId), page],
    queryFn: async ({ signal }) => api.organizations.sentMails(orgId, { page, limit: rowsMax }, { signal }),
  })
  const turn = async (id: string, stopped: boolean) => {
    await api.organizations.switchMails(orgId, id, { stopped })
    await queries.invalidateQueries({ queryKey: keyOf(orgId) })
    await queries.invalidateQueries({ queryKey: ['organization', id] })
  }
  const allow = useMutation({ mutationFn: async (id: string) => turn(id, false) })
  return (
    <Card title={text.title}>
      <p className="text-soft">{text.text}</p>
      {mails.isError && <Failure error={mails.error} onRetry={() => void mails.refetch()} />}
      <FormProblem error={allow.error} fields={[]} />
      {mails.data?.data.length === 0 && <p className="mt-3">{text.none}</p>}
      {mails.data !== undefined && (
        <ul className="mt-3 divide-y divide-line">
          {mails.data.data.map((row, at, rows) => (
            <SentMailsRow
              key={[row.day, row.organization.id, row.sender?.id, row.kind, row.domain].join(' ')}
              row={row}
              isFirst={rows.findIndex(({ organization }) => organization.id === row.organization.id) === at}
              busy={allow.isPending}
              onStop={() => setStopping(row.organization)}
              onAllow={() => allow.mutate(row.organization.id)}
            />
          ))}
        </ul>
      )}
      <Pager page={page} totalPages={mails.data?.pagination.totalPages ?? 1} onGo={setPage} />
      {stopping !== undefined && (
        <ConfirmDialog
          title={text.stopTitle(stopping.name ?? stopping.id)}
          text={text.stopText}
          action={text.stop}
          onConfirm={async () => turn(stopping.id, true)}
          onClose={() => setStopping(undefined)}
        />
      )}
    </Card>
  )
}

/** Only the first row of an organization has its button. */
type RowProps = { row: SentMails; isFirst: boolean; busy: boolean; onStop: () => void; onAllow: () => void }

function SentMailsRow({ row, isFirst, busy, onStop, onAllow }: RowProps) {
  const { day, organization, sender, kind, domain, mails, refused } = row
  const { name, stoppedAt } = organization
  const isStopped = stoppedAt !== null
  const action = isStopped ? text.allow : text.stop
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <bdi className="max-w-full truncate font-medium">{name ?? text.deleted}</bdi>
          {isStopped && <Badge tone="problem">{text.stopped}</Badge>}
        </p>
        <p className="text-sm break-words">
          {text.kinds[kind]}
          {commonWords.colon} {text.count(mails, formatNumber(mails))} {text.to(domain)}
          {refused > 0 && `, ${text.refused(formatNumber(refused))}`}
        </p>
        <p className="text-sm break-words text-soft">
          {formatDay(day)} · <bdi>{sender === null ? text.unknownSender : (sender.name ?? sender.id)}</bdi>
        </p>
      </div>
      {isFirst && name !== null && (
        <Button
          aria-label={`${action}${commonWords.colon} ${name}`}
          busy={busy}
          onClick={isStopped ? onAllow : onStop}
        >
          {action}
        </Button>
      )}
    </li>
  )
}
