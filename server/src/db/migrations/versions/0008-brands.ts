import type { Migration } from '../migration.ts'

/** The name and logo that organizations show on pages. Null: not shown. */
export const brands: Migration = {
  name: '0008-brands',
  statements: ({ text }) => [
    `alter table organizations add column public_name ${text}`,
    // JSON of data URI, width and height.
    `alter table organizations add column logo ${text}`,
  ],
}
