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
  newObject,
  strictObject,
} from '../schema/common.ts'
import { EventName, eventNames } from './events.ts'
import { limits } from '../schema/limits.ts'
import { namedProblem } from '../schema/named-problems.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'

/**
 * Delays before each retry of a failed delivery, in seconds, counted from the attempt before; each
 * with jitter.
 */
export const webhookRetriesSeconds = [5, 60, 600, 3_600, 21_600, 86_400] as const

/** Consecutive failed attempts that disable a webhook. */
export const webhookFailuresMax = 20

export const webhookStatuses = ['ENABLED', 'DISABLED'] as const
export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const

const Events = Type.Array(oneOf([...eventNames, '*'], { description: 'A kind of event, or * for all.' }), {
  description: 'The events to send; * sends all.',
  minItems: 1,
  maxItems: eventNames.length + 1,
})
const Secret = Type.String({
  description:
    'Signs deliveries (Standard Webhooks): "whsec_" and 24 to 64 bytes in base64. Default: generated.',
  pattern: patterns.webhookSecret,
})
const Batch = Type.Boolean({
  description: `Whether up to ${limits.webhookBatchMax} scans are sent in one call, in \`data.scans\`.`,
})

const webhookFields = {
  id: Id('whk'),
  url: Type.String({ description: 'URL that receives the events.' }),
  events: Events,
  description: Type.String({ description: 'Purpose of the webhook.' }),
  batch: Batch,
  status: oneOf(webhookStatuses, {
    description: `DISABLED after a 410 or ${webhookFailuresMax} consecutive failures, or by an update.`,
  }),
  disabledReason: nullable(Type.String({ description: 'Why the webhook is disabled; null if it is not.' })),
  ...namedProblem,
  failuresInARow: Count('Calls that failed since the last successful one.'),
  lastDeliveryAt: nullable(Timestamp('When the webhook was last called; null if never.')),
  createdAt: Timestamp('When the webhook was created.'),
  updatedAt: Timestamp('When the webhook was last changed.'),
}

/** A webhook. */
export const Webhook = strictObject(webhookFields)
export type Webhook = Static<typeof Webhook>

/** A webhook with a new secret, which only this response contains. */
export const WebhookWithSecret = strictObject({
  ...webhookFields,
  secret: Type.String({ description: 'The secret. Store it now: it is shown only once.' }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

const TargetUrl = Url(
  'URL that receives the events: https to a public address; http and private addresses if the installation allows them.',
)
const Description = OptionalLine(limits.descriptionCharsMax, 'Purpose of the webhook.')

/** The body that creates a webhook. */
export const CreateWebhook = newObject(
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

/** The body that updates a webhook; `status: ENABLED` enables it again. */
export const UpdateWebhook = strictObject(
  {
    url: Type.Optional(TargetUrl),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    batch: Type.Optional(Batch),
    status: Type.Optional(
      oneOf(webhookStatuses, { description: 'ENABLED also resets the count of failures.' }),
    ),
  },
  { examples: [{ status: 'ENABLED' }] },
)
export type UpdateWebhook = Static<typeof UpdateWebhook>

/** The delivery of one event, or of up to 100 scans, to one webhook. */
export const WebhookDelivery = strictObject({
  id: Id('dlv'),
  webhookId: Type.String({ description: 'Identifier of the webhook.' }),
  eventId: Type.String({
    description: 'Identifier of the event (the first one of several scans): `webhook-id` of the call.',
  }),
  event: EventName,
  events: Type.Integer({ description: 'Events in the call; more than 1 only for scans.', minimum: 1 }),
  status: oneOf(deliveryStatuses, { description: 'FAILED if there are no more retries.' }),
  attempts: Type.Integer({ description: 'Attempts so far.', minimum: 0 }),
  responseStatus: nullable(
    Type.Integer({ description: "Status of the receiver's last response; null if it did not respond." }),
  ),
  responseBody: nullable(
    Text(limits.webhookAnswerCharsMax, "The beginning of the receiver's last response."),
  ),
  error: nullable(Type.String({ description: 'Why the last attempt failed; null if it did not.' })),
  ...namedProblem,
  durationMs: nullable(
    Type.Integer({ description: 'Duration of the last attempt, in milliseconds.', minimum: 0 }),
  ),
  createdAt: Timestamp('When the delivery was created, right after the event or by a replay.'),
  nextAttemptAt: nullable(Timestamp('When the next attempt is due; null if there is none.')),
  completedAt: nullable(Timestamp('When the delivery succeeded or finally failed.')),
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
  status: Type.Optional(oneOf(deliveryStatuses, { description: 'Only deliveries with this status.' })),
  event: Type.Optional(EventName),
})
export type ListWebhookDeliveriesQuery = Static<typeof ListWebhookDeliveriesQuery>

export const WebhookPage = Page(Webhook)
export type WebhookPage = Static<typeof WebhookPage>
export const WebhookDeliveryPage = Page(WebhookDelivery)
export type WebhookDeliveryPage = Static<typeof WebhookDeliveryPage>
