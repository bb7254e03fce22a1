import type { Domain } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { formerCodesQuery, refreshFormerCodes } from '../session/domains.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { formatDay, formatNumber } from '../ui/format.ts'
import { Folded } from '../ui/options.tsx'
import { Pager } from '../ui/pager.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { domainsWords } from '../words/domains-words.ts'

const text = domainsWords.former

type Props = { orgId: string; domain: Domain; codes: number; endsAt: string | null }

/** Lists what codes of former owners do on a domain, and gives them notice. */
export function FormerCodes({ orgId, domain: { id, hostname }, codes, endsAt }: Props) {
  const [asked, setAsked] = useState<'give' | 'withdraw'>()
  const day = endsAt === null ? '' : formatDay(endsAt)
  const change = async (work: Promise<unknown>) => {
    await work
    await refreshFormerCodes(orgId)
  }
  return (
    <div className="mt-3 grid gap-3">
      <Folded title={text.title(formatNumber(codes))}>
        <FormerCodeList orgId={orgId} domainId={id} />
      </Folded>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button onClick={() => setAsked(endsAt === null ? 'give' : 'withdraw')}>
          {endsAt === null ? text.give : text.withdraw}
        </Button>
        {endsAt !== null && <p className="text-sm text-soft">{text.end(day)}</p>}
      </div>
      {asked === 'give' && (
        <ConfirmDialog
          title={text.giveTitle(hostname)}
          text={text.giveText}
          action={text.give}
          onConfirm={async () => change(api.domains.giveNotice(orgId, id))}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'withdraw' && (
        <ConfirmDialog
          title={text.withdrawTitle(hostname)}
          text={text.withdrawText}
          action={text.withdraw}
          onConfirm={async () => change(api.domains.withdrawNotice(orgId, id))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  )
}

function FormerCodeList({ orgId, domainId }: { orgId: string; domainId: string }) {
  const [page, setPage] = useState(1)
  const read = useQuery({ ...formerCodesQuery(orgId, domainId, page), placeholderData: keepPreviousData })
  if (read.data === undefined)
    return read.isError ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : null
  return (
    <>
      <ul className="divide-y divide-line text-sm">
        {read.data.data.map(({ shortUrl, destinations }) => (
          <li key={shortUrl} className="py-2 break-all">
            <bdi className="font-medium">{shortUrl}</bdi>
            <p className="text-soft">
              {destinations.length === 0 ? text.noAddress : <bdi>{destinations.join(', ')}</bdi>}
            </p>
          </li>
        ))}
      </ul>
      <Pager page={page} totalPages={read.data.pagination.totalPages} onGo={setPage} />
    </>
  )
}
