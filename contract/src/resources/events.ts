import { Type, type Static } from 'typebox'
import { Id, IdInput, Timestamp, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { keysOf } from '../schema/records.ts'

/** The kinds of event, with what `data` holds. Source: section 9 of the decisions. */
export const eventDescriptions = {
  'qr.created': 'The code.',
  'qr.updated': 'The code as it is now.',
  'qr.deleted': 'The code as it last was.',
  'qr.archived': 'The code.',
  'qr.restored': 'The code.',
  'qr.scanned': 'The scan; `scans`, up to 100, for webhooks that ask for them together.',
  'import.completed': 'The import job, as the list has it.',
  'import.failed': 'The import job, as the list has it.',
  'member.joined': 'The member.',
  'member.left': 'The member.',
  'member.role_changed': 'The member as they are now.',
  'copy.failed':
    'The copy of the installation that could not be made or verified; only in the oldest organization, once for failures in a row.',
  'webhook.ping': 'The webhook.',
} as const

export const eventNames = keysOf(eventDescriptions)

/** The kind of an event. */
export const EventName = oneOf(eventNames, { description: 'Kind of the event.' })
export type EventName = Static<typeof EventName>

/** Sent in the live stream, in place of an event, to who resumes at one that is not kept any more. */
export const eventGap = 'stream.gap'

/** Something that happened, as webhooks and the live stream send it. */
export const Event = strictObject({
  id: Id('evt', 'Identifier; the same in every delivery of this event, and `Last-Event-ID` of the stream.'),
  event: EventName,
  createdAt: Timestamp('When it happened.'),
  organizationId: Type.String({ description: 'Where it happened.' }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What it is about; the record, by the kind of event.',
  }),
})
export type Event = Static<typeof Event>

/** The query of the live stream. */
export const EventStreamQuery = strictObject({
  event: Type.Optional(
    Type.Array(EventName, { description: 'These kinds only; repeatable.', maxItems: eventNames.length }),
  ),
  qrCodeId: Type.Optional(
    Type.Array(IdInput('Identifier of the code.'), {
      description: 'Events of these codes only; repeatable.',
      maxItems: limits.eventStreamCodesMax,
    }),
  ),
})
export type EventStreamQuery = Static<typeof EventStreamQuery>
