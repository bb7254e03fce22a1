import type { Migration } from '../../migration.ts'

/**
 * Domains of organizations: record 65. The keys of codes on them begin with the host name, in the
 * column `canonical_code` of every table. Older codes are below PUBLIC_URL and keep their keys.
 */
export const domains: Migration = {
  name: '0041-domains',
  statements: ({ text, integer, strict }) => [
    `create table domains (
      organization_id ${text} not null references organizations (id) on delete cascade,
      id ${text} not null,
      hostname ${text} not null,
      status ${text} not null check (status in ('PENDING', 'ACTIVE', 'FAILING')),
      proof ${text} not null,
      root_url ${text},
      not_found_url ${text},
      gone_url ${text},
      is_default ${integer} not null,
      proved_at_ms ${integer},
      checked_at_ms ${integer},
      dns_found ${text} not null default '[]',
      dns_problem ${text},
      created_at_ms ${integer} not null,
      updated_at_ms ${integer} not null,
      primary key (organization_id, id),
      unique (organization_id, hostname)
    ) ${strict}`,
    `create index domains_created on domains (organization_id, created_at_ms, id)`,
    `create index domains_hostname on domains (hostname)`,
    `create unique index domains_proved on domains (hostname) where status <> 'PENDING'`,
    `create unique index domains_default on domains (organization_id) where is_default = 1`,
    // No foreign key: these rows outlive the domain and its organization.
    `create table domain_hosts (
      hostname ${text} not null primary key,
      proved_at_ms ${integer}
    ) ${strict}`,
    ...['qr_codes', 'binned_qr_codes'].map((table) => `alter table ${table} add column domain_id ${text}`),
    `create index qr_codes_domain on qr_codes (organization_id, domain_id, id) where domain_id is not null`,
  ],
}
