import type { Migration } from '../../migration.ts'

/** Corrections that comparisons of catalogue and scan store have made, until they are told. */
export const scanFindings: Migration = {
  name: '0080-scan-findings',
  statements: ({ text, integer, strict }) => [
    `create table scan_findings (
      kind ${text} not null,
      name ${text} not null,
      part ${text} not null,
      hits ${integer} not null,
      primary key (kind, name, part)
    ) ${strict}`,
  ],
}
