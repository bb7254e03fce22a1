import { createHash } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { CataloguePlace, CatalogueSnapshot } from '../db/dump/catalogue-snapshot.ts'
import { withCatalogueSnapshot } from '../db/dump/dump-catalogue.ts'
import { loadCatalogue } from '../db/dump/load-catalogue.ts'
import type { DumpPart } from '../db/dump/read-parts.ts'
import type { CopyStep } from './make-copy.ts'

/** The catalogue of an installation, and the empty database that gets it. */
export type MovedCatalogue = { from: CataloguePlace; to: CataloguePlace }

export type MoveCatalogueOptions = {
  /** Changes the loaded rows in the same transaction. */
  amend: (db: Database) => Promise<void>
  progress?: (step: CopyStep) => void
  signal: AbortSignal
}

/**
 * Loads a catalogue into another database in one transaction, so a move that is killed leaves
 * nothing there. Returns the number of rows of each table. Throws a `FatalError` if the database is
 * not empty.
 */
export function moveCatalogue(
  { from, to }: MovedCatalogue,
  { amend, progress, signal }: MoveCatalogueOptions,
): Promise<ReadonlyMap<string, number>> {
  return withCatalogueSnapshot(from, (snapshot) =>
    loadCatalogue(to, {
      migrations: snapshot.migrations,
      parts: partsOf(snapshot, { progress, signal }),
      amend,
    }),
  )
}

async function* partsOf(
  { tables, rows }: CatalogueSnapshot,
  { progress, signal }: { progress: MoveCatalogueOptions['progress']; signal: AbortSignal },
): AsyncGenerator<DumpPart> {
  let done = 0
  for (const table of tables) {
    const { columns, chunks } = rows(table)
    for await (const chunk of chunks) {
      signal.throwIfAborted()
      yield { table, columns, bytes: chunk.bytes }
      done += chunk.rows
      progress?.({ doing: 'catalogue', done })
    }
  }
}

/** Tables that a move changes. */
const changedByMove = new Set([
  'installation',
  'installation_notes',
  'copies',
  'scan_manifest',
  'scan_segments',
])
/** Tables with numbers of transactions, which are those of each database: only rows are counted. */
const numberedByDatabase = new Set(['changes', 'event_pages'])

type TableSum = { rows: number; sum: string | undefined }

/** Compares two catalogues, table by table to the byte. Returns a sentence for each difference. */
export async function compareCatalogues({ from, to }: MovedCatalogue): Promise<string[]> {
  const was = await sumsOf(from)
  const is = await sumsOf(to)
  const differences: string[] = []
  for (const table of new Set([...was.keys(), ...is.keys()])) {
    const [old, moved] = [was.get(table), is.get(table)]
    if (old?.rows !== moved?.rows)
      differences.push(`${table} has ${moved?.rows ?? 0} rows instead of ${old?.rows ?? 0}`)
    else if (old?.sum !== moved?.sum) differences.push(`rows of ${table} have other values`)
  }
  return differences
}

function sumsOf(place: CataloguePlace): Promise<Map<string, TableSum>> {
  return withCatalogueSnapshot(place, async (snapshot) => {
    const sums = new Map<string, TableSum>()
    for (const table of snapshot.tables) {
      if (changedByMove.has(table)) continue
      const hash = createHash('sha256')
      let rows = 0
      for await (const chunk of snapshot.rows(table).chunks) {
        hash.update(chunk.bytes)
        rows += chunk.rows
      }
      sums.set(table, { rows, sum: numberedByDatabase.has(table) ? undefined : hash.digest('hex') })
    }
    return sums
  })
}
