import type { Migration } from '../../migration.ts'

/** The languages of mails: record 82. Null: it is unknown. */
export const accountLanguages: Migration = {
  name: '0062-account-languages',
  statements: ({ text }) => [
    `alter table users add column language ${text}`,
    `alter table views add column mail_language ${text}`,
  ],
}
