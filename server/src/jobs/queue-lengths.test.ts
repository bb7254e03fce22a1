import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachDatabase } from '../db/testing/databases.ts'
import { importKinds, readQueueLengths } from './queue-lengths.ts'

forEachDatabase('queue lengths', (open) => {
  test('imports that are not done, deliveries that wait, pages without deliveries', async () => {
    const db = await open()
    assert.deepEqual(await readQueueLengths(db), { imports: 0, webhookDeliveries: 0, eventPages: 0 })
    const at = { created_at_ms: 1, updated_at_ms: 1 }
    const organization_id = 'org_1'
    const organization = { id: organization_id, name: 'A', slug: 'a', public_name: null, logo: null }
    await db.kysely
      .insertInto('organizations')
      .values({ ...organization, ...at })
      .execute()
    const job = {
      organization_id,
      input: '{}',
      progress: '{}',
      attempts: 0,
      run_at_ms: 1,
      lease_number: 0,
      lease_until_ms: null,
      completed_at_ms: null,
      ...at,
    }
    const statuses = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'] as const
    await db.kysely
      .insertInto('jobs')
      .values(
        [...importKinds, 'comparison'].flatMap((kind) =>
          statuses.map((status) => ({ ...job, kind, id: `${kind} ${status}`, status })),
        ),
      )
      .execute()
    await db.kysely
      .insertInto('webhooks')
      .values({
        organization_id,
        id: 'whk_1',
        url: 'https://example.com/',
        events: '["*"]',
        description: '',
        batch: 0,
        status: 'ENABLED',
        disabled_reason: null,
        failures_in_a_row: 0,
        secret: 's',
        previous_secret: null,
        previous_until_ms: null,
        last_delivery_at_ms: null,
        ...at,
      })
      .execute()
    const page = { organization_id, version: 1, events: '[]', created_at_ms: 1 }
    await db.kysely
      .insertInto('event_pages')
      .values([
        { ...page, id: 'a', fanned_out: 0 },
        { ...page, id: 'b', fanned_out: 0 },
        { ...page, id: 'c', fanned_out: 1 },
      ])
      .execute()
    const delivery = {
      organization_id,
      webhook_id: 'whk_1',
      page_id: 'c',
      first_event: 0,
      event_count: 1,
      event: 'qr.created',
      attempts: 0,
      run_at_ms: 1,
      lease_number: 0,
      lease_until_ms: null,
      response_status: null,
      response_body: null,
      error: null,
      duration_ms: null,
      created_at_ms: 1,
      completed_at_ms: null,
    } as const
    await db.kysely
      .insertInto('webhook_deliveries')
      .values(
        (['PENDING', 'PENDING', 'PENDING', 'SUCCEEDED', 'FAILED'] as const).map((status, i) => ({
          ...delivery,
          id: `dlv_${i}`,
          status,
        })),
      )
      .execute()
    assert.deepEqual(await readQueueLengths(db), { imports: 6, webhookDeliveries: 3, eventPages: 2 })
  })
})
