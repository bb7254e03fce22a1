import { FatalError } from '../../errors.ts'
import { shapeAfter } from './catalogue-shape.ts'
import { whatIsInPostgres, whatIsInSqlite } from './contents.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'
import { loadPostgres } from './load-postgres.ts'
import { loadSqlite } from './load-sqlite.ts'
import type { CatalogueDump } from './catalogue-dump.ts'

/**
 * Makes the schema of exactly those migrations where no catalogue is, and fills it: all of it or nothing, also when it is killed. Gives the number of
 * rows by table, of every table of theirs. The migrations that are missing are applied before `amend`, or by the next start.
 *
 * What is left out of a dump is made anew. Numbers of transactions that a PostgreSQL has not reached are lowered: every order of
 * event pages stays, and what comes later stands behind all that was loaded.
 *
 * Throws a `FatalError` when something is there already, when the dump is one of a later release (a migration, table or
 * column that this one does not know), when it holds what the database cannot, and when the disk is full; `CatalogueUnavailable` when
 * the database does not answer.
 */
export async function loadCatalogue(
  place: CataloguePlace,
  { migrations, parts, amend }: CatalogueDump,
): Promise<ReadonlyMap<string, number>> {
  const shape = shapeAfter(migrations, 'the copy')
  if (shape.tables.length === 0)
    throw new FatalError('the copy has no catalogue in it: it names no migration')
  const { databaseUrl } = place
  const load = { shape, parts, ...(amend !== undefined && { amend }) }
  return databaseUrl === undefined ? loadSqlite(place, load) : loadPostgres({ ...place, databaseUrl }, load)
}

/** What is where a catalogue would be loaded, in a few words; `undefined`: nothing. Changes nothing. */
export async function whatIsIn(place: CataloguePlace): Promise<string | undefined> {
  const { databaseUrl } = place
  return databaseUrl === undefined
    ? whatIsInSqlite(place.dataDir)
    : whatIsInPostgres({ ...place, databaseUrl })
}
