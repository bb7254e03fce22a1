import { Type, type Static } from 'typebox'
import { Id, IdInput, Timestamp, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { keysOf } from '../schema/records.ts'

/** The kinds of event, each with the content of `data`. Source: section 9 of the decisions. */
export const eventDescriptions = {
  'qr.created': 'The code.',
  'qr.updated': 'The updated code.',
  'qr.deleted': 'The code before its deletion.',
  'qr.archived': 'The code.',
  'qr.restored': 'The code.',
  'qr.opened': 'The code, once its `access.startsAt` is reached.',
  'qr.ended': 'The code, once its `access.endsAt` is reached.',
  'qr.full': 'The code, once its limit is used up.',
  'qr.scanned': 'The scan; or `scans`, up to 100, for webhooks with `batch`.',
  'import.completed': 'The import job, as in the list.',
  'import.failed': 'The import job, as in the list.',
  'move.completed': 'The move from another product, as in the list.',
  'move.failed': 'The move from another product, as in the list.',
  'member.joined': 'The member.',
  'member.left': 'The member.',
  'member.role_changed': 'The updated member.',
  'copy.failed':
    'The copy of the installation that could not be made or verified. Sent only to the organization of the operator, once for consecutive failures.',
  'domain.certificate_failing':
    'The domain whose certificate for https ends and could not be renewed: 30, 14, 7, 3 and 1 days before its end.',
  'webhook.ping': 'The webhook.',
} as const

export const eventNames = keysOf(eventDescriptions)

/** The kind of an event. */
export const EventName = oneOf(eventNames, { description: 'Kind of the event.' })
export type EventName = Static<typeof EventName>

/**
 * The event that the live stream sends to a client that resumes at an event which is no longer
 * stored.
 */
export const eventGap = 'stream.gap'

/** Something that happened in an organization, as webhooks and the live stream send it. */
export const Event = strictObject({
  id: Id('evt', 'Identifier: the same in every delivery of this event, and `Last-Event-ID` in the stream.'),
  event: EventName,
  createdAt: Timestamp('When the event happened.'),
  organizationId: Type.String({ description: 'Identifier of the organization.' }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The record of the event; its kind depends on `event`.',
  }),
})
export type Event = Static<typeof Event>

/** The query of the live stream. */
export const EventStreamQuery = strictObject({
  event: Type.Optional(
    Type.Array(EventName, {
      description: 'Only events of these kinds; repeatable.',
      maxItems: eventNames.length,
    }),
  ),
  qrCodeId: Type.Optional(
    Type.Array(IdInput('Identifier of the code.'), {
      description: 'Only events of these codes; repeatable.',
      maxItems: limits.eventStreamCodesMax,
    }),
  ),
})
export type EventStreamQuery = Static<typeof EventStreamQuery>
