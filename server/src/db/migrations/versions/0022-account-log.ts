import type { Migration } from '../migration.ts'

/** The logs of accounts, for their owners: see account-tables.ts. */
export const accountLog: Migration = {
  name: '0022-account-log',
  statements: ({ text, integer, strict }) => [
    `create table account_log (
      user_id ${text} not null references users (id) on delete cascade,
      id ${text} not null,
      action ${text} not null,
      times ${integer} not null,
      actor ${text},
      network ${text},
      user_agent ${text},
      created_at_ms ${integer} not null,
      last_at_ms ${integer} not null,
      primary key (user_id, id)
    ) ${strict}`,
    `create index account_log_last on account_log (user_id, last_at_ms, id)`,
    // A chore deletes old entries of all accounts.
    `create index account_log_age on account_log (last_at_ms)`,
  ],
}
