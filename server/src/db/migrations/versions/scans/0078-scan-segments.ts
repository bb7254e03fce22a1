import type { Migration } from '../../migration.ts'

/** The files of scans that count, and the state that each change of them begins with. */
export const scanSegments: Migration = {
  name: '0078-scan-segments',
  statements: ({ text, integer, strict }) => [
    `create table scan_segments (
      id ${text} not null primary key,
      level ${integer} not null,
      segment_rows ${integer} not null,
      bytes ${integer} not null,
      checksum ${integer} not null,
      from_ms ${integer} not null,
      to_ms ${integer} not null,
      stretches ${text} not null
    ) ${strict}`,
    `create table scan_manifest (
      id ${text} not null primary key,
      revision ${text} not null,
      lost ${text} not null,
      deleted ${text} not null
    ) ${strict}`,
  ],
}
