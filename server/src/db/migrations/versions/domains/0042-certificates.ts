import type { Migration } from '../../migration.ts'

/** Certificates by ACME: record 66. Private keys are sealed. */
export const certificates: Migration = {
  name: '0042-certificates',
  statements: ({ text, integer, strict }) => [
    `create table certificates (
      hostname ${text} not null primary key,
      chain ${text},
      private_key ${text},
      valid_from_ms ${integer},
      expires_at_ms ${integer},
      attempts ${integer} not null,
      next_order_at_ms ${integer} not null,
      leased_until_ms ${integer},
      problem ${text}
    ) ${strict}`,
    `create index certificates_due on certificates (next_order_at_ms)`,
    `create table acme_accounts (
      directory_url ${text} not null primary key,
      account_url ${text} not null,
      private_key ${text} not null,
      paused_until_ms ${integer} not null
    ) ${strict}`,
    `create table acme_challenges (
      token ${text} not null primary key,
      answer ${text} not null,
      created_at_ms ${integer} not null
    ) ${strict}`,
  ],
}
