import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import { eventGap, EventStreamQuery } from '@everscan/contract/resources/events.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Answer, endpoint } from '../http/endpoint.ts'
import { streamedEvents } from '../../product/events/event-scopes.ts'

export const stream = endpoint({
  id: 'streamEvents',
  method: 'GET',
  path: '/organizations/:orgId/events',
  role: 'VIEWER',
  scope: 'anyScope',
  tag: 'Events',
  summary: 'Stream the events of the organization as they happen (server-sent events).',
  description: `Each message contains an Event as JSON. A request with \`Last-Event-ID\` resumes after that event, up to ${limits.eventHours} hours back; if that event is no longer stored, the stream starts with \`${eventGap}\` and the oldest stored event. A key with scopes receives what they include: \`codes:read\` the events of codes, \`analytics:read\` scans, \`imports\` those of imports, \`admin\` the others; it gets 403 if it asks for others with \`event\`. A comment is sent every 15 s, and a response ends after at most one hour.`,
  params: OrganizationParams,
  query: EventStreamQuery,
  requestHeaders: { 'Last-Event-ID': 'The id of the last event received.' },
  status: 200,
  produces: ['text/event-stream'],
  handle: async ({ streams }, caller, { params, query, headers }) => {
    const { keyId, sessionId, userId } = caller
    const lastEventId = headers['last-event-id']
    const body = await streams.open({
      organizationId: params.orgId,
      keyId,
      sessionId,
      userId,
      events: streamedEvents(caller, query.event),
      qrCodeIds: query.qrCodeId,
      lastEventId: typeof lastEventId === 'string' && lastEventId !== '' ? lastEventId : undefined,
    })
    return new Answer(body, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Otherwise nginx buffers the stream.
      'x-accel-buffering': 'no',
    })
  },
})
