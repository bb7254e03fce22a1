import { withPostgresSnapshot } from './dump-postgres.ts'
import { withSqliteSnapshot } from './dump-sqlite.ts'
import type { CataloguePlace, CatalogueSnapshot } from './catalogue-snapshot.ts'

/**
 * Gives `work` one snapshot of a catalogue, and its result back. On SQLite it is a read transaction: nobody waits for it, but the log of the
 * database grows until it ends. On PostgreSQL it is one transaction on a connection of its own, with no limit of time.
 *
 * Throws a `FatalError` when no catalogue is there, or one of a later release, and `CatalogueUnavailable` when the
 * database does not answer.
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
