import type { Migration } from '../../migration.ts'

/** The fewest days before its end of which it was told that it is not renewed. Null: none. */
export const certificateWarnings: Migration = {
  name: '0044-certificate-warnings',
  statements: ({ integer }) => [`alter table certificates add column told_days ${integer}`],
}
