import { tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import type { ApiKeyRow } from '../organizations/api-keys.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin } from '../rows/change-origins.ts'

/** What is remembered of a key outside of the catalogue: enough to tell what an older copy of it does not know. */
export type KnownKey = Pick<ApiKeyRow, 'organizationId' | 'id' | 'prefix' | 'lastUsedAtMs' | 'revokedAtMs'>

/** A key as its owner recognises it; the name of one that the catalogue does not have is not known. */
export type NamedKey = { organizationId: string; id: string; prefix: string; name?: string }

/** What an older catalogue does not know of keys. */
export type KeysSince = {
  /** It has them as valid, and they were revoked. */
  revokedAgain: readonly NamedKey[]
  /** Valid ones that were used after the catalogue was copied. */
  usedSince: readonly NamedKey[]
  /** Made after it was copied: requests with them are refused. */
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

/** The keys that were used or revoked last, the latest first: what is worth remembering of them. */
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

/** What the catalogue does not know of keys. One that has a key as valid that was revoked is an older copy. */
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

/** Revokes keys that an older catalogue has as valid. */
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
