import { sql } from 'kysely'
import { tag, type Database } from '../database.ts'
import { rowsAsTable } from '../dialects/row-sets.ts'
import { hitsByDay } from './lost-hits.ts'
import { byOrganization, type OrganizationScans } from './scan-counters.ts'
import type { DayHits } from './scan-days.ts'

/**
 * The findings of comparisons of catalogue and scan store. They are in the catalogue from the
 * transaction of their correction to the one that records the telling.
 */
export type Findings = {
  /** Hits that were only in the store: an older copy of the catalogue was restored. */
  unknownHits: number
  /** Short codes that only the store knew and that were reserved. */
  reserved: readonly string[]
  /** Hits that the store had lost and that were put back. */
  putBackHits: number
  /** Hits that were in the store twice; one row of each remains. */
  doubledHits: number
  /** Lost hits, by day (UTC, days since 1970). */
  lost: readonly { day: number; hits: number }[]
  /** Corrections of the counters of each organization. */
  recounted: readonly OrganizationScans[]
  /** Restored scans of each organization. */
  putBack: readonly OrganizationScans[]
}

type Row = { kind: keyof Findings; name: string; part: string; hits: number }

/** Adds what a transaction has corrected. */
export async function addFindings(tx: Database, found: Partial<Findings>): Promise<void> {
  await saveRows(tx, rowsOf(found, ''), sql`scan_findings.hits + excluded.hits`)
}

/**
 * Notes the correction that the next call makes in a part of the scan store. After a kill, the part
 * is compared again: the call may have been made, so the larger number stays.
 */
export async function expectFindings(tx: Database, part: string, found: Partial<Findings>): Promise<void> {
  const most = sql`case
    when excluded.hits > scan_findings.hits then excluded.hits
    else scan_findings.hits
  end`
  await saveRows(tx, rowsOf(found, part), most)
}

/** Takes out lost hits, and the scans of organizations among them, that came back untold. */
export async function takeOutReturned(
  tx: Database,
  { days, scans }: { days: readonly DayHits[]; scans: readonly OrganizationScans[] },
): Promise<void> {
  const rows = rowsOf({ lost: hitsByDay(days), recounted: byOrganization(scans) }, '')
  if (rows.length === 0) return
  await sql`/* db.takeOutReturned */
    update scan_findings
    set hits = case
      when scan_findings.hits > r.hits then scan_findings.hits - r.hits
      when scan_findings.hits < -r.hits then scan_findings.hits + r.hits
      else 0
    end
    from ${rowsAsTable(tx, 'scan_findings', rows)}
    where scan_findings.kind = r.kind
    and scan_findings.name = r.name
    and scan_findings.part = r.part
    and (scan_findings.kind = 'lost' or scan_findings.hits < 0)`.execute(tx.kysely)
}

/** Returns what is not told yet, or undefined if all is. */
export async function readFindings(db: Database): Promise<Findings | undefined> {
  const rows = await db.kysely
    .selectFrom('scan_findings')
    .selectAll()
    .modifyEnd(tag('db.readFindings'))
    .execute()
  return findingsOf(rows)
}

/** Removes what is not told yet and returns it, for the transaction that records the telling. */
export async function takeFindings(tx: Database): Promise<Findings | undefined> {
  const rows = await tx.kysely
    .deleteFrom('scan_findings')
    .returningAll()
    .modifyEnd(tag('db.takeFindings'))
    .execute()
  return findingsOf(rows)
}

async function saveRows(tx: Database, rows: readonly Row[], hits: ReturnType<typeof sql>): Promise<void> {
  if (rows.length === 0) return
  await sql`/* db.saveFindings */
    insert into scan_findings (kind, name, part, hits)
    select r.kind, r.name, r.part, r.hits from ${rowsAsTable(tx, 'scan_findings', rows)} where true
    on conflict (kind, name, part) do update set hits = ${hits}`.execute(tx.kysely)
}

function rowsOf(found: Partial<Findings>, part: string): Row[] {
  const { unknownHits = 0, reserved = [], putBackHits = 0, doubledHits = 0 } = found
  const { lost = [], recounted = [], putBack = [] } = found
  const total = (kind: keyof Findings, hits: number) => ({ kind, name: '', hits })
  const ofEach = (kind: keyof Findings, rows: readonly OrganizationScans[]) =>
    rows.map(({ organizationId: name, scans: hits }) => ({ kind, name, hits }))
  return [
    total('unknownHits', unknownHits),
    total('putBackHits', putBackHits),
    total('doubledHits', doubledHits),
    ...reserved.map((name) => ({ kind: 'reserved' as const, name, hits: 1 })),
    ...lost.map(({ day, hits }) => ({ kind: 'lost' as const, name: String(day), hits })),
    ...ofEach('recounted', recounted),
    ...ofEach('putBack', putBack),
  ]
    .filter(({ hits }) => hits !== 0)
    .map((row) => ({ ...row, part }))
}

function findingsOf(rows: readonly { kind: string; name: string; hits: number }[]): Findings | undefined {
  if (rows.length === 0) return undefined
  const inOrder = rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const of = (kind: keyof Findings) => inOrder.filter((row) => row.kind === kind)
  const sum = (kind: keyof Findings) => of(kind).reduce((all, { hits }) => all + hits, 0)
  const ofEach = (kind: keyof Findings) =>
    byOrganization(of(kind).map(({ name, hits }) => ({ organizationId: name, scans: hits })))
  return {
    unknownHits: sum('unknownHits'),
    reserved: of('reserved').map(({ name }) => name),
    putBackHits: sum('putBackHits'),
    doubledHits: sum('doubledHits'),
    lost: hitsByDay(of('lost').map(({ name, hits }) => ({ writer: '', day: Number(name), hits }))),
    recounted: ofEach('recounted'),
    putBack: ofEach('putBack'),
  }
}
