import type { Domain } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { answersOfDomainQuery, isProved } from '../session/domains.ts'
import { formatNumber } from '../ui/format.ts'
import { Folded } from '../ui/options.tsx'
import { domainsWords } from '../words/domains-words.ts'

const text = domainsWords.answers

/** Says whose codes a domain answers, and lists those that wait for its proof. */
export function DomainAnswers({ orgId, domain }: { orgId: string; domain: Domain }) {
  const { data } = useQuery(answersOfDomainQuery(orgId, domain.id))
  if (data === undefined) return null
  const { codes, formerCodes, waiting } = data
  const { total } = waiting.pagination
  const written = formatNumber(codes)
  return (
    <>
      {isProved(domain) && (
        <p className="mt-3 text-sm text-soft">
          {formerCodes === 0 ? text.own(codes, written) : text.former(written, formatNumber(formerCodes))}
        </p>
      )}
      {total > 0 && (
        <div className="mt-3">
          <Folded
            title={
              isProved(domain)
                ? text.lost(total, formatNumber(total))
                : text.waiting(total, formatNumber(total))
            }
          >
            <ul className="grid gap-1 text-sm">
              {waiting.data.map(({ id, name, shortUrl }) => (
                <li key={id} className="break-words">
                  <bdi>{name}</bdi> · <bdi className="text-soft">{shortUrl}</bdi>
                </li>
              ))}
            </ul>
          </Folded>
        </div>
      )}
    </>
  )
}
