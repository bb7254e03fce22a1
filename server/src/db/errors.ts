import { DatabaseError } from 'pg'

/**
 * The catalogue cannot answer now: it is down, unreachable, full, locked for too long, or too slow. Whatever was
 * asked may or may not have happened. The API makes it 503; the scan path goes on with what it remembers.
 */
export class CatalogueUnavailable extends Error {
  constructor(cause: unknown) {
    super('the catalogue does not answer', { cause })
    this.name = 'CatalogueUnavailable'
  }
}

/** SQLSTATE classes and codes that say "not now": https://www.postgresql.org/docs/current/errcodes-appendix.html */
const unavailableStates = [
  '08', // connection
  '25006', // read only: a standby after a failover
  '28', // sign-in refused
  '3D000', // no such database
  '40001', // serialization, after the retries of inTransaction
  '40P01', // deadlock, likewise
  '53', // disk, memory or connections used up
  '55P03', // lock timeout
  '57', // shutting down, starting up, statement timeout
  '58', // input or output
  'XX', // broken inside
] as const

const unavailableSqlite = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL)/

/** An error of a driver as what it means: `CatalogueUnavailable`, or the error itself. */
export function toCatalogueError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CatalogueUnavailable) return error
  if (error instanceof DatabaseError) {
    const state = error.code ?? ''
    return unavailableStates.some((prefix) => state.startsWith(prefix))
      ? new CatalogueUnavailable(error)
      : error
  }
  const code = errorCode(error)
  if (code.startsWith('SQLITE_'))
    return unavailableSqlite.test(code) ? new CatalogueUnavailable(error) : error
  return error
}

/**
 * The same for errors of `pg`. What it throws and the server didn't send is about the connection (refused, reset, timed out, closed):
 * many of them have no code. Errors of our own code (`TypeError` and its like) stay what they are.
 */
export function toPostgresError(error: unknown): unknown {
  const programming = error instanceof TypeError || error instanceof RangeError
  if (error instanceof DatabaseError || programming || !(error instanceof Error))
    return toCatalogueError(error)
  return new CatalogueUnavailable(error)
}

/** True when a row was refused because another row has its unique value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error)
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/** True when a row was refused because the row it points to isn't there, or because others point to it. */
export function isForeignKeyViolation(error: unknown): boolean {
  const code = errorCode(error)
  return code === '23503' || code === '23001' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

/** True when the same transaction, run again, is likely to succeed: PostgreSQL gave way to another one. */
export function isRetryable(error: unknown): boolean {
  const cause = error instanceof CatalogueUnavailable ? error.cause : error
  return errorCode(cause) === '40001' || errorCode(cause) === '40P01'
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
