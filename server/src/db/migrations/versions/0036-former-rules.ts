import type { Migration } from '../migration.ts'

/** The last names of rules that are gone, for figures. Null: none. */
export const formerRules: Migration = {
  name: '0036-former-rules',
  statements: ({ text }) => [
    `alter table qr_codes add column former_rules ${text}`,
    `alter table binned_qr_codes add column former_rules ${text}`,
  ],
}
