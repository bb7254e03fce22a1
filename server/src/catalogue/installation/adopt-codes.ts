import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { lockHost } from '../../db/scans/host-forms.ts'
import { purgeQrCodes } from '../codes/bin.ts'
import { deleteQrCodes } from '../codes/qr-code-deletion.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

// Codes on one host name, of every organization: for the operator, and never for a caller of the
// API.

/** The organization that has a host name, and its domain. */
export type HostOwner = { organizationId: string; domainId: string; slug: string; name: string }

/** Short codes that other organizations assigned on a host name, by what became of the codes. */
export type OldCodes = {
  /** Deleted for good, or never known. */
  reserved: number
  /** Among them: those that the owner may already use. */
  adopted: number
  /** Deleted, but their organization can still restore them. */
  binned: number
  archived: number
  /** They answer scans. */
  active: number
  /** They answer 410: their organization removed the domain, or the end of a notice is over. */
  over: number
}

const codesAtOnce = 500

/** Returns who has a host name now: it proved the name, or did and is FAILING. */
export async function readHostOwner(db: Database, hostname: string): Promise<HostOwner | undefined> {
  return db.kysely
    .selectFrom('domains as d')
    .innerJoin('organizations as o', 'o.id', 'd.organization_id')
    .select(['d.organization_id as organizationId', 'd.id as domainId', 'o.slug', 'o.name'])
    .where('d.hostname', '=', hostname)
    .where('d.status', '<>', 'PENDING')
    .modifyEnd(tag('catalogue.readHostOwner'))
    .executeTakeFirst()
}

/** Short codes on a host name that other organizations than its owner assigned. */
function othersOn(db: Database, hostname: string, { organizationId }: HostOwner) {
  return (
    db.kysely
      .selectFrom('short_codes as s')
      .leftJoin('qr_codes as q', 'q.canonical_code', 's.canonical_code')
      .leftJoin('binned_qr_codes as b', 'b.canonical_code', 's.canonical_code')
      // From HOST/ up to the character after the slash.
      .where('s.canonical_code', '>=', `${hostname}/`)
      .where('s.canonical_code', '<', `${hostname}0`)
      .where('s.organization_id', '<>', organizationId)
  )
}

const count = (condition: ReturnType<typeof sql>) =>
  sql<number | string>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`

/** Counts the codes of other organizations on the host name of its owner. */
export async function countOldCodes(
  db: Database,
  hostname: string,
  { owner, nowMs }: { owner: HostOwner; nowMs: number },
): Promise<OldCodes> {
  const isReserved = sql`q.id is null and b.id is null and s.deleted_at_ms is not null`
  // As a front decides.
  const isAnswered = sql`exists (
    select 1 from domains as d
    where d.organization_id = q.organization_id and d.hostname = ${hostname} and d.proved_at_ms is not null
    and coalesce(d.notice_ends_at_ms > ${nowMs}, true)
  )`
  const row = await othersOn(db, hostname, owner)
    .select([
      count(isReserved).as('reserved'),
      count(sql`${isReserved} and s.adopted_by = ${owner.organizationId}`).as('adopted'),
      count(sql`b.id is not null`).as('binned'),
      count(sql`q.status = 'ARCHIVED'`).as('archived'),
      count(sql`q.status = 'ACTIVE' and ${isAnswered}`).as('active'),
      count(sql`q.status = 'ACTIVE' and not ${isAnswered}`).as('over'),
    ])
    .modifyEnd(tag('catalogue.countOldCodes'))
    .executeTakeFirstOrThrow()
  const { reserved, adopted, binned, archived, active, over } = row
  return {
    reserved: Number(reserved),
    adopted: Number(adopted),
    binned: Number(binned),
    archived: Number(archived),
    active: Number(active),
    over: Number(over),
  }
}

type Adoption = {
  origin: ChangeOrigin
  nowMs: number
  /** Whether archived and deleted codes of other organizations go as well, for good. */
  withArchived?: boolean
  onProgress?: (codes: number) => void
}

/**
 * Lets the owner of a host name create codes with the reserved short codes on it, which others had
 * assigned. Returns how many. Active codes stay as they are. A repetition changes nothing. Throws
 * an Error if the name passes to another organization meanwhile.
 */
export async function adoptCodes(
  db: Database,
  hostname: string,
  { owner, withArchived = false, ...adoption }: Adoption & { owner: HostOwner },
): Promise<number> {
  if (withArchived) await deleteEndedCodes(db, hostname, { owner, ...adoption })
  const { origin, nowMs, onProgress } = adoption
  for (let codes = 0; ;) {
    const some = await inTransaction(db, async (tx) => {
      await lockHost(tx, hostname)
      if ((await readHostOwner(tx, hostname))?.organizationId !== owner.organizationId)
        throw new Error(`${hostname} has passed to another organization meanwhile.`)
      const rows = await othersOn(tx, hostname, owner)
        .select('s.canonical_code as codeKey')
        .where('q.id', 'is', null)
        .where('b.id', 'is', null)
        .where('s.deleted_at_ms', 'is not', null)
        .where((where) =>
          where.or([where('s.adopted_by', 'is', null), where('s.adopted_by', '<>', owner.organizationId)]),
        )
        .orderBy('s.canonical_code')
        .limit(codesAtOnce)
        .modifyEnd(tag('catalogue.codesToAdopt'))
        .execute()
      if (rows.length === 0) return 0
      await tx.kysely
        .updateTable('short_codes')
        .set({ adopted_by: owner.organizationId })
        .where(
          isOneOf(
            tx,
            'canonical_code',
            rows.map(({ codeKey }) => codeKey),
          ),
        )
        .modifyEnd(tag('catalogue.adoptCodes'))
        .execute()
      const target = { id: owner.domainId, name: hostname }
      await recordAudit(tx, owner.organizationId, [{ action: 'domain.adopt', target, origin, nowMs }])
      return rows.length
    })
    codes += some
    onProgress?.(codes)
    if (some < codesAtOnce) return codes
  }
}

/** Deletes archived codes of others on a host name for good, and those in their bins. */
async function deleteEndedCodes(
  db: Database,
  hostname: string,
  { owner, origin, nowMs }: Adoption & { owner: HostOwner },
): Promise<void> {
  for (;;) {
    const rows = await othersOn(db, hostname, owner)
      .select(['s.organization_id as organizationId', 'q.id', 'b.id as binnedId'])
      .where((where) => where.or([where('q.status', '=', 'ARCHIVED'), where('b.id', 'is not', null)]))
      .limit(codesAtOnce)
      .modifyEnd(tag('catalogue.endedCodes'))
      .execute()
    if (rows.length === 0) return
    for (const [organizationId, ofOne] of Map.groupBy(rows, (row) => row.organizationId)) {
      const ids = ofOne.flatMap(({ id }) => id ?? [])
      const binned = ofOne.flatMap(({ binnedId }) => binnedId ?? [])
      if (ids.length > 0) await deleteQrCodes(db, organizationId, { ids, origin, nowMs })
      if (binned.length > 0) await purgeQrCodes(db, organizationId, { ids: binned, origin, nowMs })
    }
  }
}
