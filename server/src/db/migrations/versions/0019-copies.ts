import type { Migration } from '../migration.ts'

/** Scheduled copies of the installation: see copy-tables.ts. */
export const copies: Migration = {
  name: '0019-copies',
  statements: ({ text, integer, strict }) => [
    `create table copies (
      id ${text} not null primary key,
      made_at_ms ${integer} not null,
      machine ${text} not null,
      path ${text} not null,
      bytes ${integer},
      state ${text} not null,
      problem ${text},
      failures ${integer} not null,
      checked_at_ms ${integer},
      verified_at_ms ${integer},
      ended_at_ms ${integer},
      counts ${text},
      lease_number ${integer} not null,
      lease_until_ms ${integer}
    ) ${strict}`,
  ],
}
