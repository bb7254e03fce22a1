import type { Webhook, WebhookDelivery } from '@everscan/client/create-client.ts'
import { eventNames } from '@everscan/contract/resources/events.ts'
import { deliveryStatuses } from '@everscan/contract/resources/webhooks.ts'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { api, queries } from '../session/api.ts'
import { formatAge, formatNumber, formatTime, formatWhen } from '../ui/format.ts'
import { readWord } from '../ui/page-search.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import type { DeliverySearch } from './delivery-search.ts'
import { developersWords } from '../words/developers-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { List, ListSkeleton } from '../ui/list.tsx'
import { Pager } from '../ui/pager.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'

const text = developersWords
const perPage = 25
/** While a delivery is pending, its outcome is read this often. */
const waitingMs = 1_500
const tones: Readonly<Record<WebhookDelivery['status'], BadgeTone>> = {
  PENDING: 'warning',
  SUCCEEDED: 'good',
  FAILED: 'problem',
}

export const refreshDeliveries = async (orgId: string, webhookId: string) =>
  queries.invalidateQueries({ queryKey: ['deliveries', orgId, webhookId] })

type Props = {
  orgId: string
  webhook: Webhook
  search: DeliverySearch
  onSearch: (search: DeliverySearch) => void
}

/** Lists the deliveries to a webhook. Filters and page are in the URL. */
export function Deliveries({ orgId, webhook: { id, status: webhookStatus }, search, onSearch }: Props) {
  const { page = 1, status, event } = search
  const deliveries = useQuery({
    queryKey: ['deliveries', orgId, id, search],
    queryFn: async ({ signal }) => {
      const filters = { ...(status !== undefined && { status }), ...(event !== undefined && { event }) }
      return api.webhooks.deliveries(orgId, id, { page, limit: perPage, ...filters }, { signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((delivery) => delivery.status === 'PENDING') === true ? waitingMs : false,
  })
  const isFiltered = status !== undefined || event !== undefined
  const total = deliveries.data?.pagination.total
  return (
    <section aria-labelledby="deliveries">
      <h2 id="deliveries" className="text-lg font-semibold">
        {text.deliveries}
      </h2>
      <div className="mt-1 mb-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-soft">{text.deliveriesText}</p>
        <Filters status={status} event={event} onSearch={onSearch} />
      </div>
      {deliveries.isError && <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isPending && <ListSkeleton rows={3} />}
      {total === 0 && !isFiltered && (
        <EmptyState title={text.noDeliveries.title} text={text.noDeliveries.text} />
      )}
      {total === 0 && isFiltered && <p className="py-10 text-center text-soft">{text.noSuchDeliveries}</p>}
      {deliveries.data !== undefined && total !== 0 && (
        <>
          <List busy={deliveries.isPlaceholderData}>
            {deliveries.data.data.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                orgId={orgId}
                delivery={delivery}
                mayReplay={webhookStatus === 'ENABLED'}
              />
            ))}
          </List>
          <Pager
            page={page}
            totalPages={deliveries.data.pagination.totalPages}
            onGo={(next) => onSearch({ status, event, page: next === 1 ? undefined : next })}
          />
        </>
      )}
    </section>
  )
}

type FiltersProps = Pick<DeliverySearch, 'status' | 'event'> & Pick<Props, 'onSearch'>

function Filters({ status, event, onSearch }: FiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-2 max-sm:w-full max-[26rem]:grid-cols-1">
      <Choice
        label={text.state}
        value={status ?? ''}
        options={[['', text.allStates], ...deliveryStatuses.map((one) => [one, text.states[one]] as const)]}
        onChoose={(value) => onSearch({ event, status: readWord(value, deliveryStatuses) })}
      />
      <Choice
        label={text.kind}
        value={event ?? ''}
        options={[['', text.allKinds], ...eventNames.map((one) => [one, text.eventNames[one]] as const)]}
        onChoose={(value) => onSearch({ status, event: readWord(value, eventNames) })}
      />
    </div>
  )
}

type RowProps = { orgId: string; delivery: WebhookDelivery; mayReplay: boolean }

/** Shows one delivery. It unfolds to the receiver's response. */
function DeliveryRow({ orgId, delivery, mayReplay }: RowProps) {
  const { id, webhookId, event, events, status, attempts, createdAt } = delivery
  const replay = useMutation({
    mutationFn: async () => api.webhooks.replay(orgId, webhookId, id),
    onSuccess: async () => {
      showToast({ kind: 'good', text: text.replayed })
      await refreshDeliveries(orgId, webhookId)
    },
    onError: showProblem,
  })
  return (
    <li>
      <details className="group">
        <summary className="flex min-h-17 cursor-pointer list-none items-center gap-3 px-4 py-2.5 -outline-offset-2 hover:bg-raised">
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-medium">{text.eventNames[event]}</span>
              <Badge tone={tones[status]}>{text.states[status]}</Badge>
            </span>
            <span className="block text-sm text-soft">
              <time dateTime={createdAt} title={formatTime(createdAt)}>
                {formatAge(createdAt)}
              </time>
              {events > 1 && ` · ${text.together(formatNumber(events))}`}
              {attempts > 0 && ` · ${text.attempts(attempts)}`}
              {outcomeOf(delivery)}
            </span>
          </span>
          <ChevronDown
            size={18}
            aria-hidden
            className="shrink-0 text-soft transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="grid grid-cols-1 gap-3 px-4 pt-3 pb-4">
          <Answer delivery={delivery} />
          <p className="text-sm text-soft">
            {text.eventId}: <code className="font-mono break-all select-all">{delivery.eventId}</code>
          </p>
          {mayReplay && (
            <div>
              <Button busy={replay.isPending} onClick={() => replay.mutate()}>
                {text.replay}
              </Button>
            </div>
          )}
        </div>
      </details>
    </li>
  )
}

function outcomeOf({ responseStatus, durationMs, nextAttemptAt, attempts }: WebhookDelivery): string {
  const parts = [
    responseStatus === null ? undefined : text.answered(responseStatus),
    durationMs === null ? undefined : text.took(formatNumber(durationMs)),
    nextAttemptAt === null || attempts === 0 ? undefined : text.nextTry(formatWhen(nextAttemptAt)),
  ]
  return parts.flatMap((part) => (part === undefined ? [] : ` · ${part}`)).join('')
}

function Answer({ delivery }: { delivery: WebhookDelivery }) {
  const { attempts, error, responseBody } = delivery
  if (attempts === 0) return <p className="text-sm text-soft">{text.noAnswerYet}</p>
  return (
    <div className="grid grid-cols-1 gap-2 text-sm">
      {error !== null && <p className="text-danger">{sayProblem({ ...delivery, message: error })}</p>}
      <p className="font-medium">{text.answer}</p>
      {responseBody === null || responseBody === '' ? (
        <p className="text-soft">{text.noAnswer}</p>
      ) : (
        <pre
          tabIndex={0}
          aria-label={text.answer}
          className="max-h-60 overflow-auto rounded-control bg-raised p-3 font-mono break-all whitespace-pre-wrap"
        >
          {responseBody}
        </pre>
      )}
    </div>
  )
}
