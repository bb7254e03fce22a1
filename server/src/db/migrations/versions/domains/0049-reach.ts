import type { Migration } from '../../migration.ts'

/** Whether scans of a domain arrived at the last look: record 76. Null: not known. */
export const reach: Migration = {
  name: '0049-reach',
  statements: ({ text }) => [`alter table domains add column reach ${text}`],
}
