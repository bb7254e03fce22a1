import { tag, type Database } from '../database.ts'

/**
 * How many of the last scans were counted, and how many of them came from the most frequent
 * network. Never which network.
 */
export type NetworkShare = { scans: number; largest: number }

/** With fewer scans, a share is meaningless. */
export const networkScansMin = 200
const nearlyAll = 0.95
/** Older shares are ignored: their front is gone, or the installation has no scans. */
const recentMs = 30 * 24 * 3_600_000

/** Whether so many scans come from one network that it may be a proxy. */
export function isNearlyOneNetwork({ scans, largest }: NetworkShare): boolean {
  return scans >= networkScansMin && largest >= nearlyAll * scans
}

/** Saves the share of a journal, in the transaction of the batch it was counted with. */
export async function saveNetworkShare(tx: Database, writer: string, share: NetworkShare): Promise<void> {
  const values = { ...share, updated_at_ms: Date.now() }
  await tx.kysely
    .insertInto('network_shares')
    .values({ writer, ...values })
    .onConflict((conflict) => conflict.column('writer').doUpdateSet(values))
    .modifyEnd(tag('db.saveNetworkShare'))
    .execute()
}

/** Returns the combined share of all journals, or undefined if there is none. */
export async function readNetworkShare(db: Database, nowMs: number): Promise<NetworkShare | undefined> {
  const shares = await db.kysely
    .selectFrom('network_shares')
    .select(['scans', 'largest'])
    .where('updated_at_ms', '>', nowMs - recentMs)
    .modifyEnd(tag('db.readNetworkShares'))
    .execute()
  const sumOf = (name: keyof NetworkShare) => shares.reduce((sum, share) => sum + share[name], 0)
  return shares.length === 0 ? undefined : { scans: sumOf('scans'), largest: sumOf('largest') }
}
