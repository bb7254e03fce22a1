import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { sql } from 'kysely'
import { lockName, tag, type Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'

/**
 * Serializes what decides who has a host name and how its codes are compared. Taken after the lock
 * of an organization's domains.
 */
export async function lockHost(tx: Database, hostname: string): Promise<void> {
  await lockName(tx, `host ${hostname}`)
}

/**
 * Fixes how short codes on these host names are compared, for ever: as their domain says. A host
 * name that has it fixed stays the same. Called when the first code on a host name is created.
 */
export async function fixCodeForms(tx: Database, hostnames: Iterable<string>): Promise<void> {
  for (const hostname of [...new Set(hostnames)].sort())
    await sql`
      update domain_hosts
      set codes = coalesce((
        select d.codes
        from domains as d
        where d.hostname = domain_hosts.hostname and d.status <> 'PENDING'
      ), 'canonical')
      where hostname = ${hostname} and codes is null
      ${tag('db.fixCodeForms')}
    `.execute(tx.kysely)
}

/** Returns how short codes are compared on those of the host names where that is fixed. */
export async function fixedForms(db: Database, hostnames: readonly string[]): Promise<Map<string, CodeForm>> {
  if (hostnames.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('domain_hosts')
    .select(['hostname', 'codes'])
    .where(isOneOf(db, 'hostname', [...new Set(hostnames)]))
    .modifyEnd(tag('db.fixedForms'))
    .execute()
  return new Map(rows.flatMap(({ hostname, codes }) => (codes === null ? [] : [[hostname, codes] as const])))
}
