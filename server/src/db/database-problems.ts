import { errorMessage, FatalError } from '../errors.ts'
import { dataDirProblem, unwritableText } from '../write-problem.ts'
import { sqliteFile } from './dialects/sqlite.ts'
import { CatalogueUnavailable, errorCode } from './errors.ts'

/**
 * Why the catalogue is unusable. A transient problem of a server may resolve by itself, so a start
 * waits for it.
 */
export type DatabaseProblem = { sentence: string; isTransient: boolean }

/** The facts of an error and of the place in `DATABASE_URL`, without the password. */

type Failure = { state: string; text: string; syscall: string; place: Place }

type Place = { server: string; user: string; database: string }

type Rule = {
  is: (failure: Failure) => boolean
  /** The sentence after "DATABASE_URL: ". */
  says: (failure: Failure) => string
}

const trust =
  'add sslrootcert=/path/to/ca.crt with the certificate of its authority, or sslmode=no-verify to encrypt without verifying the server'

/**
 * Errors that the operator must fix; the first matching rule applies. PgBouncer reports every
 * rejection with one state (08P01).
 */
const refusals: readonly Rule[] = [
  {
    is: ({ state, text }) =>
      state === '28P01' || /^SASL|password authentication failed|no password supplied/i.test(text),
    says: ({ place }) =>
      `${place.server} refused the user "${place.user}" with this password; correct user or password`,
  },
  {
    is: ({ state, text }) =>
      state === '3D000' || /^no such database|^database ".*" does not exist/.test(text),
    says: ({ place }) =>
      `${place.server} has no database "${place.database}"; create it with: createdb ${place.database}`,
  },
  {
    is: ({ state, text }) => state === '28000' && /no pg_hba\.conf entry/.test(text),
    says: ({ place, text }) =>
      `${place.server} accepts no connection of this kind (${text}); allow it in pg_hba.conf` +
      (/no encryption/.test(text)
        ? ', or add sslmode=verify-full (or sslmode=no-verify) for encryption'
        : ''),
  },
  {
    is: ({ state }) => state === '28000',
    says: ({ place, text }) => `${place.server} refused the user "${place.user}" (${text}); correct the user`,
  },
  {
    is: ({ state, text }) => state === '42501' && /^permission denied for (table|view|sequence)/.test(text),
    says: ({ place, text }) =>
      `the user "${place.user}" may not use the catalogue in the database "${place.database}" (${text}); ` +
      `name the owner of its tables as the user, or give them to this one: reassign owned by OWNER to "${place.user}"`,
  },
  {
    is: ({ state }) => state === '42501',
    says: ({ place, text }) =>
      `the user "${place.user}" lacks a permission in the database "${place.database}" (${text}); ` +
      `make it the owner: alter database "${place.database}" owner to "${place.user}"`,
  },
  {
    is: ({ state }) => state === 'CERT_HAS_EXPIRED' || state === 'CERT_NOT_YET_VALID',
    says: ({ place, text }) =>
      `the certificate of ${place.server} is not valid now (${text}); renew it, or check the clock`,
  },
  {
    is: ({ state }) => state === 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: ({ place, text }) =>
      `the certificate of ${place.server} is for another name (${text}); use that name, or sslmode=no-verify to encrypt without verifying the server`,
  },
  {
    is: ({ state }) => /SELF_SIGNED|UNABLE_TO_|CERT_|_CERT/.test(state),
    // Node appends advice about its own command line, which does not help an operator here.
    says: ({ place, text }) =>
      `the certificate of ${place.server} is not trusted (${text.split(';')[0]}); ${trust}`,
  },
  {
    is: ({ text }) => text === 'The server does not support SSL connections',
    says: ({ place }) => `${place.server} offers no encryption; remove sslmode, or turn ssl on in the server`,
  },
  {
    is: ({ state, syscall }) => syscall === 'open' && state !== '',
    says: ({ text }) =>
      `a file named in the address cannot be read (${text}); correct sslrootcert, sslcert or sslkey`,
  },
  {
    is: ({ text }) => /unsupported startup parameter/.test(text),
    says: ({ place, text }) =>
      `the pooler at ${place.server} refuses a parameter of the address (${text}); remove it, or add it to the pooler's ignore_startup_parameters`,
  },
  {
    is: ({ text }) => /statement pooling mode/.test(text),
    says: ({ place }) =>
      `the pooler at ${place.server} runs each statement in another session, so transactions cannot work; set its pool_mode = transaction (or session)`,
  },
]

