import type { Migration } from '../migration.ts'

/** Sign-in: sessions, the second factor, password resets. */
export const accounts: Migration = {
  name: '0011-accounts',
  statements: ({ text, integer, strict }) => [
    `create table sessions (
      id ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      token_hash ${text} not null unique,
      user_agent ${text},
      created_at_ms ${integer} not null,
      last_used_at_ms ${integer} not null,
      expires_at_ms ${integer} not null
    ) ${strict}`,
    `create index sessions_user on sessions (user_id, last_used_at_ms)`,

    `create table two_factors (
      user_id ${text} not null primary key references users (id) on delete cascade,
      secret ${text} not null,
      last_step ${integer} not null,
      created_at_ms ${integer} not null,
      confirmed_at_ms ${integer}
    ) ${strict}`,

    `create table recovery_codes (
      user_id ${text} not null references users (id) on delete cascade,
      code_hash ${text} not null,
      primary key (user_id, code_hash)
    ) ${strict}`,

    `create table password_resets (
      token_hash ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      made_by ${text},
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null
    ) ${strict}`,
    `create index password_resets_user on password_resets (user_id, created_at_ms)`,
  ],
}
