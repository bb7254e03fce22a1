import type { Connection } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { SettingsHead } from './settings-head.tsx'
import { Card, Failure, Notice } from '../ui/surfaces.tsx'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { useOrganization } from '../session/session.ts'
import { commonWords } from '../words/common-words.ts'
import { proxyCheckWords, settingsWords } from '../words/settings-words.ts'

const text = proxyCheckWords
const route = getRouteApi('/$orgId/settings/connection')

/**
 * Shows the address that the service sees for this user, and the setting to use if it is a proxy's.
 */
export function ConnectionPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  return (
    <>
      <SettingsHead orgId={orgId} role={role} />
      {role === 'ADMIN' ? <Check orgId={orgId} /> : <p className="text-soft">{settingsWords.onlyAdmins}</p>}
    </>
  )
}

function Check({ orgId }: { orgId: string }) {
  const connection = useQuery({
    queryKey: ['connection', orgId],
    queryFn: async ({ signal }) => api.organizations.connection(orgId, { signal }),
    staleTime: 0,
  })
  return (
    <div className="grid max-w-2xl grid-cols-1 gap-5">
      <p className="text-soft">{text.text}</p>
      {connection.isError && <Failure error={connection.error} onRetry={() => void connection.refetch()} />}
      {connection.isPending && (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="h-72 animate-pulse rounded-card border border-line bg-surface"
        />
      )}
      {connection.data !== undefined && (
        <>
          <RecentScans recent={connection.data.recentScans} />
          <You connection={connection.data} />
          <Details connection={connection.data} />
          <div>
            <Button busy={connection.isFetching} onClick={() => void connection.refetch()}>
              {text.again}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function You({ connection }: { connection: Connection }) {
  const { address, proxies, suggestion } = connection
  return (
    <Card>
      <p className="text-lg">
        {text.youComeFrom} <Address>{address}</Address>
        {', '}
        {proxies.length === 0 ? text.directly : text.throughProxies(proxies.length, proxies.join(', '))}
      </p>
      <p className="mt-1 text-sm text-soft">{text.compare}</p>
      <h3 className="mt-5 font-semibold">{text.right}</h3>
      <p className="text-soft">{text.rightText}</p>
      <h3 className="mt-4 font-semibold">{text.wrong}</h3>
      {suggestion === null ? (
        <p className="text-soft">{saysOtherwise(connection) ? text.someHeader : text.noHeader}</p>
      ) : (
        <>
          <p className="text-soft">{text.suggestionText(address)}</p>
          <div className="mt-3 flex flex-wrap items-center gap-2">
            <code
              dir="ltr"
              className="rounded-control bg-raised px-3 py-2 font-mono text-sm break-all select-all"
            >
              TRUST_PROXY={suggestion}
            </code>
            <CopyButton text={`TRUST_PROXY=${suggestion}`} label={text.copySetting} />
          </div>
        </>
      )}
    </Card>
  )
}

/** Returns whether a proxy names the client in a header that is not trusted. */
function saysOtherwise({ headers }: Connection): boolean {
  return headers.some(({ name }) =>
    ['forwarded', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'via'].includes(name),
  )
}

function RecentScans({ recent }: { recent: Connection['recentScans'] }) {
  const share = recent === null ? '' : `${formatNumber(recent.percentage)} %`
  const count = recent === null ? '' : formatNumber(recent.scans)
  return (
    <Card title={text.scans}>
      {recent === null && <p className="text-soft">{text.scansNone}</p>}
      {recent !== null && !recent.nearlyOneNetwork && <p>{text.scansFine(share, count)}</p>}
      {recent !== null && recent.nearlyOneNetwork && (
        <Notice kind="problem">{text.scansOne(share, count)}</Notice>
      )}
    </Card>
  )
}

function Details({ connection: { peer, headers, trustProxy } }: { connection: Connection }) {
  return (
    <>
      <Card title={text.trusted}>
        {trustProxy.length > 0 && (
          <ul className="mb-2 flex flex-wrap gap-2">
            {trustProxy.map((network) => (
              <li key={network}>
                <Address>{network}</Address>
              </li>
            ))}
          </ul>
        )}
        <p className="text-soft">{trustProxy.length === 0 ? text.trustedNone : text.trustedText}</p>
      </Card>
      <Card title={text.headers}>
        <dl className="grid grid-cols-1 gap-x-4 gap-y-1.5 sm:grid-cols-[auto_1fr]">
          <dt className="text-soft">{text.peer}</dt>
          <dd>
            <Address>{peer}</Address>
          </dd>
          {headers.map(({ name, value }) => (
            <div key={name} className="contents">
              <dt className="font-mono text-sm text-soft">{name}</dt>
              <dd className="max-sm:mb-2">
                <Address>{value}</Address>
              </dd>
            </div>
          ))}
        </dl>
      </Card>
    </>
  )
}

function Address({ children }: { children: ReactNode }) {
  return (
    <bdi>
      <code className="font-mono text-[0.9em] font-semibold break-all">{children}</code>
    </bdi>
  )
}
