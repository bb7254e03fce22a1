import { tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import type { ApiKeyRow } from '../organizations/api-keys.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin } from '../rows/change-origins.ts'

/**
 * The part of a key that is stored outside of the catalogue: enough to find what an older copy of
 * the catalogue lacks.
 */
export type KnownKey = Pick<ApiKeyRow, 'organizationId' | 'id' | 'prefix' | 'lastUsedAtMs' | 'revokedAtMs'>

/** A key as its owner recognizes it. A key that is missing from the catalogue has no name. */
export type NamedKey = { organizationId: string; id: string; prefix: string; name?: string }

/** Changes of keys that an older catalogue lacks. */
export type KeysSince = {
  /** Revoked since, but valid in this catalogue. */
  revokedAgain: readonly NamedKey[]
  /** Valid keys that were used after the catalogue was copied. */
  usedSince: readonly NamedKey[]
  /** Created after the catalogue was copied: requests with these keys get 401. */
  madeSince: readonly NamedKey[]
}

const columns = [
  'organization_id as organizationId',
  'id',
  'prefix',
  'name',
  'last_used_at_ms as lastUsedAtMs',
  'revoked_at_ms as revokedAtMs',
] as const

/**
 * Returns the most recently used and the most recently revoked keys, at most `limit` of each,
 * newest first.
 */
export async function latestKeys(db: Database, limit: number): Promise<KnownKey[]> {
  const keys: KnownKey[] = []
  for (const column of ['revoked_at_ms', 'last_used_at_ms'] as const)
    keys.push(
      ...(await db.kysely
        .selectFrom('api_keys')
        .select(['organization_id as organizationId', 'id', 'prefix'])
        .select(['last_used_at_ms as lastUsedAtMs', 'revoked_at_ms as revokedAtMs'])
        .where(column, 'is not', null)
        .orderBy(column, 'desc')
        .limit(limit)
        .modifyEnd(tag('catalogue.latestKeys'))
        .execute()),
    )
  return keys
}

/**
 * Compares the catalogue with the known keys. A catalogue in which a revoked key is valid is an
 * older copy.
 */
export async function keysSince(db: Database, known: readonly KnownKey[]): Promise<KeysSince> {
  const ids = known.map(({ id }) => id)
  const rows = await db.kysely
    .selectFrom('api_keys')
    .select(columns)
    .where(isOneOf(db, 'id', ids))
    .modifyEnd(tag('catalogue.readKnownKeys'))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const revokedAgain: NamedKey[] = []
  const usedSince: NamedKey[] = []
  const madeSince: NamedKey[] = []
  for (const { organizationId, id, prefix, lastUsedAtMs, revokedAtMs } of known) {
    const row = byId.get(id)
    if (row === undefined) {
      if (revokedAtMs === null) madeSince.push({ organizationId, id, prefix })
    } else if (row.revokedAtMs === null) {
      const named = { organizationId: row.organizationId, id, prefix, name: row.name }
      if (revokedAtMs !== null) revokedAgain.push(named)
      else if ((lastUsedAtMs ?? 0) > (row.lastUsedAtMs ?? 0)) usedSince.push(named)
    }
  }
  return { revokedAgain, usedSince, madeSince }
}

/** Revokes keys that are valid in an older catalogue but were revoked since. */
export async function revokeAgain(tx: Database, keys: readonly NamedKey[], nowMs: number): Promise<void> {
  for (const [organizationId, ofOrganization] of Map.groupBy(keys, (key) => key.organizationId)) {
    const ids = ofOrganization.map(({ id }) => id)
    await tx.kysely
      .updateTable('api_keys')
      .set({ revoked_at_ms: nowMs })
      .where('organization_id', '=', organizationId)
      .where(isOneOf(tx, 'id', ids))
      .where('revoked_at_ms', 'is', null)
      .modifyEnd(tag('catalogue.revokeAgain'))
      .execute()
    const entries = ofOrganization.map(({ id, name = null }) => {
      return { action: 'api-key.revoke', target: { id, name }, origin: systemOrigin, nowMs } as const
    })
    await recordAudit(tx, organizationId, entries)
  }
}
