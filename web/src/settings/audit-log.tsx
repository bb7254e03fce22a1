import type { AuditEntry } from '@everscan/client/create-client.ts'
import { auditActions } from '@everscan/contract/resources/audit-log.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { AuditRow } from './audit-row.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { List, ListSkeleton } from '../ui/list.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Pager } from '../ui/pager.tsx'
import { SettingsHead } from './settings-head.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { api } from '../session/api.ts'
import type { AuditSearch } from './audit-search.ts'
import { readWord } from '../ui/page-search.ts'
import { useOrganization } from '../session/session.ts'
import { commonWords } from '../words/common-words.ts'
import { auditLogWords } from '../words/audit-log-words.ts'
import { settingsWords } from '../words/settings-words.ts'

const text = auditLogWords
const route = getRouteApi('/$orgId/settings/audit-log')
const perPage = 50

/** Lists who changed what. Filters and page are in the URL. */
export function AuditLogPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  return (
    <>
      <SettingsHead orgId={orgId} role={role} />
      {role === 'ADMIN' ? (
        <AuditLog key={orgId} orgId={orgId} />
      ) : (
        <p className="text-soft">{settingsWords.onlyAdmins}</p>
      )}
    </>
  )
}

function AuditLog({ orgId }: { orgId: string }) {
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/settings/audit-log' })
  const { page = 1, action, actor } = search
  const entries = useQuery({
    queryKey: ['audit-log', orgId, search],
    queryFn: async ({ signal }) => {
      const filters = {
        ...(action !== undefined && { action }),
        ...(actor !== undefined && { actorId: actor }),
      }
      return api.auditLog.list(orgId, { page, limit: perPage, ...filters }, { signal })
    },
    placeholderData: keepPreviousData,
  })
  const people = usePeople(orgId, { actor, entries: entries.data?.data ?? [] })
  const narrow = (changes: AuditSearch) =>
    void navigate({ search: { ...search, page: undefined, ...changes }, replace: true })
  const isFiltered = action !== undefined || actor !== undefined
  const total = entries.data?.pagination.total
  return (
    <>
      <p className="mb-4 text-soft">{text.text}</p>
      <Filters action={action} actor={actor} people={people} onNarrow={narrow} />
      {entries.isError && <Failure error={entries.error} onRetry={() => void entries.refetch()} />}
      {entries.isPending && <ListSkeleton rows={8} />}
      {total === 0 && !isFiltered && <EmptyState title={text.none.title} text={text.none.text} />}
      {total === 0 && isFiltered && (
        <EmptyState title={text.nothingFound} text={text.none.text}>
          <Button onClick={() => narrow({ action: undefined, actor: undefined })}>{text.clear}</Button>
        </EmptyState>
      )}
      {entries.data !== undefined && total !== 0 && (
        <>
          <List busy={entries.isPlaceholderData}>
            {entries.data.data.map((entry) => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </List>
          <Pager
            page={page}
            totalPages={entries.data.pagination.totalPages}
            onGo={(next) => void navigate({ search: { ...search, page: next === 1 ? undefined : next } })}
          />
        </>
      )}
    </>
  )
}

type FiltersProps = Pick<AuditSearch, 'action' | 'actor'> & {
  people: ReturnType<typeof usePeople>
  onNarrow: (changes: AuditSearch) => void
}

function Filters({ action, actor, people, onNarrow }: FiltersProps) {
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 max-[26rem]:grid-cols-1 sm:flex">
      <Choice
        label={text.person}
        value={actor ?? ''}
        options={[['', text.everybody], ...people]}
        onChoose={(value) => onNarrow({ actor: value === '' ? undefined : value })}
        className="sm:w-60"
      />
      <Choice
        label={text.kind}
        value={action ?? ''}
        options={[
          ['', text.everything],
          ...auditActions.map((one) => [one, text.actions[one].kind] as const),
        ]}
        onChoose={(value) => onNarrow({ action: readWord(value, auditActions) })}
        className="sm:w-60"
      />
    </div>
  )
}

/**
 * Returns the members and keys to choose from, and any other actor in the URL, such as one who has
 * left.
 */
function usePeople(
  orgId: string,
  { actor, entries }: { actor: string | undefined; entries: readonly AuditEntry[] },
): (readonly [id: string, name: string])[] {
  const people = useQuery({
    queryKey: ['people', orgId],
    queryFn: async ({ signal }) => {
      const [members, keys] = await Promise.all([
        api.members.list(orgId, { limit: 100 }, { signal }),
        api.apiKeys.list(orgId, { limit: 100 }, { signal }),
      ])
      return [...members.data, ...keys.data].map(({ id, name }) => [id, name] as const)
    },
  })
  const known = people.data ?? []
  if (actor === undefined || known.some(([id]) => id === actor)) return known
  const named = entries.find((entry) => entry.actor.id === actor)?.actor.name
  const name = named ?? (people.isPending ? commonWords.loading : text.unknownPerson)
  return [...known, [actor, name]]
}
