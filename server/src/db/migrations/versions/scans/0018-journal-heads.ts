import type { Migration } from '../../migration.ts'

/**
 * How far the writers of all machines have recorded, as reported when a machine that makes a copy
 * asks.
 */
export const journalHeads: Migration = {
  name: '0018-journal-heads',
  statements: ({ text, integer, strict }) => [
    `create table journal_heads (
      writer ${text} not null primary key,
      machine ${text} not null,
      sequence ${integer} not null,
      request ${integer} not null,
      beat_at_ms ${integer} not null
    ) ${strict}`,
    `create table journal_head_requests (
      id ${text} not null primary key,
      request ${integer} not null
    ) ${strict}`,
  ],
}
