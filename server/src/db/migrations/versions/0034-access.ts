import type { Migration } from '../migration.ts'

/**
 * When codes are open, for how many, and for whom: record 59. Null, as for every older code:
 * always, for everybody.
 */
export const access: Migration = {
  name: '0034-access',
  statements: ({ text, integer, strict }) => [
    ...['qr_codes', 'binned_qr_codes'].flatMap((table) => [
      `alter table ${table} add column access ${text}`,
      `alter table ${table} add column access_password ${text}`,
      `alter table ${table} add column starts_at_ms ${integer}`,
      `alter table ${table} add column ends_at_ms ${integer}`,
      `alter table ${table} add column limit_resets ${integer} not null default 0`,
    ]),
    `alter table binned_qr_codes add column scan_count ${integer} not null default 0`,
    `alter table qr_code_history add column access ${text}`,
    `alter table binned_qr_code_history add column access ${text}`,
    // Lists by state read only codes that have access.
    `create index qr_codes_access on qr_codes (organization_id, id) where access is not null`,
    // The counters of limits. `full_at_ms` is set while the count has reached the limit: indexes on
    // the count itself would make every lease dearer.
    `create table scan_limits (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      scan_limit ${integer} not null,
      taken ${integer} not null,
      resets ${integer} not null,
      last_grant ${integer} not null default 0,
      full_at_ms ${integer},
      full_told ${integer} not null default 0,
      primary key (organization_id, qr_code_id),
      foreign key (organization_id, qr_code_id) references qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,
    `create index scan_limits_full on scan_limits (full_at_ms) where full_at_ms is not null and full_told = 0`,
    // Times to come at which a code opens or ends, for the events.
    `create table access_moments (
      organization_id ${text} not null,
      qr_code_id ${text} not null,
      event ${text} not null,
      at_ms ${integer} not null,
      primary key (organization_id, qr_code_id, event),
      foreign key (organization_id, qr_code_id) references qr_codes (organization_id, id) on delete cascade
    ) ${strict}`,
    `create index access_moments_at on access_moments (at_ms)`,
  ],
}
