import type { Domain } from '@everscan/client/create-client.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isProved } from '../../session/domains.ts'
import { useMay } from '../../session/roles.ts'
import { Badge } from '../../ui/badge.tsx'
import { Failure } from '../../ui/surfaces.tsx'
import { domainsWords } from '../../words/domains-words.ts'
import { movesWords } from '../../words/moves-words.ts'
import { ofInstallation } from './move-search.ts'

const text = movesWords.target
const linkClass = 'text-brand underline underline-offset-2'

type Props = {
  orgId: string
  domains: UseQueryResult<Domain[]>
  onChoose: (id: string) => void
}

/** Asks for the host name of the codes, and says what is missing for another one. */
export function MoveTarget({ orgId, domains, onChoose }: Props) {
  const mayAdd = useMay(orgId, 'ADMIN')
  if (domains.isError) return <Failure error={domains.error} onRetry={() => void domains.refetch()} />
  if (domains.data === undefined)
    return (
      <p role="status" className="min-h-24 text-soft">
        {text.loading}
      </p>
    )
  return (
    <>
      <p className="text-soft">{text.text}</p>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {domains.data.map((domain) => (
          <li key={domain.id}>
            <Target
              name={domain.hostname}
              onChoose={() => onChoose(domain.id)}
              isPending={!isProved(domain)}
              note={text[domain.codes === 'exact' ? 'exact' : 'canonical']}
            />
            {!isProved(domain) && mayAdd && (
              <p className="mt-1 px-4 text-sm">
                <Link to="/$orgId/settings/domains" params={{ orgId }} className={`${linkClass} break-all`}>
                  {text.prove(domain.hostname)}
                </Link>
              </p>
            )}
          </li>
        ))}
        <li>
          <Target
            name={domainsWords.ofInstallation}
            onChoose={() => onChoose(ofInstallation)}
            note={text.installationText}
          />
        </li>
      </ul>
      <div className="rounded-control bg-raised px-4 py-3 text-sm">
        <p className="font-medium">{text.missing}</p>
        <p className="mt-1">
          {mayAdd ? (
            <>
              <Link to="/$orgId/settings/domains" params={{ orgId }} className={linkClass}>
                {text.add}
              </Link>
              . {text.addText}
            </>
          ) : (
            text.askAdmin
          )}
        </p>
        <p className="mt-1">{text.hosted}</p>
      </div>
    </>
  )
}

type TargetProps = { name: string; note: string; isPending?: boolean; onChoose: () => void }

function Target({ name, note, isPending = false, onChoose }: TargetProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="w-full cursor-pointer rounded-control border border-line bg-surface px-4 py-3 text-start transition-colors hover:border-brand hover:bg-raised"
    >
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <bdi className="min-w-0 font-medium break-all">{name}</bdi>
        {isPending && <Badge tone="warning">{domainsWords.statuses.PENDING}</Badge>}
      </span>
      <span className="mt-0.5 block text-sm text-soft">
        {note} {isPending && text.pending}
      </span>
    </button>
  )
}
