import type { Migration } from '../migration.ts'

/** The result of verifying a code's picture, and an organization's saved styles. */
export const styles: Migration = {
  name: '0006-styles',
  statements: ({ text, integer, strict }) => [
    // Null: the picture was not verified. Codes that an older release creates during the upgrade
    // have null too.
    `alter table qr_codes add column scannability ${text}`,

    `create table styles (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      name ${text} not null,
      style ${text} not null,
      is_default ${integer} not null check (is_default in (0, 1)),
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id)
    ) ${strict}`,
    `create index styles_created on styles (organization_id, created_at_ms, id)`,
    `create unique index styles_default on styles (organization_id) where is_default = 1`,
  ],
}
