import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { eventGap, EventStreamQuery } from '@everscan/contract/resources/events.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Answer, endpoint } from '../http/endpoint.ts'

export const stream = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/organizations/:orgId/events',
  role: 'VIEWER',
  tag: 'Events',
  summary: 'What happens in the organization, as it happens: server-sent events.',
  description: `Each has the JSON of an Event. Sent again with \`Last-Event-ID\`, it goes on behind that event, up to ${limits.eventHours} hours back; when that one is not kept, with a \`${eventGap}\` and the oldest that is. A comment comes every 15 s, and an answer ends after an hour at most.`,
  params: OrganizationParams,
  query: EventStreamQuery,
  requestHeaders: { 'Last-Event-ID': 'The id of the last event that was received.' },
  status: 200,
  produces: ['text/event-stream'],
  handle: async ({ streams }, { keyId, sessionId }, { params, query, headers }) => {
    const lastEventId = headers['last-event-id']
    const body = await streams.open({
      organizationId: params.orgId,
      keyId,
      sessionId,
      events: query.event,
      qrCodeIds: query.qrCodeId,
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
    })
    return new Answer(body, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would gather it.
      'x-accel-buffering': 'no',
    })
  },
})
