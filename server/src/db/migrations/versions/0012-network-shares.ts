import type { Migration } from '../migration.ts'

/** How many of a journal's last scans came from one network: a share, and never which network. */
export const networkShares: Migration = {
  name: '0012-network-shares',
  statements: ({ text, integer, strict }) => [
    `create table network_shares (
      writer ${text} not null primary key,
      scans ${integer} not null,
      largest ${integer} not null,
      updated_at_ms ${integer} not null
    ) ${strict}`,
  ],
}
