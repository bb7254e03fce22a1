import type { Migration } from '../../migration.ts'

/** Hits that the scan store has lost, those that the retention deleted, and restored catalogues. */
export const scanLosses: Migration = {
  name: '0065-scan-losses',
  statements: ({ text, integer, strict }) => [
    `create table scan_losses (
      writer ${text} not null,
      day ${integer} not null,
      hits ${integer} not null,
      primary key (writer, day)
    ) ${strict}`,
    `alter table scan_retention add column deleted_hits ${integer} not null default 0`,
    `alter table installation add column restored_at_ms ${integer}`,
  ],
}
