import type { Migration } from '../migration.ts'

/**
 * Whether the owner of an account proved its e-mail address, and which links prove it: see
 * record 42.
 */
export const confirmedEmails: Migration = {
  name: '0025-confirmed-emails',
  statements: ({ dialect, integer, text }) => [
    `alter table users add column email_confirmed_at_ms ${integer}`,
    // A mail must not remove a second factor that was safe from mails until now.
    `update users set email_confirmed_at_ms = ${
      dialect === 'sqlite'
        ? `cast(strftime('%s', 'now') as integer) * 1000`
        : `cast(extract(epoch from now()) * 1000 as bigint)`
    }
      where exists (
        select 1 from two_factors
        where two_factors.user_id = users.id and two_factors.confirmed_at_ms is not null
      )
      or exists (select 1 from passkeys where passkeys.user_id = users.id)`,
    `alter table password_resets add column mailed ${integer} not null default 0`,
    `alter table invitations add column mail_token_hash ${text}`,
    `create unique index invitations_mail_token on invitations (mail_token_hash)`,
  ],
}
