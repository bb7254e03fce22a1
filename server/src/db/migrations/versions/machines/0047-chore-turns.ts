import type { Migration } from '../../migration.ts'

/** Chores that one machine at a time does: record 72. */
export const choreTurns: Migration = {
  name: '0047-chore-turns',
  statements: ({ text, integer, strict }) => [
    `create table chore_turns (
      name ${text} not null primary key,
      machine ${text} not null,
      lease_until_ms ${integer},
      ended_at_ms ${integer}
    ) ${strict}`,
  ],
}
