import type { Migration } from '../../migration.ts'

/** Answers of codes with a limit that were given without their count. Null: none. */
export const limitExcesses: Migration = {
  name: '0067-limit-excesses',
  statements: ({ text }) => [
    `alter table qr_codes add column limit_excesses ${text}`,
    `alter table binned_qr_codes add column limit_excesses ${text}`,
  ],
}
