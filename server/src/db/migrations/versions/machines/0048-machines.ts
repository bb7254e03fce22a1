import type { Migration } from '../../migration.ts'

/** Machines of the installation: record 72. */
export const machines: Migration = {
  name: '0048-machines',
  statements: ({ text, integer, strict }) => [
    `create table machines (
      name ${text} not null primary key,
      release ${text} not null,
      settings ${text} not null,
      problem ${text},
      waiting_bytes ${integer},
      started_at_ms ${integer} not null,
      seen_at_ms ${integer} not null,
      stopped_at_ms ${integer}
    ) ${strict}`,
  ],
}
