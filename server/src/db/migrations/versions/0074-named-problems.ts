import type { Migration } from '../migration.ts'

/**
 * Each problem that is stored as a sentence is also there by name: JSON of a `Problem`, with its
 * own copy of the sentence. A release that knows the sentence only writes that alone, so the copy
 * tells whether the name belongs to it.
 */
export const namedProblems: Migration = {
  name: '0074-named-problems',
  statements: ({ text }) => [
    `alter table webhooks add column disabled_problem ${text}`,
    `alter table webhook_deliveries add column error_problem ${text}`,
    `alter table views add column mail_last_problem ${text}`,
    `alter table domains add column dns_named_problem ${text}`,
    `alter table certificates add column named_problem ${text}`,
  ],
}
