import type { Migration } from '../../migration.ts'

/** Which state of the marks "unique" the files of scans have. */
export const scanMarks: Migration = {
  name: '0079-scan-marks',
  statements: ({ text }) => [`alter table scan_manifest add column marks ${text} not null default ''`],
}
