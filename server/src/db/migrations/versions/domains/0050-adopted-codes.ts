import type { Migration } from '../../migration.ts'

/**
 * The organization that may create a code with a reserved short code, because an operator handed it
 * over: record 65. Null: none.
 */
export const adoptedCodes: Migration = {
  name: '0050-adopted-codes',
  statements: ({ text }) => [`alter table short_codes add column adopted_by ${text}`],
}
