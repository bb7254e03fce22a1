import type { Webhook } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Deliveries, refreshDeliveries } from './deliveries.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { ShownSecret } from './shown-secret.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { api, queries } from '../session/api.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { eventsText, showWebhook, webhookQuery, webhooksQuery } from './webhook-queries.ts'
import { commonWords } from '../words/common-words.ts'
import { developersWords } from '../words/developers-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'

const text = developersWords
const route = getRouteApi('/$orgId/developers/webhooks/$webhookId')

/** Shows one webhook: the events that it receives, and the result of each delivery. */
export function WebhookPage() {
  useTitle(text.webhooks)
  const { orgId, webhookId } = route.useParams()
  const search = route.useSearch()
  const navigate = useNavigate({ from: '/$orgId/developers/webhooks/$webhookId' })
  const webhook = useQuery(webhookQuery(orgId, webhookId))
  return (
    <>
      <Link
        to="/$orgId/developers/webhooks"
        params={{ orgId }}
        className="mb-3 inline-flex min-h-10 items-center gap-2 text-sm text-soft hover:text-ink"
      >
        <ArrowLeft size={16} aria-hidden className="rtl:rotate-180" />
        {text.backToWebhooks}
      </Link>
      {webhook.isError && <Failure error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.isPending && (
        <div
          role="status"
          aria-label={commonWords.loading}
          className="h-72 animate-pulse rounded-card border border-line bg-surface"
        />
      )}
      {webhook.data !== undefined && (
        <div className="grid grid-cols-1 gap-6">
          <About orgId={orgId} webhook={webhook.data} />
          <Deliveries
            orgId={orgId}
            webhook={webhook.data}
            search={search}
            onSearch={(next) => void navigate({ search: next, replace: next.page === search.page })}
          />
        </div>
      )}
    </>
  )
}

/** A window about a webhook. */
type Asked = 'edit' | 'rotate' | 'delete'

function About({ orgId, webhook }: { orgId: string; webhook: Webhook }) {
  const { id } = webhook
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const isOn = webhook.status === 'ENABLED'
  const turn = useMutation({
    mutationFn: async () => api.webhooks.update(orgId, id, { status: isOn ? 'DISABLED' : 'ENABLED' }),
    onSuccess: async (changed) => showWebhook(orgId, changed),
    onError: showProblem,
  })
  const test = useMutation({
    mutationFn: async () => api.webhooks.ping(orgId, id),
    onSuccess: async () => {
      showToast({ kind: 'good', text: text.testSent })
      await refreshDeliveries(orgId, id)
    },
    onError: showProblem,
  })
  return (
    <>
      <Card>
        <Facts webhook={webhook} isOn={isOn} />
        <div className="mt-4 flex flex-wrap gap-2">
          {isOn && (
            <Button look="primary" busy={test.isPending} onClick={() => test.mutate()}>
              {text.sendTest}
            </Button>
          )}
          <Button {...(!isOn && { look: 'primary' })} busy={turn.isPending} onClick={() => turn.mutate()}>
            {isOn ? text.pause : text.enable}
          </Button>
          <Button onClick={() => setAsked('edit')}>{text.edit}</Button>
          <Button onClick={() => setAsked('rotate')}>{text.rotate}</Button>
          <Button onClick={() => setAsked('delete')}>{text.delete}</Button>
        </div>
      </Card>
      {secret !== undefined && <ShownSecret secret={secret} onKept={() => setSecret(undefined)} />}
      <AskedDialog {...{ orgId, webhook, asked }} onSecret={setSecret} onClose={() => setAsked(undefined)} />
    </>
  )
}

function Facts({ webhook, isOn }: { webhook: Webhook; isOn: boolean }) {
  const { url, description, events, disabledReason } = webhook
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <h1 className="min-w-0 text-xl font-semibold break-all">
          <bdi>{description === '' ? url : description}</bdi>
        </h1>
        <Badge tone={isOn ? 'good' : 'problem'}>{isOn ? text.enabled : text.paused}</Badge>
      </div>
      {description !== '' && (
        <p className="mt-1 break-all text-soft">
          <bdi>{url}</bdi>
        </p>
      )}
      <p className="mt-1 text-soft">{eventsText(events)}</p>
      {!isOn && (
        <div role="status" className="mt-4 rounded-control border border-warning px-3 py-2 text-sm">
          <p className="font-medium text-warning">{text.disabledTitle}</p>
          {disabledReason !== null && (
            <p className="mt-0.5">{sayProblem({ ...webhook, message: disabledReason })}</p>
          )}
        </div>
      )}
    </>
  )
}

type AskedProps = {
  orgId: string
  webhook: Webhook
  asked: Asked | undefined
  onSecret: (secret: string) => void
  onClose: () => void
}

function AskedDialog({ orgId, webhook, asked, onSecret, onClose }: AskedProps) {
  const { id } = webhook
  const navigate = useNavigate()
  return (
    <>
      {asked === 'edit' && (
        <WebhookDialog
          title={text.editTitle}
          action={commonWords.save}
          from={webhook}
          onSave={async ({ url: to, description: what, events: which, batch }) => {
            const fields = { url: to, description: what, events: which, batch }
            await showWebhook(orgId, await api.webhooks.update(orgId, id, fields))
            onClose()
          }}
          onClose={onClose}
        />
      )}
      {asked === 'rotate' && (
        <ConfirmDialog
          title={text.rotateTitle}
          text={text.rotateText}
          action={text.rotateAction}
          onConfirm={async () => onSecret((await api.webhooks.rotateSecret(orgId, id)).secret)}
          onClose={onClose}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={text.deleteTitle}
          text={text.deleteText}
          action={text.deleteAction}
          onConfirm={async () => {
            await api.webhooks.delete(orgId, id)
            await navigate({ to: '/$orgId/developers/webhooks', params: { orgId } })
            await queries.invalidateQueries({ queryKey: webhooksQuery(orgId).queryKey })
          }}
          onClose={onClose}
        />
      )}
    </>
  )
}
