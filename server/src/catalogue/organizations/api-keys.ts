import { problem } from '@everscan/contract/problems/problem.ts'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import { keyScopes, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import { roles } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemActor, type ChangeOrigin } from '../rows/change-origins.ts'
import { apiKeyShownPrefix, createApiKeyValue, hashApiKey, isPlausibleApiKey } from './api-key-values.ts'
import { isNoteDue } from '../accounts/noted-uses.ts'
import { isInNetworks } from './key-networks.ts'

/** The limits of a key besides its role. */
export type KeyBounds = {
  /** Null: everything that its role allows. */
  scopes: readonly KeyScope[] | null
  /** In canonical form: see `readNetwork`. Null: everywhere. */
  networks: readonly string[] | null
  /** Null: never. */
  expiresAtMs: number | null
}

/** A key without its value, which is not stored. */
export type ApiKeyRow = KeyBounds & {
  organizationId: string
  id: string
  /** The account that created the key, or that created the key which did. */
  userId: string | null
  name: string
  role: Role
  prefix: string
  createdAtMs: number
  lastUsedAtMs: number | null
  revokedAtMs: number | null
  /** The key, account or part of the service that created the key, with its name at that time. */
  madeBy: Actor
}

export type NewApiKey = Partial<KeyBounds> & {
  name: string
  role: Role
  userId?: string | undefined
  /** The operator's own value (BOOTSTRAP_API_KEY); random by default. */
  value?: string | undefined
  origin: ChangeOrigin
  nowMs?: number
}

/** `OUTSIDE`: the request came from none of the key's networks. */
export type FoundApiKey = { state: 'VALID' | 'REVOKED' | 'EXPIRED' | 'OUTSIDE'; key: ApiKeyRow }

const columns = [
  'api_keys.organization_id as organizationId',
  'api_keys.id',
  'api_keys.user_id as userId',
  'api_keys.name',
  'api_keys.role',
  'api_keys.prefix',
  'api_keys.created_at_ms as createdAtMs',
  'api_keys.last_used_at_ms as lastUsedAtMs',
  'api_keys.expires_at_ms as expiresAtMs',
  'api_keys.revoked_at_ms as revokedAtMs',
  'api_keys.made_by as madeBy',
  'api_keys.scopes',
  'api_keys.networks',
] as const

/**
 * Creates a key and returns its value, which cannot be read again. Throws ApiError 409 CONFLICT if
 * the organization has `limits.apiKeysMax` active keys, and 403 if a key creates it that was
 * revoked meanwhile.
 */
