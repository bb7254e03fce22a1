import type { Migration } from '../migration.ts'

/**
 * The first schema: organizations, accounts, keys, codes, counters, and the state of ingest and
 * jobs.
 */
export const catalogue: Migration = {
  name: '0001-catalogue',
  statements: ({ text, integer, transactionVersion, strict }) => [
    `create table organizations (
      id ${text} not null primary key,
      name ${text} not null,
      slug ${text} not null unique,
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null
    ) ${strict}`,

    `create table users (
      id ${text} not null primary key,
      email ${text} not null unique,
      name ${text} not null,
      password_hash ${text},
      created_at_ms ${integer} not null
    ) ${strict}`,

    `create table members (
      organization_id ${text} not null references organizations (id) on delete cascade,
      user_id ${text} not null references users (id) on delete cascade,
      role ${text} not null check (role in ('ADMIN', 'EDITOR', 'VIEWER')),
      created_at_ms ${integer} not null,
      primary key (organization_id, user_id)
    ) ${strict}`,
    `create index members_user on members (user_id)`,

    `create table api_keys (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      user_id ${text} references users (id) on delete set null,
      name ${text} not null,
      role ${text} not null check (role in ('ADMIN', 'EDITOR', 'VIEWER')),
      prefix ${text} not null,
      hash ${text} not null unique,
      created_at_ms ${integer} not null,
      last_used_at_ms ${integer},
      expires_at_ms ${integer},
      revoked_at_ms ${integer},
      primary key (organization_id, id)
    ) ${strict}`,

    `create table folders (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      parent_id ${text},
      name ${text} not null,
      name_search ${text} not null,
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, parent_id) references folders (organization_id, id)
    ) ${strict}`,
    `create unique index folders_name on folders (organization_id, coalesce(parent_id, ''), name_search)`,

    // No foreign key to qr_codes or organizations: these rows outlive both.
    `create table short_codes (
      canonical_code ${text} not null primary key,
      short_code ${text} not null,
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      created_at_ms ${integer} not null,
      deleted_at_ms ${integer},
      unique (organization_id, qr_code_id, canonical_code)
    ) ${strict}`,

    `create table qr_codes (
      organization_id ${text} not null references organizations (id),
      id ${text} not null,
      canonical_code ${text} not null unique,
      type ${text} not null,
      name ${text} not null,
      name_search ${text} not null,
      data ${text} not null,
      style ${text} not null,
      metadata ${text} not null,
      folder_id ${text},
      status ${text} not null check (status in ('ACTIVE', 'ARCHIVED')),
      picture_version ${integer} not null,
      picture_mask ${integer} not null,
      version ${integer} not null,
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id),
      foreign key (organization_id, folder_id) references folders (organization_id, id),
      foreign key (organization_id, id, canonical_code)
        references short_codes (organization_id, qr_code_id, canonical_code)
    ) ${strict}`,
    `create index qr_codes_created on qr_codes (organization_id, created_at_ms, id)`,
    `create index qr_codes_updated on qr_codes (organization_id, updated_at_ms, id)`,
    `create index qr_codes_name on qr_codes (organization_id, name_search, id)`,
    `create index qr_codes_folder on qr_codes (organization_id, folder_id, created_at_ms, id)`,

    `create table qr_code_tags (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      tag ${text} not null,
      position ${integer} not null,
      primary key (organization_id, qr_code_id, tag),
      foreign key (organization_id, qr_code_id) references qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,
    `create index qr_code_tags_tag on qr_code_tags (organization_id, tag, qr_code_id)`,

    `create table scan_counters (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      total_scans ${integer} not null,
      unique_scans ${integer} not null,
      primary key (organization_id, qr_code_id),
      foreign key (organization_id, qr_code_id) references qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,
    `create index scan_counters_total on scan_counters (organization_id, total_scans, qr_code_id)`,

    `create table changes (
      canonical_code ${text} not null primary key,
      version ${transactionVersion} not null
    ) ${strict}`,
    `create index changes_version on changes (version)`,

    `create table journal_checkpoints (
      writer ${text} not null primary key,
      segment ${integer} not null,
      byte_offset ${integer} not null,
      sequence ${integer} not null,
      updated_at_ms ${integer} not null
    ) ${strict}`,

    `create table ingest_intents (
      batch_id ${text} not null primary key,
      writer ${text} not null,
      intent ${text} not null,
      created_at_ms ${integer} not null
    ) ${strict}`,
    `create index ingest_intents_writer on ingest_intents (writer, batch_id)`,

    `create table jobs (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      kind ${text} not null,
      status ${text} not null
        check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED')),
      input ${text} not null,
      progress ${text} not null,
      attempts ${integer} not null,
      run_at_ms ${integer} not null,
      lease_number ${integer} not null,
      lease_until_ms ${integer},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      completed_at_ms ${integer},
      primary key (organization_id, id)
    ) ${strict}`,
    `create index jobs_waiting on jobs (kind, status, run_at_ms)`,

    `create table idempotency_keys (
      organization_id ${text} not null references organizations (id) on delete cascade,
      idempotency_key ${text} not null,
      fingerprint ${text} not null,
      status ${integer} not null,
      body ${text} not null,
      headers ${text} not null,
      created_at_ms ${integer} not null,
      primary key (organization_id, idempotency_key)
    ) ${strict}`,
    `create index idempotency_keys_created on idempotency_keys (created_at_ms)`,
  ],
}
