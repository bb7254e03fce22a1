import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../session/roles.ts'
import { useOrganization } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { ListSkeleton } from '../ui/list.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { domainsWords } from '../words/domains-words.ts'
import { settingsWords } from '../words/settings-words.ts'
import { DomainCard } from './domain-card.tsx'
import { AddDomainDialog } from './domain-dialogs.tsx'
import { domainsQuery } from '../session/domains.ts'
import { SettingsHead } from './settings-head.tsx'

const text = domainsWords
const route = getRouteApi('/$orgId/settings/domains')

/** Shows the domains of an organization, and what to set for them at the DNS provider. */
export function DomainsPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  const mayChange = useMay(orgId, 'ADMIN')
  const domains = useQuery(domainsQuery(orgId))
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      {text.add}
    </Button>
  )
  return (
    <>
      <SettingsHead orgId={orgId} role={role} />
      <section aria-labelledby="domains" className="grid max-w-3xl grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div>
            <h2 id="domains" className="text-lg font-semibold">
              {text.title}
            </h2>
            <p className="text-soft">
              {text.text} <LearnMore about="domains" />
            </p>
          </div>
          {mayChange && domains.data !== undefined && domains.data.length > 0 && add}
        </div>
        {!mayChange && <p className="text-soft">{settingsWords.onlyAdminsChange}</p>}
        {domains.isError && <Failure error={domains.error} onRetry={() => void domains.refetch()} />}
        {domains.isPending && <ListSkeleton rows={2} />}
        {domains.data?.length === 0 && (
          <EmptyState title={text.none.title} text={text.none.text}>
            {mayChange && add}
          </EmptyState>
        )}
        {domains.data?.map((domain) => (
          <DomainCard key={domain.id} orgId={orgId} domain={domain} mayChange={mayChange} />
        ))}
      </section>
      {isAdding && <AddDomainDialog orgId={orgId} onClose={() => setAdding(false)} />}
    </>
  )
}
