import { tag, type Database } from '../database.ts'

/** Of the last scans: how many were looked at, and how many of them came from the network that most came from. Never which one. */
export type NetworkShare = { scans: number; largest: number }

/** Fewer say nothing. */
export const networkScansMin = 200
const nearlyAll = 0.95
/** What is older is no news: of a front that is gone, or an installation that nobody scans. */
const recentMs = 30 * 24 * 3_600_000

/** Whether so many come from one network that it may be a proxy. */
export function isNearlyOneNetwork({ scans, largest }: NetworkShare): boolean {
  return scans >= networkScansMin && largest >= nearlyAll * scans
}

/** Keeps the share of a journal; it goes with the batch that it was counted with. */
export async function saveNetworkShare(tx: Database, writer: string, share: NetworkShare): Promise<void> {
  const values = { ...share, updated_at_ms: Date.now() }
  await tx.kysely
    .insertInto('network_shares')
    .values({ writer, ...values })
    .onConflict((conflict) => conflict.column('writer').doUpdateSet(values))
    .modifyEnd(tag('db.saveNetworkShare'))
    .execute()
}

/** The shares of all journals together; undefined while there are too few scans. */
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
