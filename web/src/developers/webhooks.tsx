import type { Webhook, WebhookWithSecret } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { developerParts } from './developer-parts.ts'
import { List, ListSkeleton } from '../ui/list.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { Parts } from '../ui/parts.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { api } from '../session/api.ts'
import { formatWhen } from '../ui/format.ts'
import { useOrganization } from '../session/session.ts'
import { eventsText, showWebhook, webhooksQuery } from './webhook-queries.ts'
import { developersWords } from '../words/developers-words.ts'
import { LearnMore } from '../ui/learn-more.tsx'

const text = developersWords
const route = getRouteApi('/$orgId/developers/webhooks')

/** Lists the programs that are notified of events. */
export function WebhooksPage() {
  useTitle(text.webhooks)
  const { orgId } = route.useParams()
  const { role } = useOrganization(orgId)
  return (
    <>
      <Parts title={text.title} label={text.parts} orgId={orgId} parts={developerParts(role)} />
      {role === 'ADMIN' ? <Webhooks orgId={orgId} /> : <p className="text-soft">{text.onlyAdmins}</p>}
    </>
  )
}

function Webhooks({ orgId }: { orgId: string }) {
  const webhooks = useQuery(webhooksQuery(orgId))
  const [asking, setAsking] = useState(false)
  const [made, setMade] = useState<WebhookWithSecret>()
  const rows = webhooks.data?.data
  return (
    <section aria-labelledby="webhooks" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="webhooks" className="text-lg font-semibold">
            {text.webhooks}
          </h2>
          <p className="text-soft">
            {text.webhooksText} <LearnMore about="webhooks" />
          </p>
        </div>
        <Button look="primary" onClick={() => setAsking(true)}>
          {text.newWebhook}
        </Button>
      </div>
      {made !== undefined && <ShownSecret secret={made.secret} onKept={() => setMade(undefined)} />}
      {webhooks.isError && <Failure error={webhooks.error} onRetry={() => void webhooks.refetch()} />}
      {webhooks.isPending && <ListSkeleton rows={2} />}
      {rows?.length === 0 && <EmptyState title={text.noWebhooks.title} text={text.noWebhooks.text} />}
      {rows !== undefined && rows.length > 0 && (
        <List>
          {rows.map((webhook) => (
            <WebhookRow key={webhook.id} orgId={orgId} webhook={webhook} />
          ))}
        </List>
      )}
      {asking && (
        <WebhookDialog
          title={text.newWebhook}
          action={text.makeWebhook}
          onSave={async (fields) => {
            const webhook = await api.webhooks.create(orgId, fields)
            setMade(webhook)
            setAsking(false)
            const { secret: _, ...shown } = webhook
            await showWebhook(orgId, shown)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  )
}

function WebhookRow({ orgId, webhook }: { orgId: string; webhook: Webhook }) {
  const { id, url, description, events, status, lastDeliveryAt } = webhook
  return (
    <li>
      <Link
        to="/$orgId/developers/webhooks/$webhookId"
        params={{ orgId, webhookId: id }}
        className="flex min-h-17 items-center gap-3 px-4 py-2.5 -outline-offset-2 hover:bg-raised"
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-2">
            <bdi className="truncate font-medium">{description === '' ? url : description}</bdi>
            {status === 'DISABLED' ? (
              <Badge tone="problem">{text.paused}</Badge>
            ) : (
              <Badge tone="good">{text.enabled}</Badge>
            )}
          </span>
          <span className="block truncate text-sm text-soft">
            {description !== '' && (
              <>
                <bdi>{url}</bdi>
                {' · '}
              </>
            )}
            {eventsText(events)}
            {' · '}
            {lastDeliveryAt === null ? text.neverCalled : text.lastCalled(formatWhen(lastDeliveryAt))}
          </span>
        </span>
        <ChevronRight size={18} aria-hidden className="shrink-0 text-soft rtl:rotate-180" />
      </Link>
    </li>
  )
}
