import type { Organization } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { OrganizationCard } from './organization-card.tsx'
import { SavedStylesCard } from './saved-styles-card.tsx'
import { SettingsHead } from './settings-head.tsx'
import { formatTime } from '../ui/format.ts'
import { Card, Failure, Notice } from '../ui/surfaces.tsx'
import { api } from '../session/api.ts'
import { dropOrganization, organizationQuery } from '../session/organizations.ts'
import { signInOptionsQuery, useOrganization } from '../session/session.ts'
import { showToast } from '../ui/toasts.ts'
import { commonWords } from '../words/common-words.ts'
import { settingsWords } from '../words/settings-words.ts'

const text = settingsWords
const route = getRouteApi('/$orgId/settings')

/**
 * Shows the settings of an organization: its name and logo, its styles, how long scans are kept,
 * export, and leaving.
 */
export function SettingsPage() {
  useTitle(text.title)
  const { orgId } = route.useParams()
  const organization = useOrganization(orgId)
  const details = useQuery(organizationQuery(orgId))
  const keeping = useQuery(signInOptionsQuery)
  return (
    <>
      <SettingsHead orgId={orgId} role={organization.role} />
      <div className="grid max-w-2xl grid-cols-1 gap-5">
        {details.isError && <Failure error={details.error} onRetry={() => void details.refetch()} />}
        {details.isPending && (
          <div
            role="status"
            aria-label={commonWords.loading}
            className="h-[30rem] animate-pulse rounded-card border border-line bg-surface"
          />
        )}
        {details.data?.mailsStoppedAt != null && (
          <Notice kind="problem">{text.mailsStopped(formatTime(details.data.mailsStoppedAt))}</Notice>
        )}
        {details.data !== undefined && <OrganizationCard key={orgId} organization={details.data} />}
        <SavedStylesCard orgId={orgId} role={organization.role} />
        {keeping.data !== undefined && (
          <Card title={text.scansKept}>
            <p className="text-soft">{text.scansKeptText(keeping.data.retentionDays)}</p>
          </Card>
        )}
        {organization.role === 'ADMIN' && (
          <Card title={text.export}>
            <p className="mb-4 text-soft">{text.exportText}</p>
            {/* The browser downloads it, because it may be larger than a page can hold. */}
            <a href={`/api/v1/organizations/${orgId}/export`} download className={buttonClass()}>
              {text.exportAction}
            </a>
          </Card>
        )}
        <Leaving organization={organization} />
      </div>
    </>
  )
}

function Leaving({ organization: { id, name } }: { organization: Organization }) {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  return (
    <Card title={text.leave}>
      <p className="mb-4 text-soft">{text.leaveText}</p>
      <Button onClick={() => setAsking(true)}>{text.leaveAction}</Button>
      {asking && (
        <ConfirmDialog
          title={text.leaveTitle(name)}
          text={text.leaveConfirm}
          action={text.leaveAction}
          onConfirm={async () => {
            await api.me.leaveOrganization(id)
            showToast({ kind: 'good', text: text.left(name) })
            dropOrganization(id)
            await navigate({ to: '/' })
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
