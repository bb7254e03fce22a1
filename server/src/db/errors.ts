import { DatabaseError } from 'pg'

/**
 * The catalogue cannot answer now: it is down, unreachable, full, locked for too long, or too slow.
 * The operation may or may not have taken effect. The API responds with 503; the scan path
 * continues with its cache.
 */
export class CatalogueUnavailable extends Error {
  constructor(cause: unknown) {
    super('the catalogue does not answer', { cause })
    this.name = 'CatalogueUnavailable'
  }
}

/**
 * SQLSTATE classes and codes for temporary failures:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const unavailableStates = [
  '08', // connection
  '25006', // read only: a standby after a failover
  '28', // sign-in refused
  '3D000', // unknown database
  '40001', // serialization, after the retries of inTransaction
  '40P01', // deadlock, after the same retries
  '53', // disk, memory or connections exhausted
  '55P03', // lock timeout
  '57', // shutting down, starting up, statement timeout
  '58', // input or output
  'XX', // internal error
] as const

const unavailableSqlite = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|CORRUPT|NOTADB|NOMEM|PROTOCOL)/

/**
 * Converts an error of a driver to `CatalogueUnavailable` if the catalogue cannot answer; otherwise
 * returns it unchanged.
 */
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
 * Converts errors of `pg` likewise. An error that did not come from the server is about the
 * connection (refused, reset, timed out, closed), and often has no code. Programming errors
 * (`TypeError` and similar) remain unchanged.
 */
export function toPostgresError(error: unknown): unknown {
  const programming = error instanceof TypeError || error instanceof RangeError
  if (error instanceof DatabaseError || programming || !(error instanceof Error))
    return toCatalogueError(error)
  return new CatalogueUnavailable(error)
}

/** Whether a row was rejected because another row has its unique value. */
export function isUniqueViolation(error: unknown): boolean {
  const code = errorCode(error)
  return code === '23505' || code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}

/**
 * Whether a row was rejected because the referenced row is missing, or because other rows reference
 * it.
 */
export function isForeignKeyViolation(error: unknown): boolean {
  const code = errorCode(error)
  return code === '23503' || code === '23001' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

/** Whether a retry of the same transaction is likely to succeed: PostgreSQL favored another one. */
export function isRetryable(error: unknown): boolean {
  const cause = error instanceof CatalogueUnavailable ? error.cause : error
  return errorCode(cause) === '40001' || errorCode(cause) === '40P01'
}

export function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : ''
}
