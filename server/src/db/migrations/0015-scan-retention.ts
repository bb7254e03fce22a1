import type { Migration } from './migration.ts'

/** Up to when scans are deleted, one row: whether all counters were set right since. */
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
