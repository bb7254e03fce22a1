import type { Migration } from '../migration.ts'

/** Passkeys, and the challenges that were used with them. */
export const passkeys: Migration = {
  name: '0023-passkeys',
  statements: ({ text, integer, strict }) => [
    `create table passkeys (
      id ${text} not null primary key,
      user_id ${text} not null references users (id) on delete cascade,
      credential_id ${text} not null unique,
      public_key ${text} not null,
      counter ${integer} not null,
      transports ${text} not null,
      backed_up ${integer} not null,
      name ${text} not null,
      created_at_ms ${integer} not null,
      last_used_at_ms ${integer}
    ) ${strict}`,
    `create index passkeys_user on passkeys (user_id, id)`,

    `create table used_challenges (
      id ${text} not null primary key,
      expires_at_ms ${integer} not null
    ) ${strict}`,
  ],
}
