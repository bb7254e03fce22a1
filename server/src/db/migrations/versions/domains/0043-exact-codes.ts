import type { Migration } from '../../migration.ts'

/**
 * How short codes are compared: those of a domain, and those of a host name once a code was created
 * on it. Null: none was. Record 69.
 */
export const exactCodes: Migration = {
  name: '0043-exact-codes',
  statements: ({ text }) => [
    `alter table domains add column codes ${text} not null default 'canonical'`,
    `alter table domain_hosts add column codes ${text}`,
    `update domain_hosts
    set codes = 'canonical'
    where proved_at_ms is not null or hostname in (
      select d.hostname
      from domains as d
      join qr_codes as q on q.organization_id = d.organization_id and q.domain_id = d.id
    )`,
  ],
}
