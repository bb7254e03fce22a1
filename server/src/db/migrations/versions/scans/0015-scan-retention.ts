import type { Migration } from '../../migration.ts'

/**
 * One row: the time before which scans are deleted, and whether all counters were corrected since.
 */
export const scanRetention: Migration = {
  name: '0015-scan-retention',
  statements: ({ text, integer, strict }) => [
    `create table scan_retention (
      id ${text} not null primary key,
      before_ms ${integer} not null,
      is_done ${integer} not null
    ) ${strict}`,
  ],
}
