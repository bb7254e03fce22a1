import type { Migration } from './migration.ts'

/** What organizations show on the pages that phones see. Null: nothing. */
export const brands: Migration = {
  name: '0008-brands',
  statements: ({ text }) => [
    `alter table organizations add column public_name ${text}`,
    // JSON of data URI, width and height.
    `alter table organizations add column logo ${text}`,
  ],
}
