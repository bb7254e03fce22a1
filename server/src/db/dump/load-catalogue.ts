import { FatalError } from '../../errors.ts'
import { shapeAfter } from './catalogue-shape.ts'
import { describePostgres, describeSqlite } from './contents.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'
import { loadPostgres } from './load-postgres.ts'
import { loadSqlite } from './load-sqlite.ts'
import type { CatalogueDump } from './catalogue-dump.ts'

/**
 * Creates the schema of exactly these migrations in an empty place and fills it: all or nothing,
 * also when killed. Returns the number of rows of every table. Missing migrations are applied
 * before `amend`, or by the next start.
 *
 * Recreates data that a dump omits. Lowers transaction numbers that this PostgreSQL has not
 * reached: the order of event pages remains, and later pages follow all loaded ones.
 *
 * Throws a `FatalError` if the place is not empty, if the dump is from a later release (a
 * migration, table or column that this release does not know), if the database cannot hold its
 * data, and if the disk is full. Throws `CatalogueUnavailable` if the database does not answer.
 */
export async function loadCatalogue(
  place: CataloguePlace,
  { migrations, parts, amend }: CatalogueDump,
): Promise<ReadonlyMap<string, number>> {
  const shape = shapeAfter(migrations, 'the copy')
  if (shape.tables.length === 0) throw new FatalError('the copy contains no catalogue: it names no migration')
  const { databaseUrl } = place
  const load = { shape, parts, ...(amend !== undefined && { amend }) }
  return databaseUrl === undefined ? loadSqlite(place, load) : loadPostgres({ ...place, databaseUrl }, load)
}

/**
 * Returns the contents of a place for a catalogue in a few words, or undefined if it is empty.
 * Changes nothing.
 */
export async function whatIsIn(place: CataloguePlace): Promise<string | undefined> {
  const { databaseUrl } = place
  return databaseUrl === undefined
    ? describeSqlite(place.dataDir)
    : describePostgres({ ...place, databaseUrl })
}
