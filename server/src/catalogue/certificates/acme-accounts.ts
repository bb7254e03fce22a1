import { inTransaction, tag, type Database } from '../../db/database.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'

/** The account of this installation at an authority. */
export type AcmeAccount = {
  accountUrl: string
  /** Sealed. */
  privateKey: string
  pausedUntilMs: number
}

export async function readAcmeAccount(db: Database, directoryUrl: string): Promise<AcmeAccount | undefined> {
  return db.kysely
    .selectFrom('acme_accounts')
    .select(['account_url as accountUrl', 'private_key as privateKey', 'paused_until_ms as pausedUntilMs'])
    .where('directory_url', '=', directoryUrl)
    .modifyEnd(tag('catalogue.readAcmeAccount'))
    .executeTakeFirst()
}

/** Saves a new account. The first of two machines wins; the account of the other is never used. */
export async function saveAcmeAccount(
  db: Database,
  directoryUrl: string,
  { accountUrl, privateKey }: Pick<AcmeAccount, 'accountUrl' | 'privateKey'>,
): Promise<void> {
  const row = {
    directory_url: directoryUrl,
    account_url: accountUrl,
    private_key: privateKey,
    paused_until_ms: 0,
  }
  await insertRows(db, 'acme_accounts', { rows: [row], skipTaken: true, returning: 'directory_url' })
}

/** Places no orders at an authority before a time, on any machine. */
export async function pauseAuthority(db: Database, directoryUrl: string, untilMs: number): Promise<void> {
  await db.kysely
    .updateTable('acme_accounts')
    .set({ paused_until_ms: untilMs })
    .where('directory_url', '=', directoryUrl)
    .modifyEnd(tag('catalogue.pauseAuthority'))
    .execute()
}

/** Makes every front answer a challenge. */
export async function addChallenge(
  db: Database,
  { token, answer, nowMs }: { token: string; answer: string; nowMs: number },
): Promise<void> {
  const row = { token, answer, created_at_ms: nowMs }
  await insertRows(db, 'acme_challenges', { rows: [row], skipTaken: true, returning: 'token' })
}

/** Makes every front answer a challenge of tls-alpn-01. `answer` is sealed. */
export async function addAlpnChallenge(
  db: Database,
  { hostname, token, answer, nowMs }: { hostname: string; token: string; answer: string; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteAlpnRows(tx, hostname)
    const row = { token, answer, hostname, created_at_ms: nowMs }
    await insertRows(tx, 'acme_challenges', { rows: [row], skipTaken: true, returning: 'token' })
    await recordChanges(tx, [changeOfHost(hostname)])
  })
}

/** Ends the challenges of tls-alpn-01 of a host name. */
export async function endAlpnChallenges(db: Database, hostname: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await deleteAlpnRows(tx, hostname)
    await recordChanges(tx, [changeOfHost(hostname)])
  })
}

async function deleteAlpnRows(tx: Database, hostname: string): Promise<void> {
  await tx.kysely
    .deleteFrom('acme_challenges')
    .where('hostname', '=', hostname)
    .modifyEnd(tag('catalogue.deleteAlpnRows'))
    .execute()
}

/** Deletes challenges that were added before a time. */
export async function deleteChallenges(db: Database, beforeMs: number): Promise<void> {
  await db.kysely
    .deleteFrom('acme_challenges')
    .where('created_at_ms', '<', beforeMs)
    .modifyEnd(tag('catalogue.deleteChallenges'))
    .execute()
}
