import type { Migration } from '../migration.ts'

/** When a session last showed a second factor. Sessions from before have to do it once more. */
export const freshSessions: Migration = {
  name: '0026-fresh-sessions',
  statements: ({ integer }) => [`alter table sessions add column confirmed_at_ms ${integer}`],
}
