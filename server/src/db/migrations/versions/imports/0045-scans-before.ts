import type { Migration } from '../../migration.ts'

/** Clicks that another product counted before a code moved here: record 70. 0: it did not move. */
export const scansBefore: Migration = {
  name: '0045-scans-before',
  statements: ({ integer }) => [
    `alter table qr_codes add column scans_before ${integer} not null default 0`,
    `alter table binned_qr_codes add column scans_before ${integer} not null default 0`,
  ],
}
