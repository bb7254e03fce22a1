import type { Migration } from '../migration.ts'

/**
 * Rules of codes. Null, as for every older code: none. In the history, null is the value of the
 * next version, as for the other fields.
 */
export const rules: Migration = {
  name: '0033-rules',
  statements: ({ text, integer }) => [
    `alter table qr_codes add column rules ${text}`,
    `alter table qr_codes add column pass_query ${integer} not null default 0`,
    `alter table binned_qr_codes add column rules ${text}`,
    `alter table binned_qr_codes add column pass_query ${integer} not null default 0`,
    `alter table qr_code_history add column rules ${text}`,
    `alter table qr_code_history add column pass_query ${integer}`,
    `alter table binned_qr_code_history add column rules ${text}`,
    `alter table binned_qr_code_history add column pass_query ${integer}`,
  ],
}
