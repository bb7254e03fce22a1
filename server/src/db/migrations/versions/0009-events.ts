import type { Migration } from '../migration.ts'

/** Outgoing events: the outbox, webhooks, their deliveries, and readers of the live stream. */
export const events: Migration = {
  name: '0009-events',
  statements: ({ text, integer, transactionVersion, strict }) => [
    `create table webhooks (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      url ${text} not null,
      events ${text} not null,
      description ${text} not null,
      batch ${integer} not null check (batch in (0, 1)),
      status ${text} not null check (status in ('ENABLED', 'DISABLED')),
      disabled_reason ${text},
      failures_in_a_row ${integer} not null,
      secret ${text} not null,
      previous_secret ${text},
      previous_until_ms ${integer},
      last_delivery_at_ms ${integer},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    `create unique index webhooks_id on webhooks (id)`,
    `create index webhooks_created on webhooks (organization_id, created_at_ms, id)`,

    `create table event_readers (
      organization_id ${text} not null primary key references organizations (id) on delete cascade,
      until_ms ${integer} not null
    ) ${strict}`,

    // A page holds events of one transaction, so that an import of ten thousand codes is a hundred
    // rows.
    `create table event_pages (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      version ${transactionVersion} not null,
      events ${text} not null,
      fanned_out ${integer} not null check (fanned_out in (0, 1)),
      created_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    `create index event_pages_order on event_pages (version, id)`,
    `create index event_pages_of_organization on event_pages (organization_id, version, id)`,
    `create index event_pages_created on event_pages (created_at_ms)`,
    `create index event_pages_waiting on event_pages (organization_id, version, id) where fanned_out = 0`,

    `create table webhook_deliveries (
      organization_id ${text} not null,
      id ${text} not null,
      webhook_id ${text} not null,
      page_id ${text} not null,
      first_event ${integer} not null,
      event_count ${integer} not null,
      event ${text} not null,
      status ${text} not null check (status in ('PENDING', 'SUCCEEDED', 'FAILED')),
      attempts ${integer} not null,
      run_at_ms ${integer} not null,
      lease_number ${integer} not null,
      lease_until_ms ${integer},
      response_status ${integer},
      response_body ${text},
      error ${text},
      duration_ms ${integer},
      created_at_ms ${integer} not null,
      completed_at_ms ${integer},
      primary key (organization_id, id),
      foreign key (organization_id, webhook_id) references webhooks (organization_id, id) on delete cascade,
      foreign key (organization_id, page_id) references event_pages (organization_id, id) on delete cascade
    ) ${strict}`,
    `create index webhook_deliveries_of_webhook on webhook_deliveries (organization_id, webhook_id, id)`,
    `create index webhook_deliveries_of_page on webhook_deliveries (organization_id, page_id)`,
    `create index webhook_deliveries_created on webhook_deliveries (created_at_ms)`,
    `create index webhook_deliveries_due on webhook_deliveries (webhook_id, run_at_ms, id) where status = 'PENDING'`,
  ],
}
