import { sql } from 'kysely'
import { forUpdate, type Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'

/** The code of a limit. */
export type LimitKey = { organizationId: string; qrCodeId: string }

/** The reason: the catalogue was away, or an older copy of it was restored. */
export type ExcessReason = 'catalogueAway' | 'catalogueRestored'

/** Answers of a code with a limit that its counter learned of later. */
export type StoredExcess = { atMs: number; answers: number; beyondLimit: number; reason: ExcessReason }

/** Entries that are kept of a code. */
const entriesMax = 50
/** Fronts that learn of the end of one outage are one entry. */
const togetherMs = 60_000

/** Returns what a code answered without its count, newest first. */
export async function readLimitExcesses(db: Database, key: LimitKey): Promise<StoredExcess[]> {
  return (await readStored(db, key)).toReversed()
}

/** Locks the code of a counter: changes of codes lock it before its counter, too. */
export async function lockCode(tx: Database, { organizationId, qrCodeId }: LimitKey): Promise<void> {
  await tx.kysely
    .selectFrom('qr_codes')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', qrCodeId)
    .modifyEnd(forUpdate(tx))
    .execute()
}

/** Adds an entry to a code that `lockCode` has locked. */
export async function addLimitExcess(tx: Database, key: LimitKey, excess: StoredExcess): Promise<void> {
  const stored = await readStored(tx, key)
  const last = stored.at(-1)
  const isSame = last?.reason === excess.reason && excess.atMs - last.atMs < togetherMs
  const added = {
    ...excess,
    ...(isSame && {
      atMs: last.atMs,
      answers: last.answers + excess.answers,
      beyondLimit: last.beyondLimit + excess.beyondLimit,
    }),
  }
  const entries = [...(isSame ? stored.slice(0, -1) : stored), added].slice(-entriesMax)
  await tx.kysely
    .updateTable('qr_codes')
    .set({ limit_excesses: JSON.stringify(entries) })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.qrCodeId)
    .execute()
}

/** Copies the entries of codes into the bin, or back. */
export async function copyLimitExcesses(
  tx: Database,
  organizationId: string,
  { ids, to }: { ids: readonly string[]; to: 'qr_codes' | 'binned_qr_codes' },
): Promise<void> {
  const from = sql.table(to === 'qr_codes' ? 'binned_qr_codes' : 'qr_codes')
  await sql`/* db.copyLimitExcesses */
    update ${sql.table(to)}
    set limit_excesses = (
      select f.limit_excesses
      from ${from} as f
      where f.organization_id = ${organizationId} and f.id = ${sql.table(to)}.id
    )
    where organization_id = ${organizationId} and ${isOneOf(tx, 'id', ids)}`.execute(tx.kysely)
}

async function readStored(db: Database, { organizationId, qrCodeId }: LimitKey): Promise<StoredExcess[]> {
  const row = await db.kysely
    .selectFrom('qr_codes')
    .select('limit_excesses')
    .where('organization_id', '=', organizationId)
    .where('id', '=', qrCodeId)
    .executeTakeFirst()
  return JSON.parse(row?.limit_excesses ?? '[]') as StoredExcess[]
}
