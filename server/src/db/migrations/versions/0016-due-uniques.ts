import type { Migration } from '../migration.ts'

/** Marks codes whose unique scans are counted later: during a backlog, once for many batches. */
export const dueUniques: Migration = {
  name: '0016-due-uniques',
  statements: ({ integer }) => [
    `alter table scan_counters add column uniques_due ${integer} not null default 0`,
    `create index scan_counters_due on scan_counters (organization_id, qr_code_id) where uniques_due = 1`,
  ],
}
