import { Type, type Static } from 'typebox'
import {
  Count,
  Id,
  IdInput,
  OptionalLine,
  RecordParams,
  Text,
  Timestamp,
  Url,
  nullable,
  oneOf,
  strictObject,
} from '../schema/common.ts'
import { EventName, eventNames } from './events.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'

/** When a delivery that failed is tried again, after the attempt before, in seconds; each with jitter. */
export const webhookRetriesSeconds = [5, 60, 600, 3_600, 21_600, 86_400] as const

/** Failed attempts in a row that disable a webhook. */
export const webhookFailuresMax = 20

export const webhookStatuses = ['ENABLED', 'DISABLED'] as const
export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const

const Events = Type.Array(oneOf([...eventNames, '*'], { description: 'A kind of event, or * for all.' }), {
  description: 'Which events it takes; * takes all.',
  minItems: 1,
  maxItems: eventNames.length + 1,
})
const Secret = Type.String({
  description:
    'Signs deliveries (Standard Webhooks): "whsec_" and 24 to 64 bytes in base64. Made when absent.',
  pattern: patterns.webhookSecret,
})
const Batch = Type.Boolean({
  description: `Whether scans come together, up to ${limits.webhookBatchMax} a call: \`data.scans\` has them then.`,
})

const webhookFields = {
  id: Id('whk'),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Events,
  description: Type.String({ description: 'What it is for.' }),
  batch: Batch,
  status: oneOf(webhookStatuses, {
    description: `DISABLED after 410 or ${webhookFailuresMax} failures in a row, or by hand.`,
  }),
  disabledReason: nullable(Type.String({ description: 'Why it is disabled; null when it is not.' })),
  failuresInARow: Count('Calls that failed since the last one that succeeded.'),
  lastDeliveryAt: nullable(Timestamp('When it was last called; null when never.')),
  createdAt: Timestamp('When it was made.'),
  updatedAt: Timestamp('When it was last changed.'),
}

/** A webhook. */
export const Webhook = strictObject(webhookFields)
export type Webhook = Static<typeof Webhook>

/** A webhook just made, or with a new secret, which is shown this once. */
export const WebhookWithSecret = strictObject({
  ...webhookFields,
  secret: Type.String({ description: 'The secret. Store it now: it is shown this once.' }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

const TargetUrl = Url(
  'Where events are sent: https, to a public address; http and private ones when the installation allows them.',
)
const Description = OptionalLine(limits.descriptionCharsMax, 'What it is for.')

/** The body that makes a webhook. */
export const CreateWebhook = strictObject(
  {
    url: TargetUrl,
    events: Events,
    secret: Type.Optional(Secret),
    description: Type.Optional(Description),
    batch: Type.Optional(Batch),
  },
  { examples: [{ url: 'https://example.com/hooks/everscan', events: ['qr.scanned'] }] },
)
export type CreateWebhook = Static<typeof CreateWebhook>

/** The body that changes a webhook; `status: ENABLED` enables it again. */
export const UpdateWebhook = strictObject(
  {
    url: Type.Optional(TargetUrl),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    batch: Type.Optional(Batch),
    status: Type.Optional(
      oneOf(webhookStatuses, { description: 'ENABLED also forgets the failures so far.' }),
    ),
  },
  { examples: [{ status: 'ENABLED' }] },
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

/** One event, or up to 100 scans, on the way to one webhook. */
export const WebhookDelivery = strictObject({
  id: Id('dlv'),
  webhookId: Type.String({ description: 'The webhook.' }),
  eventId: Type.String({
    description: 'The event (of scans together, the first): `webhook-id` of the call.',
  }),
  event: EventName,
  events: Type.Integer({ description: 'Events in the call; more than 1 for scans only.', minimum: 1 }),
  status: oneOf(deliveryStatuses, { description: 'FAILED when it is not tried again.' }),
  attempts: Type.Integer({ description: 'Attempts so far.', minimum: 0 }),
  responseStatus: nullable(
    Type.Integer({ description: "The receiver's last status; null when it did not answer." }),
  ),
  responseBody: nullable(Text(limits.webhookAnswerCharsMax, 'The beginning of what it answered.')),
  error: nullable(Type.String({ description: 'Why the last attempt failed; null when it did not.' })),
  durationMs: nullable(Type.Integer({ description: 'How long the last attempt took.', minimum: 0 })),
  createdAt: Timestamp('When it was made, right after the event or by a replay.'),
  nextAttemptAt: nullable(Timestamp('When it is tried next; null when it is not.')),
  completedAt: nullable(Timestamp('When it succeeded or was given up.')),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

/** Path parameters of one delivery. */
export const WebhookDeliveryParams = strictObject({
  ...RecordParams.properties,
  deliveryId: IdInput('Identifier of the delivery.'),
})
export type WebhookDeliveryParams = Static<typeof WebhookDeliveryParams>

/** The query of the list of deliveries. */
export const ListWebhookDeliveriesQuery = strictObject({
  ...pageParameters,
  status: Type.Optional(oneOf(deliveryStatuses, { description: 'Deliveries in this state only.' })),
  event: Type.Optional(EventName),
})
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>

export const WebhookPage = Page(Webhook)
export type WebhookPage = Static<typeof WebhookPage>
export const WebhookDeliveryPage = Page(WebhookDelivery)
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>
