import type { Migration } from '../../migration.ts'

/** Limits that processes of several machines count together: record 80. */
export const sharedLimits: Migration = {
  name: '0056-shared-limits',
  statements: ({ text, integer, strict }) => [
    `create table limit_members (
      name ${text} not null primary key,
      members ${integer} not null,
      renewed_at_ms ${integer} not null,
      lease_until_ms ${integer} not null
    ) ${strict}`,
    `create table limit_counts (
      kind ${text} not null,
      holder ${text} not null,
      window_ms ${integer} not null,
      granted ${integer} not null,
      last_grant ${integer} not null,
      primary key (kind, holder, window_ms)
    ) ${strict}`,
    'create index limit_counts_by_window on limit_counts (window_ms)',
    `create table limit_attempts (
      holder ${text} not null primary key,
      attempts ${integer} not null,
      at_ms ${integer} not null,
      free_at_ms ${integer} not null
    ) ${strict}`,
    `create table limit_paces (
      holder ${text} not null primary key,
      paid_until_ms ${integer} not null
    ) ${strict}`,
    `create table limit_places (
      id ${text} not null primary key,
      member ${text} not null,
      kind ${text} not null,
      holder ${text} not null,
      account ${text},
      organization_id ${text} not null
    ) ${strict}`,
    'create index limit_places_by_organization on limit_places (organization_id)',
    'create index limit_places_by_account on limit_places (account)',
  ],
}
