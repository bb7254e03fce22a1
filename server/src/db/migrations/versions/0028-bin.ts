import type { Migration } from '../migration.ts'

/**
 * Deleted codes that can be restored. A code moves here and back as a whole, so that no other query
 * must tell deleted codes apart. A restored code takes its counters as they were, and they are
 * counted anew: scans from just before the deletion may have arrived after it.
 */
export const bin: Migration = {
  name: '0028-bin',
  statements: ({ text, integer, strict }) => [
    `create table binned_qr_codes (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      canonical_code ${text} not null unique,
      type ${text} not null,
      name ${text} not null,
      name_search ${text} not null,
      data ${text} not null,
      style ${text} not null,
      metadata ${text} not null,
      folder_id ${text},
      status ${text} not null,
      picture_version ${integer} not null,
      picture_mask ${integer} not null,
      scannability ${text},
      version ${integer} not null,
      history_version ${integer} not null,
      history_changed ${text} not null,
      history_at_ms ${integer},
      history_by ${text},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      tags ${text} not null,
      total_scans ${integer} not null,
      unique_scans ${integer} not null,
      deleted_at_ms ${integer} not null,
      deleted_by ${text} not null,
      restorable_until_ms ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, id, canonical_code)
        references short_codes (organization_id, qr_code_id, canonical_code)
    ) ${strict}`,
    `create index binned_qr_codes_deleted on binned_qr_codes (organization_id, deleted_at_ms, id)`,
    // A chore deletes the codes of all organizations that can no longer be restored.
    `create index binned_qr_codes_until on binned_qr_codes (restorable_until_ms)`,

    `create table binned_qr_code_history (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      version ${integer} not null,
      name ${text},
      data ${text},
      style ${text},
      status ${text},
      changed ${text} not null,
      changed_at_ms ${integer} not null,
      changed_by ${text} not null,
      primary key (organization_id, qr_code_id, version),
      foreign key (organization_id, qr_code_id)
        references binned_qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,

    // When the code was restored, while the worker has yet to count its scans anew; else 0.
    `alter table scan_counters add column restored_at_ms ${integer} not null default 0`,
    `create index scan_counters_restored on scan_counters (organization_id, qr_code_id) where restored_at_ms > 0`,
  ],
}
