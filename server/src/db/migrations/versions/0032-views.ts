import type { Migration } from '../migration.ts'

/** Saved views of figures, with their public links and mails: record 54. */
export const views: Migration = {
  name: '0032-views',
  statements: ({ text, integer, strict }) => [
    `create table views (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      name ${text} not null,
      query ${text} not null,
      share_hash ${text} unique,
      share_token ${text},
      share_password ${text},
      share_expires_at_ms ${integer},
      share_created_at_ms ${integer},
      mail_to ${text},
      mail_every ${text},
      mail_by ${text},
      mail_next_at_ms ${integer},
      mail_due_at_ms ${integer},
      mail_left ${text},
      mail_attempts ${integer} not null default 0,
      mail_last_sent_at_ms ${integer},
      mail_last_error ${text},
      mail_lease_number ${integer} not null default 0,
      mail_lease_until_ms ${integer},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    `create index views_created on views (organization_id, created_at_ms, id)`,
    // Workers look for mails of all organizations that are due.
    `create index views_mail_due on views (mail_due_at_ms) where mail_due_at_ms is not null`,
    `create table view_mail_days (
      organization_id ${text} not null references organizations (id) on delete cascade,
      day ${integer} not null,
      mails ${integer} not null,
      primary key (organization_id)
    ) ${strict}`,
  ],
}
