import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../database.ts'
import { migrateDatabase, migrations } from '../../migrations/migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { sqliteFile } from '../../dialects/sqlite.ts'
import { atProcessEnd } from '../../testing/at-process-end.ts'
import {
  newPostgresDatabase,
  silentLog,
  templateDatabase,
  templateDirectory,
} from '../../testing/databases.ts'
import { withCatalogueSnapshot } from '../dump-catalogue.ts'
import type { CataloguePlace, CatalogueSnapshot } from '../catalogue-snapshot.ts'
import type { CatalogueDump } from '../catalogue-dump.ts'
import type { DumpPart } from '../read-parts.ts'

export const kinds = ['SQLite', 'PostgreSQL'] as const
export type Kind = (typeof kinds)[number]

const root = mkdtempSync(join(tmpdir(), 'everscan-dump-'))
atProcessEnd(() => rmSync(root, { recursive: true, force: true }))

/**
 * Returns a place for a catalogue: empty, or with `isCurrent` with an empty catalogue of this
 * release.
 */
export async function newPlace(kind: Kind, { isCurrent = false } = {}): Promise<CataloguePlace> {
  if (kind === 'PostgreSQL') {
    const template = isCurrent ? await templateDatabase() : undefined
    return { dataDir: '', databaseUrl: await newPostgresDatabase(template), log: silentLog }
  }
  const dataDir = mkdtempSync(join(root, 'data-'))
  if (isCurrent) copyFileSync(sqliteFile(await templateDirectory()), sqliteFile(dataDir))
  return { dataDir, log: silentLog }
}

/** Creates a catalogue with the schema of these migrations. */
export async function newCatalogue(
  kind: Kind,
  fill: (db: Database) => Promise<void> = async () => undefined,
  list: typeof migrations = migrations,
): Promise<CataloguePlace> {
  const isCurrent = list === migrations
  const place = await newPlace(kind, { isCurrent })
  await withDatabase(place, async (db) => {
    if (!isCurrent) await migrateDatabase(db, list)
    await fill(db)
  })
  return place
}

export async function withDatabase<Result>(
  place: CataloguePlace,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = await openDatabase({ ...place, role: 'writer' })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

export type Dump = { migrations: readonly string[]; parts: (DumpPart & { rows: number })[] }

export function readDump(place: CataloguePlace): Promise<Dump> {
  return withCatalogueSnapshot(place, readSnapshot)
}

export async function readSnapshot(snapshot: CatalogueSnapshot): Promise<Dump> {
  const parts: Dump['parts'] = []
  for (const table of snapshot.tables) {
    const { columns, chunks } = snapshot.rows(table)
    for await (const { rows, bytes } of chunks) parts.push({ table, columns, bytes, rows })
  }
  return { migrations: snapshot.migrations, parts }
}

/** Returns the argument of `loadCatalogue`. */
export function given({ migrations: applied, parts }: Dump): CatalogueDump {
  return { migrations: applied, parts: inTurn(parts) }
}

export async function* inTurn<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield item
}

/** Returns the rows of each table as text, for comparison. */
export function textsOf({ parts }: Dump): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { table, columns, bytes } of parts)
    texts[table] = (texts[table] ?? `${columns.join(',')}\n`) + bytes.toString()
  return texts
}

/** Returns the values of one column. */
export function valuesOf({ parts }: Dump, table: string, column: string): unknown[] {
  return parts
    .filter((part) => part.table === table)
    .flatMap(({ columns, bytes }) =>
      bytes
        .toString()
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as unknown[])[columns.indexOf(column)]),
    )
}