/** Transient errors; the first matching rule applies. The sentence follows "PostgreSQL at …: ". */
const waits: readonly Rule[] = [
  {
    is: ({ state, text }) =>
      state === '53300' || /no more connections allowed|too many connections/.test(text),
    says: ({ text }) => `all its connections are taken (${text}); raise max_connections if this lasts`,
  },
  {
    is: ({ state }) => state === '57P03',
    says: ({ text }) => text,
  },
  {
    is: ({ state }) => state === '25006',
    says: ({ place }) =>
      'the database is read-only: the server is a standby, or default_transaction_read_only is on. If this lasts, use the address of ' +
      `the primary, or run: alter database "${place.database}" reset default_transaction_read_only`,
  },
  {
    is: ({ state }) => state === 'ENOTFOUND' || state === 'EAI_AGAIN',
    says: ({ text }) =>
      `the host name has no address yet (${text}); check the host in DATABASE_URL if this lasts`,
  },
  {
    is: ({ syscall, state }) => syscall === 'connect' && state === 'ENOENT',
    says: ({ text }) => `its socket does not exist yet (${text}); check host in DATABASE_URL if this lasts`,
  },
  { is: () => true, says: ({ text }) => `${text}; start it, or correct DATABASE_URL if this lasts` },
]

/**
 * Returns an error of the catalogue, at a start or of a command, as a sentence for the operator, or
 * undefined if it is not about the catalogue.
 */
export function catalogueProblem(
  error: unknown,
  { databaseUrl, dataDir }: { databaseUrl: string | undefined; dataDir: string },
): DatabaseProblem | undefined {
  if (databaseUrl !== undefined) return databaseProblem(error, databaseUrl)
  const sentence = error instanceof FatalError ? undefined : sqliteSentence(error, dataDir)
  return sentence === undefined ? undefined : { sentence, isTransient: false }
}

function sqliteSentence(error: unknown, dataDir: string): string | undefined {
  const cause = error instanceof CatalogueUnavailable ? error.cause : error
  const code = errorCode(cause)
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return (
      `the catalogue ${sqliteFile(dataDir)} is damaged (${errorMessage(cause)}): stop the service, keep the file, ` +
      'and restore a copy: ./everscan restore FILE, or a copy of your own'
    )
  if (/^SQLITE_(BUSY|LOCKED)/.test(code))
    return `another process keeps the catalogue ${sqliteFile(dataDir)} locked (${errorMessage(cause)}): try again`
  if (code === 'SQLITE_FULL') return unwritableText(dataDir, { code: 'ENOSPC' })
  // A file that is only too large for the disk, or may not be written, has one of several codes.
  if (!/^SQLITE_(READONLY|CANTOPEN|IOERR|FULL)/.test(code)) return undefined
  return (
    dataDirProblem(dataDir) ??
    `the catalogue ${sqliteFile(dataDir)} cannot be used (${errorMessage(cause)}): check its permissions and its disk`
  )
}

/** Like `catalogueProblem`, for PostgreSQL. */
export function databaseProblem(error: unknown, databaseUrl: string): DatabaseProblem | undefined {
  if (error instanceof FatalError) return undefined
  const cause = error instanceof CatalogueUnavailable ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const failure = failureOf(cause, databaseUrl)
  const refusal = refusals.find(({ is }) => is(failure))
  if (refusal !== undefined) return { sentence: `DATABASE_URL: ${refusal.says(failure)}`, isTransient: false }
  if (!(error instanceof CatalogueUnavailable)) return undefined
  const wait = waits.find(({ is }) => is(failure))
  return {
    sentence: `PostgreSQL at ${failure.place.server}: ${wait?.says(failure)}`,
    isTransient: true,
  }
}

function failureOf(error: Error, databaseUrl: string): Failure {
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  return {
    state: errorCode(error),
    // If all addresses of a host name fail, the error has no text of its own.
    text: error instanceof AggregateError ? String(error.errors[0]?.message ?? error.message) : error.message,
    syscall,
    place: placeOf(databaseUrl),
  }
}

/**
 * Returns how an operator identifies a database. The host before the path may be missing if
 * `?host=` names a directory of sockets.
 */
export function placeOf(databaseUrl: string): Place {
  const url = new URL(databaseUrl.replace('@/', '@localhost/'))
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost')
  const user = decodeURIComponent(url.username) || (url.searchParams.get('user') ?? '')
  const port = url.searchParams.get('port') ?? (url.port || '5432')
  return {
    server: host.startsWith('/') ? host : `${host}:${port}`,
    user,
    database: decodeURIComponent(url.pathname.slice(1)) || user,
  }
}
