import { limits } from '@everscan/contract/schema/limits.ts'
import { forUpdate, type Database } from '../database.ts'

/** The code of a limit. */
export type LimitKey = { organizationId: string; qrCodeId: string }

/** The reason: the catalogue was away, or an older copy of it was restored. */
export type ExcessReason = 'catalogueAway' | 'catalogueRestored'

/** Answers of a code with a limit that its counter learned of later. */
export type StoredExcess = { atMs: number; answers: number; beyondLimit: number; reason: ExcessReason }

/** Fronts that learn of the end of one outage are one entry. */
const togetherMs = 60_000

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
  const entries = [...(isSame ? stored.slice(0, -1) : stored), added].slice(-limits.limitExcessesMax)
  await tx.kysely
    .updateTable('qr_codes')
    .set({ limit_excesses: JSON.stringify(entries) })
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.qrCodeId)
    .execute()
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
