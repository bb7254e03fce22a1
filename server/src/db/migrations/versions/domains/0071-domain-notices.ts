import type { Migration } from '../../migration.ts'

/**
 * The notice that the owner of a host name gave to organizations that had it before: record 100. It
 * stands in the claim of each of them, with the mail about it, or about its withdrawal.
 */
export const domainNotices: Migration = {
  name: '0071-domain-notices',
  statements: ({ text, integer }) => [
    `alter table domains add column notice_at_ms ${integer}`,
    // From this time on, codes of the organization on the host name are gone.
    `alter table domains add column notice_ends_at_ms ${integer}`,
    `alter table domains add column notice_mail_due_at_ms ${integer}`,
    // JSON of the addresses that the mail has yet to reach; null: all.
    `alter table domains add column notice_mail_left ${text}`,
    `alter table domains add column notice_mail_attempts ${integer} not null default 0`,
    `create index domains_notice_mails on domains (notice_mail_due_at_ms)
    where notice_mail_due_at_ms is not null`,
  ],
}
