import { useQuery } from '@tanstack/react-query'
import { domainsQuery } from './domains.ts'
import { formatDay } from '../ui/format.ts'
import { domainsWords } from '../words/domains-words.ts'

type NoticeProps = { hostname: string; endsAt: string }

/** Says that codes on a host name end, because it belongs to another organization now. */
export function DomainNotice({ hostname, endsAt }: NoticeProps) {
  const text = domainsWords.former
  const day = formatDay(endsAt)
  const isOver = Date.parse(endsAt) <= Date.now()
  return (
    <p role="status" className="mt-3 rounded-control border border-warning px-3 py-2 text-sm break-words">
      {isOver ? text.ended(hostname, day) : text.notice(hostname, day)}
    </p>
  )
}

/** Shows the notice of the domain that a code is on, if there is one. */
export function CodeNotice({ orgId, domainId }: { orgId: string; domainId: string | null }) {
  const { data } = useQuery({ ...domainsQuery(orgId), enabled: domainId !== null })
  const domain = data?.find(({ id }) => id === domainId)
  if (domain === undefined || domain.noticeEndsAt === null) return null
  return (
    <div className="mb-5">
      <DomainNotice hostname={domain.hostname} endsAt={domain.noticeEndsAt} />
    </div>
  )
}
