import type { Migration } from '../../migration.ts'

/**
 * Mails to strangers need a yes: record 98. Addresses of mails that are set up already have no row
 * here, so the next due mail asks those that are no member's.
 */
export const mailConsents: Migration = {
  name: '0069-mail-consents',
  statements: ({ text, integer, strict }) => [
    `create table mail_consents (
      organization_id ${text} not null references organizations (id) on delete cascade,
      address ${text} not null,
      state ${text} not null,
      asks ${integer} not null,
      asked_at_ms ${integer} not null,
      primary key (organization_id, address)
    ) ${strict}`,
    `create table mail_refusals (
      address ${text} not null primary key,
      refused_at_ms ${integer} not null
    ) ${strict}`,
    // Without references: a deleted organization has sent its mails all the same.
    `create table mail_counts (
      day ${integer} not null,
      organization_id ${text} not null,
      sender_id ${text} not null,
      kind ${text} not null,
      domain ${text} not null,
      mails ${integer} not null,
      refused ${integer} not null,
      primary key (day, organization_id, sender_id, kind, domain)
    ) ${strict}`,
    `alter table organizations add column mails_stopped_at_ms ${integer}`,
    `alter table views add column mail_sender_id ${text}`,
  ],
}
