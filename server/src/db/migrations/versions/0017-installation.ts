import type { Migration } from '../migration.ts'

/**
 * The identity of this installation, the hits of each writer and day in the scan store, and notes
 * for its owner.
 */
export const installation: Migration = {
  name: '0017-installation',
  statements: ({ text, integer, strict }) => [
    `create table installation (
      id ${text} not null primary key,
      epoch ${integer} not null,
      pulse ${integer} not null,
      secret_fingerprint ${text},
      visitor_key_fingerprint ${text},
      scan_store ${text},
      scans_counted_at_ms ${integer},
      created_at_ms ${integer} not null
    ) ${strict}`,
    `create table scan_days (
      writer ${text} not null,
      day ${integer} not null,
      hits ${integer} not null,
      primary key (writer, day)
    ) ${strict}`,
    `create table installation_notes (
      id ${text} not null primary key,
      kind ${text} not null,
      detail ${text} not null,
      created_at_ms ${integer} not null
    ) ${strict}`,
  ],
}
