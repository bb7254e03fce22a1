import type { Migration } from '../migration.ts'

/** Invitations to organizations. */
export const invitations: Migration = {
  name: '0005-invitations',
  statements: ({ text, integer, strict }) => [
    `create table invitations (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      email ${text} not null,
      role ${text} not null check (role in ('ADMIN', 'EDITOR', 'VIEWER')),
      token_hash ${text} not null unique,
      invited_by ${text} not null,
      created_at_ms ${integer} not null,
      expires_at_ms ${integer} not null,
      accepted_at_ms ${integer},
      primary key (organization_id, id)
    ) ${strict}`,
    `create index invitations_created on invitations (organization_id, created_at_ms, id)`,
    // Removing a member revokes the member's keys.
    `create index api_keys_user on api_keys (organization_id, user_id)`,
  ],
}
