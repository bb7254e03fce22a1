import { events } from '@everscan/contract/endpoints/events/events.ts'
import { Answer, handler } from '../http/handler.ts'
import { streamedEvents } from '../../product/events/event-scopes.ts'

export const stream = handler(events.stream, {
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
