import type { ApiKey, CreatedApiKey } from '@everscan/client/create-client.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { developerParts } from './developer-parts.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { FirstCall } from './first-call.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyRow } from './key-row.tsx'
import { List, ListSkeleton } from '../ui/list.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Pager } from '../ui/pager.tsx'
import { Parts } from '../ui/parts.tsx'
import { ShownOnce } from '../ui/shown-once.tsx'
import { Card, EmptyState, Failure } from '../ui/surfaces.tsx'
import { api, queries } from '../session/api.ts'
import { useOrganization } from '../session/session.ts'
import { developersWords } from '../words/developers-words.ts'

const text = developersWords
const route = getRouteApi('/$orgId/developers')
const perPage = 25

const refreshKeys = async (orgId: string) => queries.invalidateQueries({ queryKey: ['api-keys', orgId] })

/** Shows the keys of an organization, its id, and a first call with one of the keys. */
export function DevelopersPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  const isAdmin = role === 'ADMIN'
  const [made, setMade] = useState<CreatedApiKey>()
  return (
    <>
      <Parts title={text.title} label={text.parts} orgId={orgId} parts={developerParts(role)} />
      <div className="grid grid-cols-1 gap-5">
        {isAdmin ? (
          <Keys orgId={orgId} made={made} onMade={setMade} />
        ) : (
          <p className="text-soft">{text.onlyAdmins}</p>
        )}
        <Card>
          <FirstCall orgId={orgId} {...(made !== undefined && { made })} />
        </Card>
        <Card title={text.organizationId}>
          <p className="mb-3 text-soft">{text.organizationIdText}</p>
          <div className="flex flex-wrap items-center gap-2">
            <code className="rounded-control bg-raised px-3 py-2 font-mono text-sm break-all select-all">
              {orgId}
            </code>
            <CopyButton text={orgId} label={text.copyOrganizationId} />
          </div>
        </Card>
        <div>
          <a href="/docs" className={buttonClass()}>
            {text.reference}
          </a>
        </div>
      </div>
    </>
  )
}

type KeysProps = {
  orgId: string
  made: CreatedApiKey | undefined
  onMade: (key: CreatedApiKey | undefined) => void
}

function Keys({ orgId, made, onMade }: KeysProps) {
  const { page = 1 } = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/developers' })
  const [revoking, setRevoking] = useState<ApiKey>()
  const keys = useQuery({
    queryKey: ['api-keys', orgId, page],
    queryFn: async ({ signal }) => api.apiKeys.list(orgId, { page, limit: perPage }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-labelledby="keys" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="keys" className="text-lg font-semibold">
            {text.keys}
          </h2>
          <p className="text-soft">{text.keysText}</p>
        </div>
        <NewKeyButton orgId={orgId} onMade={onMade} />
      </div>
      {made !== undefined && <MadeKey made={made} onKept={() => onMade(undefined)} />}
      {keys.isError && <Failure error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <ListSkeleton />}
      {keys.data?.pagination.total === 0 && <EmptyState title={text.noKeys.title} text={text.noKeys.text} />}
      {keys.data !== undefined && keys.data.pagination.total > 0 && (
        <div>
          <List busy={keys.isPlaceholderData}>
            {keys.data.data.map((key) => (
              <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
            ))}
          </List>
          <Pager
            page={page}
            totalPages={keys.data.pagination.totalPages}
            onGo={(next) => void navigate({ search: next === 1 ? {} : { page: next } })}
          />
        </div>
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          title={text.revokeTitle(revoking.name)}
          text={text.revokeText}
          action={text.revokeAction}
          onConfirm={async () => {
            await api.apiKeys.revoke(orgId, revoking.id)
            if (made?.id === revoking.id) onMade(undefined)
            await refreshKeys(orgId)
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </section>
  )
}

function NewKeyButton({ orgId, onMade }: { orgId: string; onMade: (key: CreatedApiKey) => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="primary" onClick={() => setAsking(true)}>
        {text.newKey}
      </Button>
      {asking && (
        <KeyDialog
          orgId={orgId}
          onMade={(key) => {
            onMade(key)
            setAsking(false)
            void refreshKeys(orgId)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function MadeKey({ made, onKept }: { made: CreatedApiKey; onKept: () => void }) {
  return (
    <ShownOnce title={text.keyMade(made.name)} text={text.keyOnce} value={made.key} copyLabel={text.copyKey}>
      <Button className="mt-3" onClick={onKept}>
        {text.kept}
      </Button>
    </ShownOnce>
  )
}
