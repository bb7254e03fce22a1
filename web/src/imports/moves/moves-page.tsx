import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useMay } from '../../session/roles.ts'
import { LearnMore } from '../../ui/learn-more.tsx'
import { useTitle } from '../../ui/narrow-page.tsx'
import { Card } from '../../ui/surfaces.tsx'
import { movesWords } from '../../words/moves-words.ts'
import { MoveProgress } from './move-progress.tsx'
import { MoveWizard } from './move-wizard.tsx'
import { PastMoves } from './past-moves.tsx'

const text = movesWords
const route = getRouteApi('/$orgId/imports/move')

/**
 * Moves links in from another product, step by step. The URL holds the choices, and the move that
 * is shown.
 */
export function MovesPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { source, domain, job, page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/imports/move' })
  const mayEdit = useMay(orgId, 'EDITOR')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <Link
          to="/$orgId/imports"
          params={{ orgId }}
          className="inline-flex min-h-10 items-center gap-1 text-sm text-soft hover:text-ink"
        >
          <ArrowLeft size={16} aria-hidden />
          {text.back}
        </Link>
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <p className="mt-1 text-soft">
          {text.text} <LearnMore about="moves" />
        </p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        {job !== undefined ? (
          <MoveProgress key={job} orgId={orgId} id={job} />
        ) : mayEdit ? (
          <MoveWizard
            key={orgId}
            orgId={orgId}
            source={source}
            domain={domain}
            onChoose={(choices) => void navigate({ search: { source, domain, ...choices } })}
            onStarted={({ id }) => void navigate({ search: { job: id } })}
          />
        ) : (
          <p className="text-soft">{text.viewer}</p>
        )}
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Plan orgId={orgId} />
          <PastMoves
            orgId={orgId}
            page={page}
            onGo={(next) =>
              void navigate({ search: { source, domain, job, page: next === 1 ? undefined : next } })
            }
          />
        </div>
      </div>
    </div>
  )
}

/** Lists what to do, and when, so that no scan is lost. */
function Plan({ orgId }: { orgId: string }) {
  return (
    <Card title={text.plan.title}>
      <ol className="grid gap-3 text-sm">
        {text.plan.steps.map(([name, why], at) => (
          <li key={name} className="flex gap-3">
            <span
              aria-hidden
              className="flex size-6 shrink-0 items-center justify-center rounded-full border border-line text-xs font-medium text-soft"
            >
              {at + 1}
            </span>
            <span>
              <span className="block font-medium">{name}</span>
              <span className="block text-soft">{why}</span>
            </span>
          </li>
        ))}
      </ol>
      <Link
        to="/$orgId/settings/domains"
        params={{ orgId }}
        className="mt-3 inline-flex min-h-10 items-center text-sm text-brand underline underline-offset-2"
      >
        {text.plan.domains}
      </Link>
    </Card>
  )
}
