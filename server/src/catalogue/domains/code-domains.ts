import { problem } from '@everscan/contract/problems/problem.ts'
import { inField, validationError } from '../../request-errors.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { forKeyShare, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { fixCodeForms, lockHost } from '../../db/scans/host-forms.ts'
import { ApiError } from '../../errors.ts'

/** The domain of a new code. */
export type CodeDomain = { id: string; hostname: string; codes: CodeForm }

/** Returns the domain for new codes of an organization; undefined: PUBLIC_URL. */
export async function readDefaultDomain(
  db: Database,
  organizationId: string,
): Promise<CodeDomain | undefined> {
  return db.kysely
    .selectFrom('domains')
    .select(['id', 'hostname', 'codes'])
    .where('organization_id', '=', organizationId)
    .where('is_default', '=', 1)
    .where('status', '<>', 'PENDING')
    .modifyEnd(tag('catalogue.readDefaultDomain'))
    .executeTakeFirst()
}

/** Returns the domains on which an organization can create codes, by host name. */
export async function readCodeDomains(
  db: Database,
  organizationId: string,
): Promise<Map<string, CodeDomain>> {
  const rows = await db.kysely
    .selectFrom('domains')
    .select(['id', 'hostname', 'codes'])
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'PENDING')
    .modifyEnd(tag('catalogue.readCodeDomains'))
    .execute()
  return new Map(rows.map((row) => [row.hostname, row]))
}

/** Returns the host names that an organization claims and has not proved. */
export async function readClaimedHosts(db: Database, organizationId: string): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom('domains')
    .select('hostname')
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'PENDING')
    .modifyEnd(tag('catalogue.readClaimedHosts'))
    .execute()
  return new Set(rows.map(({ hostname }) => hostname))
}

/**
 * Returns how short codes are compared on those of the domains on which the organization can create
 * codes, by id: those that it proved. It cannot change any more. Locks the rows until the
 * transaction ends.
 */
export async function findAndLockDomains(
  tx: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, CodeForm>> {
  if (ids.length === 0) return new Map()
  const found = await lockDomains(tx, organizationId, ids)
  const first = found.filter(({ fixed }) => fixed === null).map(({ hostname }) => hostname)
  if (first.length === 0) return new Map(found.map(({ id, codes }) => [id, codes]))
  // The first codes on these hosts: nobody may change the form between reading and fixing it.
  for (const hostname of first.sort()) await lockHost(tx, hostname)
  await fixCodeForms(tx, first)
  const again = await lockDomains(tx, organizationId, ids)
  return new Map(again.map(({ id, codes }) => [id, codes]))
}

async function lockDomains(tx: Database, organizationId: string, ids: readonly string[]) {
  return tx.kysely
    .selectFrom('domains as d')
    .innerJoin('domain_hosts as h', 'h.hostname', 'd.hostname')
    .select(['d.id', 'd.hostname', 'd.codes', 'h.codes as fixed'])
    .where('d.organization_id', '=', organizationId)
    .where('d.status', '<>', 'PENDING')
    .where(isOneOf(tx, 'd.id', [...new Set(ids)]))
    .modifyEnd(forKeyShare(tx))
    .execute()
}

/**
 * Returns the domain with an id, and whether the organization has proved it. Throws ApiError 400 if
 * it does not have the domain.
 */
export async function requireDomain(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ domain: CodeDomain; isProved: boolean }> {
  const row = await db.kysely
    .selectFrom('domains')
    .select(['id', 'hostname', 'codes', 'status'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.requireDomain'))
    .executeTakeFirst()
  if (row === undefined) throw noSuchDomain(id)
  const { status, ...domain } = row
  return { domain, isProved: status !== 'PENDING' }
}

/**
 * Returns the domain with an id on which the organization can create codes. Throws ApiError 400 if
 * it does not have the domain, and 400 DOMAIN_NOT_PROVED if it did not prove it.
 */
export async function requireProvedDomain(
  db: Database,
  organizationId: string,
  id: string,
): Promise<CodeDomain> {
  const { domain, isProved } = await requireDomain(db, organizationId, id)
  if (!isProved) throw domainNotProved(domain.hostname)
  return domain
}

function domainNotProved(hostname: string): ApiError {
  const found = problem('domainNotProved', { hostname })
  return new ApiError(400, 'DOMAIN_NOT_PROVED', inField('domainId', found), {
    details: [{ path: 'domainId', ...found }],
  })
}

/** For a code on a domain that the organization does not have, or did not prove. */
export function noSuchDomain(id: string): ApiError {
  return validationError([{ path: 'domainId', ...problem('noSuchDomain', { got: id }) }])
}
