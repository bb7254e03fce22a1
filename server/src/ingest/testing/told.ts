import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { afterOlderCatalogue } from '../../catalogue/installation/older-catalogue.ts'
import { listAuditLog } from '../../catalogue/ledger/audit-log.ts'
import { recordFoundScans } from '../../catalogue/ledger/system-entries.ts'
import type { Database } from '../../db/database.ts'
import { readInstallation, readInstallationNotes } from '../../db/installation.ts'
import { openDatabase } from '../../db/open-database.ts'
import { catalogueKinds, type CatalogueSource } from '../../db/testing/databases.ts'
import { journalFolders } from '../../journal/journal-folders.ts'
import { readWriters } from '../../journal/reader.ts'
import { writerJournal, type Ingester, type IngestBase } from '../ingest-context.ts'
import { emptyStats } from '../ingest-stats.ts'
import { silentLog, testGeography } from './ingest.ts'

const random = randomFrom(testSeed())
/** A whole `npm test` kills workers at some of their steps, on one of the catalogues. */
export const stepsBetween = hasVariants ? 1 : 8
export const toldKinds = hasVariants ? catalogueKinds : [pick(random, catalogueKinds)]

export function firstStep(): number {
  return 1 + Math.floor(random() * stepsBetween)
}

/** Records findings as a worker does. */
export const recordFound: IngestBase['onFound'] = async (tx, { unknownHits, organizations }) => {
  if (unknownHits > 0) await afterOlderCatalogue(tx, { known: [], nowMs: 1 })
  await recordFoundScans(tx, organizations, 1)
}

/** Does what a start does before it ingests, and then ingests everything. */
export async function compareAndIngest(
  { journalRoot, db }: Pick<IngestBase, 'journalRoot' | 'db'>,
  ingesterOf: (base: IngestBase) => Ingester,
): Promise<void> {
  const ingester = ingesterOf({
    journalRoot,
    db,
    places: testGeography,
    log: silentLog,
    stats: emptyStats(),
    clock: Date.now,
    startedMs: Date.now(),
    isChecked: false,
    mustCheck: false,
    onFound: recordFound,
    rowsMax: 10,
  })
  const journals = (await journalFolders(journalRoot)).flatMap((dir) =>
    readWriters(dir).map(({ writer }) => writerJournal(dir, writer)),
  )
  await ingester.compare(journals, new AbortController().signal)
  for (const journal of journals) while ((await ingester.ingestNext(journal)) !== 'none');
}

/** Everything that owners and operators are told of scans, and what is yet to be told. */
export type Told = {
  notes: [kind: string, detail: unknown][]
  entries: [organizationId: string, action: string, name: string | null][]
  /** Increments when an older catalogue is told. */
  epoch: number
  untold: number
}

export async function toldIn(db: Database): Promise<Told> {
  const entries: Told['entries'] = []
  for (const { id } of await db.kysely.selectFrom('organizations').select('id').orderBy('id').execute())
    for (const { action, target } of (await listAuditLog(db, id, { page: 1, limit: 100 })).rows)
      entries.push([id, action, target.name])
  const notes = (await readInstallationNotes(db)).map(({ kind, detail }): Told['notes'][0] => [kind, detail])
  const untold = await db.kysely.selectFrom('scan_findings').selectAll().execute()
  return {
    notes: notes.toSorted(([one], [other]) => (one < other ? -1 : 1)),
    entries: entries.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)),
    epoch: (await readInstallation(db))?.epoch ?? 0,
    untold: untold.length,
  }
}

export async function withCatalogue<Result>(
  source: CatalogueSource,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ ...source, role: 'writer', log: silentLog })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
