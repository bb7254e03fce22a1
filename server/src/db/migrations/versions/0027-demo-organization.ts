import type { Migration } from '../migration.ts'

/**
 * Marks the organization whose codes and scans are made up, with the plan of its scans: record 47.
 */
export const demoOrganization: Migration = {
  name: '0027-demo-organization',
  statements: ({ text }) => [`alter table organizations add column demo ${text}`],
}
