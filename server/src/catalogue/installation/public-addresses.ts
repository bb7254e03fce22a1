import { randomInt } from 'node:crypto'
import { forUpdate, inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

export type AddressCheckRow = {
  id: string
  createdAtMs: number
  seenAtMs: number | null
  fromOutside: boolean | null
}

const checkMs = 3_600_000
/** Checks of an organization that are kept; the oldest give way. */
const checksMax = 20
const idDigits = '0123456789abcdefghjkmnpqrstvwxyz'
const idChars = 12

/** Returns when something from outside first opened this address, or undefined. */
export async function readReachedAt(db: Database, url: string): Promise<number | undefined> {
  const row = await db.kysely
    .selectFrom('public_addresses')
    .select('reached_at_ms')
    .where('url', '=', url)
    .modifyEnd(tag('catalogue.readReachedAt'))
    .executeTakeFirst()
  return row?.reached_at_ms
}

/** Remembers that something from outside opened this address. */
export async function saveReached(db: Database, url: string, nowMs: number): Promise<void> {
  await db.kysely
    .insertInto('public_addresses')
    .values({ url, reached_at_ms: nowMs })
    .onConflict((conflict) => conflict.column('url').doNothing())
    .modifyEnd(tag('catalogue.saveReached'))
    .execute()
}

/** Returns whether the codes of an organization are only for phones in its own network. */
export async function readLocalOnly(db: Database, organizationId: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('organizations')
    .select('local_only')
    .where('id', '=', organizationId)
    .modifyEnd(tag('catalogue.readLocalOnly'))
    .executeTakeFirst()
  return row?.local_only === 1
}

/** Says whether the codes of an organization are only for phones in its own network. */
export async function saveLocalOnly(
  db: Database,
  organizationId: string,
  { localOnly, origin, nowMs }: { localOnly: boolean; origin: ChangeOrigin; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const before = await tx.kysely
      .selectFrom('organizations')
      .select(['name', 'local_only'])
      .where('id', '=', organizationId)
      .modifyEnd(forUpdate(tx))
      .executeTakeFirst()
    if (before === undefined || (before.local_only === 1) === localOnly) return
    await tx.kysely
      .updateTable('organizations')
      .set({ local_only: localOnly ? 1 : 0 })
      .where('id', '=', organizationId)
      .execute()
    const target = { id: organizationId, name: before.name }
    await recordAudit(tx, organizationId, [
      { action: 'organization.update', target, fields: ['localOnly'], origin, nowMs },
    ])
  })
}

/** Starts a check: a phone has an hour to open its address. */
export async function createAddressCheck(
  db: Database,
  organizationId: string,
  nowMs: number,
): Promise<AddressCheckRow> {
  const id = Array.from({ length: idChars }, () => idDigits[randomInt(idDigits.length)]).join('')
  await inTransaction(db, async (tx) => {
    // Those that are over are not read any more, so they need no other end.
    const old = await tx.kysely
      .selectFrom('address_checks')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .offset(checksMax - 1)
      .limit(checksMax)
      .execute()
    await tx.kysely
      .deleteFrom('address_checks')
      .where('organization_id', '=', organizationId)
      .where(
        isOneOf(
          tx,
          'id',
          old.map((row) => row.id),
        ),
      )
      .execute()
    await tx.kysely
      .insertInto('address_checks')
      .values({ organization_id: organizationId, id, created_at_ms: nowMs })
      .modifyEnd(tag('catalogue.createAddressCheck'))
      .execute()
  })
  return { id, createdAtMs: nowMs, seenAtMs: null, fromOutside: null }
}

/** Returns a check, or undefined if it is over or of another organization. */
export async function readAddressCheck(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
  nowMs: number,
): Promise<AddressCheckRow | undefined> {
  const row = await db.kysely
    .selectFrom('address_checks')
    .select(['id', 'created_at_ms as createdAtMs', 'seen_at_ms as seenAtMs', 'from_outside'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('created_at_ms', '>', nowMs - checkMs)
    .modifyEnd(tag('catalogue.readAddressCheck'))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { from_outside: fromOutside, ...rest } = row
  return { ...rest, fromOutside: fromOutside === null ? null : fromOutside === 1 }
}

/**
 * Notes that a phone opened the address of a check; from outside counts more than from inside.
 * Returns whether there is such a check.
 */
export async function saveSeen(
  db: Database,
  id: string,
  { fromOutside, nowMs }: { fromOutside: boolean; nowMs: number },
): Promise<boolean> {
  const known = await db.kysely
    .selectFrom('address_checks')
    .select(['seen_at_ms', 'from_outside'])
    .where('id', '=', id)
    .where('created_at_ms', '>', nowMs - checkMs)
    .modifyEnd(tag('catalogue.readSeen'))
    .executeTakeFirst()
  if (known === undefined) return false
  // Nobody can make the service write more than twice with one address.
  if (known.seen_at_ms !== null && (known.from_outside === 1 || !fromOutside)) return true
  await db.kysely
    .updateTable('address_checks')
    .set({ seen_at_ms: nowMs, from_outside: fromOutside ? 1 : 0 })
    .where('id', '=', id)
    .modifyEnd(tag('catalogue.saveSeen'))
    .execute()
  return true
}
