import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import type { Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { createDomainProof } from '../../ids.ts'
import type { DomainRow } from '../rows/domain-row.ts'

/** A domain of an archive. Nobody has proved it here. */
export type ArchivedDomain = Pick<
  DomainRow,
  | 'organizationId'
  | 'id'
  | 'hostname'
  | 'rootUrl'
  | 'notFoundUrl'
  | 'goneUrl'
  | 'isDefault'
  | 'codes'
  | 'createdAtMs'
  | 'updatedAtMs'
>

/** Inserts domains, which are PENDING, each with a proof of its own. */
export async function insertArchivedDomains(tx: Database, rows: readonly ArchivedDomain[]): Promise<void> {
  await insertRows(tx, 'domains', {
    rows: rows.map((row) => ({
      organization_id: row.organizationId,
      id: row.id,
      hostname: row.hostname,
      status: 'PENDING' as const,
      proof: createDomainProof(),
      root_url: row.rootUrl,
      not_found_url: row.notFoundUrl,
      gone_url: row.goneUrl,
      is_default: row.isDefault ? (1 as const) : (0 as const),
      codes: row.codes,
      proved_at_ms: null,
      checked_at_ms: null,
      dns_problem: null,
      reach: null,
      created_at_ms: row.createdAtMs,
      updated_at_ms: row.updatedAtMs,
    })),
  })
  // The order of every caller that writes hosts.
  const hosts = rows.map(({ hostname }) => ({ hostname, proved_at_ms: null }))
  hosts.sort((a, b) => (a.hostname < b.hostname ? -1 : 1))
  await insertRows(tx, 'domain_hosts', { rows: hosts, skipTaken: true, returning: 'hostname' })
  await recordChanges(
    tx,
    rows.map(({ hostname }) => changeOfHost(hostname)),
  )
}
