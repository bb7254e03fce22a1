import type { RecipientState } from '@everscan/contract/views/views.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { normalEmail } from '../accounts/users.ts'
import type { AddressHash } from './address-hash.ts'

/** An address, as an organization mails it. */
export type Recipient = { organizationId: string; address: string }

/** People may lose a mail, and nobody is to be pressed. */
const asksMax = 3
const askAgainMs = 7 * 86_400_000

/**
 * Returns for each address whether it gets the mails of an organization. A refusal holds for all
 * organizations, and for members too.
 */
export async function readRecipients(
  db: Database,
  { organizationId, addresses }: { organizationId: string; addresses: readonly string[] },
  hash: AddressHash,
): Promise<ReadonlyMap<string, RecipientState>> {
  if (addresses.length === 0) return new Map()
  const hashes = addresses.map(hash)
  const refusals = await db.kysely
    .selectFrom('mail_refusals')
    .select('address')
    .where(isOneOf(db, 'address', hashes))
    .modifyEnd(tag('catalogue.readMailRefusals'))
    .execute()
  const consents = await db.kysely
    .selectFrom('mail_consents')
    .select(['address', 'state'])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'address', hashes))
    .modifyEnd(tag('catalogue.readMailConsents'))
    .execute()
  const members = await db.kysely
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.organization_id', '=', organizationId)
    .where('users.email_confirmed_at_ms', 'is not', null)
    .where(isOneOf(db, 'users.email', addresses.map(normalEmail)))
    .modifyEnd(tag('catalogue.readConfirmedMembers'))
    .execute()
  const refused = new Set(refusals.map(({ address }) => address))
  const states = new Map(consents.map(({ address, state }) => [address, state]))
  const confirmed = new Set(members.map(({ email }) => email))
  const stateOf = (address: string): RecipientState => {
    if (refused.has(hash(address))) return 'REFUSED'
    if (confirmed.has(normalEmail(address))) return 'MEMBER'
    const state = states.get(hash(address)) ?? 'ASK'
    return state === 'ASK' ? 'NOT_ASKED' : state
  }
  return new Map(addresses.map((address) => [address, stateOf(address)]))
}

/** Whether the owner of an address wants no mails that others cause. */
export async function refusesMails(db: Database, address: string, hash: AddressHash): Promise<boolean> {
  const found = await db.kysely
    .selectFrom('mail_refusals')
    .select('address')
    .where('address', '=', hash(address))
    .modifyEnd(tag('catalogue.refusesMails'))
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Notes that an address is asked now. Returns false if another mail asks it already: of a mail that
 * is lost with this worker, a person asks again.
 */
export async function beginAsking(
  tx: Database,
  { organizationId, address }: Recipient,
  { hash, nowMs }: { hash: AddressHash; nowMs: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('mail_consents')
    .values({
      organization_id: organizationId,
      address: hash(address),
      state: 'ASKED',
      asks: 1,
      asked_at_ms: nowMs,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'address'])
        .doUpdateSet((set) => ({
          state: 'ASKED',
          asks: set('mail_consents.asks', '+', 1),
          asked_at_ms: nowMs,
        }))
        .where('mail_consents.state', '=', 'ASK'),
    )
    .modifyEnd(tag('catalogue.beginAsking'))
    .executeTakeFirst()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** The mail server did not take the question: the next attempt asks. */
export async function endAsking(
  db: Database,
  { organizationId, address }: Recipient,
  hash: AddressHash,
): Promise<void> {
  await db.kysely
    .updateTable('mail_consents')
    .set((set) => ({ state: 'ASK', asks: set('asks', '-', 1) }))
    .where('organization_id', '=', organizationId)
    .where('address', '=', hash(address))
    .where('state', '=', 'ASKED')
    .modifyEnd(tag('catalogue.endAsking'))
    .execute()
}

/**
 * A person sends a mail now: addresses that have not answered for a week are asked once more, if
 * seldom asked.
 */
export async function askAgain(
  tx: Database,
  { organizationId, addresses }: { organizationId: string; addresses: readonly string[] },
  { hash, nowMs }: { hash: AddressHash; nowMs: number },
): Promise<void> {
  await tx.kysely
    .updateTable('mail_consents')
    .set({ state: 'ASK' })
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'address', addresses.map(hash)))
    .where('state', '=', 'ASKED')
    .where('asks', '<', asksMax)
    .where('asked_at_ms', '<=', nowMs - askAgainMs)
    .modifyEnd(tag('catalogue.askAgain'))
    .execute()
}

/** The owner of an address wants the mails of an organization, and takes a refusal back. */
export async function agreeToMails(
  db: Database,
  { organizationId, address }: Recipient,
  { hash, nowMs }: { hash: AddressHash; nowMs: number },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await acceptMails(tx, address, hash)
    // The organization of an old mail may be gone.
    const found = await tx.kysely
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    if (found === undefined) return
    await tx.kysely
      .insertInto('mail_consents')
      .values({
        organization_id: organizationId,
        address: hash(address),
        state: 'AGREED',
        asks: 1,
        asked_at_ms: nowMs,
      })
      .onConflict((conflict) =>
        conflict.columns(['organization_id', 'address']).doUpdateSet({ state: 'AGREED' }),
      )
      .modifyEnd(tag('catalogue.agreeToMails'))
      .execute()
  })
}

/** The owner of an address wants no mails that others cause, whoever they are. */
export async function refuseMails(
  db: Database,
  address: string,
  { hash, nowMs }: { hash: AddressHash; nowMs: number },
): Promise<void> {
  await db.kysely
    .insertInto('mail_refusals')
    .values({ address: hash(address), refused_at_ms: nowMs })
    .onConflict((conflict) => conflict.doNothing())
    .modifyEnd(tag('catalogue.refuseMails'))
    .execute()
}

/** The owner of an address takes a refusal back. */
export async function acceptMails(db: Database, address: string, hash: AddressHash): Promise<void> {
  await db.kysely
    .deleteFrom('mail_refusals')
    .where('address', '=', hash(address))
    .modifyEnd(tag('catalogue.acceptMails'))
    .execute()
}
