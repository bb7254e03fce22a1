import type { Webhook } from '@everscan/client/create-client.ts'
import { deliveryStatuses } from '@everscan/contract/resources/webhooks.ts'
import { eventNames } from '@everscan/contract/resources/events.ts'
import { queryOptions } from '@tanstack/react-query'
import { words } from '../words/words.ts'
import { api, queries } from '../session/api.ts'
import { readPage, readWord } from '../ui/page-search.ts'

/** The webhooks of an organization, all of them: there are few. */
export const webhooksQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['webhooks', orgId],
    queryFn: async ({ signal }) => api.webhooks.list(orgId, { limit: 100 }, { signal }),
  })

export const webhookQuery = (orgId: string, id: string) =>
  queryOptions({
    queryKey: ['webhook', orgId, id],
    queryFn: async ({ signal }) => api.webhooks.read(orgId, id, { signal }),
  })

/** Shows a webhook as it is now, wherever it stands. */
export async function showWebhook(orgId: string, webhook: Webhook): Promise<void> {
  queries.setQueryData(webhookQuery(orgId, webhook.id).queryKey, webhook)
  await queries.invalidateQueries({ queryKey: webhooksQuery(orgId).queryKey })
}

/** What a webhook is told, in words. */
export function eventsText(events: Webhook['events']): string {
  return events.includes('*')
    ? words.developers.allEvents
    : events.map((name) => (name === '*' ? '' : words.developers.eventNames[name])).join(', ')
}

/** What the address of a webhook's calls says. */
export type DeliverySearch = {
  page?: number | undefined
  status?: (typeof deliveryStatuses)[number] | undefined
  event?: (typeof eventNames)[number] | undefined
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  return {
    page: readPage(search),
    status: readWord(search['status'], deliveryStatuses),
    event: readWord(search['event'], eventNames),
  }
}
