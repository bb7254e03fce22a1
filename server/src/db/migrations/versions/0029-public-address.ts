import type { Migration } from '../migration.ts'

/** Which public addresses were reached from outside, and checks of the current one with a phone. */
export const publicAddress: Migration = {
  name: '0029-public-address',
  statements: ({ text, integer, strict }) => [
    `create table public_addresses (
      url ${text} not null primary key,
      reached_at_ms ${integer} not null
    ) ${strict}`,
    `create table address_checks (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      created_at_ms ${integer} not null,
      seen_at_ms ${integer},
      from_outside ${integer},
      primary key (organization_id, id)
    ) ${strict}`,
    `create unique index address_checks_id on address_checks (id)`,
    // 1: the codes of this organization are for phones in its own network.
    `alter table organizations add column local_only ${integer} not null default 0`,
  ],
}