export async function createApiKey(
  db: Database,
  organizationId: string,
  input: NewApiKey,
): Promise<{ key: ApiKeyRow; value: string }> {
  const { origin, nowMs = Date.now() } = input
  const value = input.value ?? createApiKeyValue()
  return inTransaction(db, async (tx) => {
    await lockKeys(tx, organizationId)
    await requireValidMaker(tx, organizationId, origin)
    await requireRoomForKey(tx, organizationId, nowMs)
    const created = await tx.kysely
      .insertInto('api_keys')
      .values({
        organization_id: organizationId,
        id: createId('key'),
        user_id: input.userId ?? null,
        name: input.name,
        role: input.role,
        prefix: apiKeyShownPrefix(value),
        hash: hashApiKey(value),
        created_at_ms: nowMs,
        last_used_at_ms: null,
        expires_at_ms: input.expiresAtMs ?? null,
        revoked_at_ms: null,
        made_by: JSON.stringify(origin.actor),
        // In the order of the table of scopes, whatever the order of the request.
        scopes: textOf(input.scopes && keyScopes.filter((scope) => input.scopes?.includes(scope))),
        networks: textOf(input.networks),
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    const key = completeApiKey(created)
    await recordAudit(tx, organizationId, [{ action: 'api-key.create', target: key, origin, nowMs }])
    return { key, value }
  })
}

/**
 * Returns the key with this value, or undefined. Its `role` is never above the creator's current
 * role, and a key counts as revoked once its creator leaves the organization. `address` is that of
 * the client; without one, a key with networks is outside of them. Records the use of a valid key
 * in the background, at most once a minute. A value with a wrong checksum never reaches the
 * database.
 */
export async function findApiKey(
  db: Database,
  value: string,
  options: { nowMs?: number; address?: string } = {},
): Promise<FoundApiKey | undefined> {
  if (!isPlausibleApiKey(value)) return undefined
  const row = await db.kysely
    .selectFrom('api_keys')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'api_keys.organization_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select(columns)
    .select('members.role as creatorRole')
    .where('api_keys.hash', '=', hashApiKey(value))
    .modifyEnd(tag('catalogue.findApiKey'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { creatorRole, ...selected } = row
  const key = completeApiKey(selected)
  const nowMs = options.nowMs ?? Date.now()
  const orphaned = key.userId !== null && creatorRole === null
  if (key.revokedAtMs !== null || orphaned) return { state: 'REVOKED', key }
  if (key.expiresAtMs !== null && key.expiresAtMs <= nowMs) return { state: 'EXPIRED', key }
  if (row.networks !== null && !isInNetworks(options.address, row.networks)) return { state: 'OUTSIDE', key }
  recordLastUsed(db, key, nowMs)
  return { state: 'VALID', key: { ...key, role: lowerRole(key.role, creatorRole ?? key.role) } }
}

/** Returns which of these keys are still valid. */
export async function validApiKeys(
  db: Database,
  keys: readonly Pick<ApiKeyRow, 'organizationId' | 'id'>[],
  nowMs: number,
): Promise<Set<string>> {
  const rows = await db.kysely
    .selectFrom('api_keys')
    .leftJoin('members', (join) =>
      join
        .onRef('members.organization_id', '=', 'api_keys.organization_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select('api_keys.id')
    .where(isOneOf(db, 'api_keys.organization_id', [...new Set(keys.map((key) => key.organizationId))]))
    .where(
      isOneOf(
        db,
        'api_keys.id',
        keys.map(({ id }) => id),
      ),
    )
    .where('api_keys.revoked_at_ms', 'is', null)
    .where((where) =>
      where.or([where('api_keys.expires_at_ms', 'is', null), where('api_keys.expires_at_ms', '>', nowMs)]),
    )
    .where((where) =>
      where.or([where('api_keys.user_id', 'is', null), where('members.user_id', 'is not', null)]),
    )
    .modifyEnd(tag('catalogue.validApiKeys'))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Returns a page of an organization's keys, newest first, including revoked ones. */
export async function listApiKeys(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const keys = db.kysely.selectFrom('api_keys').where('organization_id', '=', organizationId)
  const rows = await keys
    .select(columns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listApiKeys'))
    .execute()
  const { total } = await keys
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(completeApiKey), total }
}

/**
 * Revokes a key for good. A revoked key keeps its time of revocation. Returns undefined if the key
 * does not exist.
 */
export async function revokeApiKey(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
  { origin, nowMs = Date.now() }: { origin: ChangeOrigin; nowMs?: number },
): Promise<ApiKeyRow | undefined> {
  return inTransaction(db, async (tx) => {
    await lockKeys(tx, organizationId)
    const revoked = await tx.kysely
      .updateTable('api_keys')
      .set({ revoked_at_ms: nowMs })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('revoked_at_ms', 'is', null)
      .returning(columns)
      .modifyEnd(tag('catalogue.revokeApiKey'))
      .executeTakeFirst()
    if (revoked === undefined) return readApiKey(tx, { organizationId, id })
    await recordAudit(tx, organizationId, [{ action: 'api-key.revoke', target: revoked, origin, nowMs }])
    return completeApiKey(revoked)
  })
}

/** Revokes every key that an account created in an organization. */
export async function revokeApiKeysOf(
  tx: Database,
  { organizationId, userId }: { organizationId: string; userId: string },
  { origin, nowMs }: { origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  const revoked = await tx.kysely
    .updateTable('api_keys')
    .set({ revoked_at_ms: nowMs })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .returning(['id', 'name'])
    .modifyEnd(tag('catalogue.revokeApiKeysOf'))
    .execute()
  const entries = revoked.map((target) => ({ action: 'api-key.revoke', target, origin, nowMs }) as const)
  await recordAudit(tx, organizationId, entries)
}

async function readApiKey(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
): Promise<ApiKeyRow | undefined> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.readApiKey'))
    .executeTakeFirst()
  return row && completeApiKey(row)
}

/**
 * New keys are counted one after another, and a key that is revoked creates none after its
 * revocation.
 */
async function lockKeys(tx: Database, organizationId: string): Promise<void> {
  await lockName(tx, `keys of ${organizationId}`)
}

async function requireValidMaker(
  tx: Database,
  organizationId: string,
  { actor: { kind, id } }: ChangeOrigin,
): Promise<void> {
  if (kind !== 'api-key' || id === null) return
  const maker = await readApiKey(tx, { organizationId, id })
  if (maker !== undefined && maker.revokedAtMs !== null)
    throw new ApiError(403, 'API_KEY_REVOKED', problem('apiKeyRevoked'))
}

async function requireRoomForKey(tx: Database, organizationId: string, nowMs: number): Promise<void> {
  const { active } = await tx.kysely
    .selectFrom('api_keys')
    .select((select) => select.fn.countAll<number>().as('active'))
    .where('organization_id', '=', organizationId)
    .where('revoked_at_ms', 'is', null)
    .where((where) => where.or([where('expires_at_ms', 'is', null), where('expires_at_ms', '>', nowMs)]))
    .modifyEnd(tag('catalogue.countActiveApiKeys'))
    .executeTakeFirstOrThrow()
  if (active < limits.apiKeysMax) return
  throw new ApiError(409, 'CONFLICT', problem('apiKeysFull', { max: limits.apiKeysMax, count: active }))
}

type StoredFields = Record<'madeBy' | 'scopes' | 'networks', string | null>

function completeApiKey<Row extends StoredFields>(
  row: Row,
): Omit<Row, keyof StoredFields> & Pick<ApiKeyRow, keyof StoredFields> {
  return {
    ...row,
    madeBy: row.madeBy === null ? systemActor : JSON.parse(row.madeBy),
    scopes: scopesOf(row.scopes),
    networks: row.networks === null ? null : row.networks.split(','),
  }
}

/** Reads the column, which only `createApiKey` writes. */
export function scopesOf(text: string | null): KeyScope[] | null {
  return text === null ? null : (text.split(',') as KeyScope[])
}

function textOf(list: readonly string[] | null | undefined): string | null {
  return list == null ? null : list.join(',')
}

function recordLastUsed(db: Database, key: ApiKeyRow, nowMs: number): void {
  if (!isNoteDue(db, key, nowMs)) return
  db.kysely
    .updateTable('api_keys')
    .set({ last_used_at_ms: nowMs })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.id)
    .modifyEnd(tag('catalogue.recordLastUsed'))
    .execute()
    .catch((error: unknown) => db.log.debug({ err: error }, 'could not record the use of a key'))
}

function lowerRole(one: Role, other: Role): Role {
  return roles.indexOf(one) > roles.indexOf(other) ? one : other
}
