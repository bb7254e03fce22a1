import type { Migration } from '../../migration.ts'

/** Errors of rows have their problems by name. Those of earlier jobs have a sentence only. */
export const namedRowErrors: Migration = {
  name: '0073-named-row-errors',
  statements: ({ text }) => [`alter table import_row_errors add column details ${text}`],
}
