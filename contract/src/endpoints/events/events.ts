import { limits } from '../../schema/limits.ts'
import { eventGap, EventStreamQuery } from '../../resources/events.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

export const events = {
  stream: endpoint({
    id: 'streamEvents',
    call: 'byHand',
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
  }),
}
