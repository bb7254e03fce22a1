import type { Migration } from '../migration.ts'

/** Whether members need two-factor sign-in to act in an organization. */
export const organizationTwoFactor: Migration = {
  name: '0024-organization-two-factor',
  statements: ({ integer }) => [
    `alter table organizations add column two_factor_required ${integer} not null default 0`,
  ],
}
