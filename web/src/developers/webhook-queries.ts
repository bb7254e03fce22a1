import type { Webhook } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { developersWords } from '../words/developers-words.ts'
import { api, queries } from '../session/api.ts'

/** Returns the query of all webhooks of an organization: there are few. */
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

/** Shows the current state of a webhook wherever it appears. */
export async function showWebhook(orgId: string, webhook: Webhook): Promise<void> {
  queries.setQueryData(webhookQuery(orgId, webhook.id).queryKey, webhook)
  await queries.invalidateQueries({ queryKey: webhooksQuery(orgId).queryKey })
}

/** Returns the events that a webhook receives, in words. */
export function eventsText(events: Webhook['events']): string {
  return events.includes('*')
    ? developersWords.allEvents
    : events.map((name) => (name === '*' ? '' : developersWords.eventNames[name])).join(', ')
}
