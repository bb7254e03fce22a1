import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { Event } from '@everscan/contract/resources/events.ts'
import { signatureHeaders } from '../../catalogue/webhooks/secrets.ts'
import type { EventPage, StoredEvent } from '../../db/feeds/event-pages.ts'
import { eventId } from '../../ids.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { DeliveryClaim, WaitingWebhook } from './delivery-claims.ts'

export type RecordOf = (event: StoredEvent, place: { organizationId: string; id: string }) => Event

type Delivery = { webhook: WaitingWebhook; claim: DeliveryClaim; page: EventPage | undefined }

/**
 * Returns the signed request of a delivery: one event, or scans in one body. `problem`: the request
 * can never be sent.
 */
export function deliveryRequest(
  { webhook, claim, page }: Delivery,
  { box, recordOf, nowMs }: { box: SecretBox; recordOf: RecordOf; nowMs: number },
): { headers: Record<string, string>; body: string } | { problem: Problem } {
  const { firstEvent, eventCount, organizationId } = claim
  const events = (page?.events ?? []).slice(firstEvent, firstEvent + eventCount)
  const records = events.map((event, index) =>
    recordOf(event, { organizationId, id: eventId(claim.pageId, firstEvent + index) }),
  )
  const [first] = records
  if (first === undefined) return { problem: problem('eventNotKept') }
  const secrets = secretsOf(webhook, { box, nowMs })
  if (secrets.length === 0) return { problem: problem('webhookSecretUnreadable') }
  const body = JSON.stringify(
    records.length === 1 ? first : { ...first, data: { scans: records.map(({ data }) => data) } },
  )
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Everscan-Webhooks/1',
    ...signatureHeaders(secrets, { id: first.id, body, nowMs }),
  }
  return { headers, body }
}

/** Returns the secret, and for a day after a rotation also the one before. */
function secretsOf(
  { id, secret, previousSecret, previousUntilMs }: WaitingWebhook,
  { box, nowMs }: { box: SecretBox; nowMs: number },
): string[] {
  const sealed = [
    secret,
    ...(previousSecret !== null && (previousUntilMs ?? 0) > nowMs ? [previousSecret] : []),
  ]
  return sealed.flatMap((one) => box.open(one, id) ?? [])
}
