import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'

/** Keeps hits of one month until their codes are codes. */
export async function saveWaitingHits(
  tx: Database,
  { organizationId, id }: { organizationId: string; id: string },
  { number, byHost }: { number: number; byHost: ReadonlyMap<string, readonly unknown[]> },
): Promise<void> {
  await insertRows(tx, 'waiting_hits', {
    rows: [...byHost].map(([hostname, lines]) => ({
      organization_id: organizationId,
      hostname,
      job_id: id,
      number,
      lines: JSON.stringify(lines),
    })),
  })
}

/** Yields the hits of an organization that wait, those of one month and host name at a time. */
export async function* eachWaitingHits(
  db: Database,
  organizationId: string,
): AsyncGenerator<readonly unknown[], void, undefined> {
  for (let after = { hostname: '', jobId: '', number: -1 }; ;) {
    const row = await db.kysely
      .selectFrom('waiting_hits')
      .select(['hostname', 'job_id as jobId', 'number', 'lines'])
      .where('organization_id', '=', organizationId)
      .where((where) =>
        where.or([
          where('hostname', '>', after.hostname),
          where('hostname', '=', after.hostname).and('job_id', '>', after.jobId),
          where('hostname', '=', after.hostname)
            .and('job_id', '=', after.jobId)
            .and('number', '>', after.number),
        ]),
      )
      .orderBy('hostname')
      .orderBy('job_id')
      .orderBy('number')
      .limit(1)
      .modifyEnd(tag('catalogue.eachWaitingHits'))
      .executeTakeFirst()
    if (row === undefined) return
    yield JSON.parse(row.lines) as unknown[]
    after = row
  }
}

/** Hits that waited, of codes that are codes by now. */
export type WaitingHits = { hostname: string; jobId: string; number: number; lines: readonly unknown[] }

/** Returns hits whose codes waited for a host name, or undefined if there are none left. */
export async function readWaitingHits(
  db: Database,
  organizationId: string,
  { hostname }: { hostname: string },
): Promise<WaitingHits | undefined> {
  const row = await db.kysely
    .selectFrom('waiting_hits')
    .select(['hostname', 'job_id as jobId', 'number', 'lines'])
    .where('organization_id', '=', organizationId)
    .where('hostname', '=', hostname)
    .orderBy('job_id')
    .orderBy('number')
    .limit(1)
    .modifyEnd(tag('catalogue.readWaitingHits'))
    .executeTakeFirst()
  return row && { ...row, lines: JSON.parse(row.lines) }
}

/** Deletes hits in the transaction that counts them. Returns false if they are gone already. */
export async function takeWaitingHits(
  tx: Database,
  organizationId: string,
  { hostname, jobId, number }: WaitingHits,
): Promise<boolean> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('waiting_hits')
    .where('organization_id', '=', organizationId)
    .where('hostname', '=', hostname)
    .where('job_id', '=', jobId)
    .where('number', '=', number)
    .modifyEnd(tag('catalogue.takeWaitingHits'))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Returns those of these ids that no code has any more, so that their hits count nowhere: neither
 * one that waits, nor a code, nor one in the bin.
 */
export async function idsWithoutCode(
  db: Database,
  organizationId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const gone = new Set(ids)
  if (gone.size === 0) return gone
  const found = (table: 'waiting_qr_codes' | 'qr_codes' | 'binned_qr_codes') =>
    db.kysely
      .selectFrom(table)
      .select('id')
      .where('organization_id', '=', organizationId)
      .where(isOneOf(db, 'id', [...gone]))
  // One statement: a code that is restored or stops waiting between two would be in neither table.
  const rows = await found('waiting_qr_codes')
    .unionAll(found('qr_codes'))
    .unionAll(found('binned_qr_codes'))
    .modifyEnd(tag('catalogue.idsWithoutCode'))
    .execute()
  for (const { id } of rows) gone.delete(id)
  return gone
}
