import { withPostgresSnapshot } from './dump-postgres.ts'
import { withSqliteSnapshot } from './dump-sqlite.ts'
import type { CataloguePlace, CatalogueSnapshot } from './catalogue-snapshot.ts'

/**
 * Passes `work` a snapshot of a catalogue and returns its result. On SQLite the snapshot is a read
 * transaction: it blocks no writer, but the database log grows until it ends. On PostgreSQL it is
 * one transaction without a timeout, on a connection of its own.
 *
 * Throws a `FatalError` if there is no catalogue or it is from a later release, and
 * `CatalogueUnavailable` if the database does not answer.
 */
export function withCatalogueSnapshot<Result>(
  place: CataloguePlace,
  work: (snapshot: CatalogueSnapshot) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl } = place
  return databaseUrl === undefined
    ? withSqliteSnapshot(place, work)
    : withPostgresSnapshot({ ...place, databaseUrl }, work)
}
