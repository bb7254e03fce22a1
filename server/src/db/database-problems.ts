import { FatalError } from '../errors.ts'
import { CatalogueUnavailable, errorCode } from './errors.ts'

/** Why PostgreSQL cannot be used at a start. `passes`: it may get right by itself, so it is worth waiting for. */
export type DatabaseProblem = { sentence: string; passes: boolean }

/** What an error says of itself, and what `DATABASE_URL` says of the place; never the password. */

type Failure = { state: string; text: string; syscall: string; place: Place }

type Place = { server: string; user: string; database: string }

type Rule = {
  is: (failure: Failure) => boolean
  /** After "DATABASE_URL: ". */
  says: (failure: Failure) => string
}

const trust =
  'add sslrootcert=/path/to/ca.crt with the authority that signed it, or sslmode=no-verify to encrypt without checking who answers'

/** What a person has to change, the first that fits. PgBouncer has one state (08P01) for all it refuses. */
const refusals: readonly Rule[] = [
  {
    is: ({ state, text }) =>
      state === '28P01' || /^SASL|password authentication failed|no password supplied/i.test(text),
    says: ({ place }) => `${place.server} refused the user "${place.user}" with this password; correct them`,
  },
  {
    is: ({ state, text }) =>
      state === '3D000' || /^no such database|^database ".*" does not exist/.test(text),
    says: ({ place }) =>
      `${place.server} has no database "${place.database}"; make it with: createdb ${place.database}`,
  },
  {
    is: ({ state, text }) => state === '28000' && /no pg_hba\.conf entry/.test(text),
    says: ({ place, text }) =>
      `${place.server} lets nobody in this way (${text}); allow it in pg_hba.conf` +
      (/no encryption/.test(text)
        ? ', or add sslmode=verify-full (or sslmode=no-verify) for encryption'
        : ''),
  },
  {
    is: ({ state }) => state === '28000',
    says: ({ place, text }) => `${place.server} refused the user "${place.user}" (${text}); correct it`,
  },
  {
    is: ({ state }) => state === '42501',
    says: ({ place, text }) =>
      `the user "${place.user}" lacks a right in the database "${place.database}" (${text}); ` +
      `give it the database: alter database "${place.database}" owner to "${place.user}"`,
  },
  {
    is: ({ state }) => state === 'CERT_HAS_EXPIRED' || state === 'CERT_NOT_YET_VALID',
    says: ({ place, text }) =>
      `the certificate of ${place.server} is not valid now (${text}); renew it, or look at the clock`,
  },
  {
    is: ({ state }) => state === 'ERR_TLS_CERT_ALTNAME_INVALID',
    says: ({ place, text }) =>
      `the certificate of ${place.server} is for another name (${text}); use that name, or sslmode=no-verify to encrypt without checking who answers`,
  },
  {
    is: ({ state }) => /SELF_SIGNED|UNABLE_TO_|CERT_|_CERT/.test(state),
    // Node adds how it could be told by its command line, which is not the operator's here.
    says: ({ place, text }) =>
      `the certificate of ${place.server} is not trusted (${text.split(';')[0]}); ${trust}`,
  },
  {
    is: ({ text }) => text === 'The server does not support SSL connections',
    says: ({ place }) =>
      `${place.server} offers no encryption; leave sslmode out, or turn ssl on in the server`,
  },
  {
    is: ({ state, syscall }) => syscall === 'open' && state !== '',
    says: ({ text }) =>
      `a file that it names cannot be read (${text}); correct sslrootcert, sslcert or sslkey`,
  },
  {
    is: ({ text }) => /unsupported startup parameter/.test(text),
    says: ({ place, text }) =>
      `the pooler at ${place.server} refuses what the address asks for (${text}); leave it out, or name it in the pooler's ignore_startup_parameters`,
  },
  {
    is: ({ text }) => /statement pooling mode/.test(text),
    says: ({ place }) =>
      `the pooler at ${place.server} gives each statement another session, so there are no transactions; set pool_mode = transaction (or session) in it`,
  },
]

/** What comes right by itself or while others look after it; the first that fits, after "waiting for PostgreSQL at …: ". */
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
    says: () => 'it is a standby that nothing can be written to; name the primary if this lasts',
  },
  {
    is: ({ state }) => state === 'ENOTFOUND' || state === 'EAI_AGAIN',
    says: ({ text }) =>
      `its name has no address yet (${text}); look at the host in DATABASE_URL if this lasts`,
  },
  {
    is: ({ syscall, state }) => syscall === 'connect' && state === 'ENOENT',
    says: ({ text }) => `its socket is not there yet (${text}); look at host in DATABASE_URL if this lasts`,
  },
  { is: () => true, says: ({ text }) => text },
]

/**
 * What an error at the start means for PostgreSQL at this address, in one sentence for the operator. `undefined`: it is not about the
 * database.
 */
export function databaseProblem(error: unknown, databaseUrl: string): DatabaseProblem | undefined {
  if (error instanceof FatalError) return undefined
  const cause = error instanceof CatalogueUnavailable ? error.cause : error
  if (!(cause instanceof Error)) return undefined
  const failure = failureOf(cause, databaseUrl)
  const refusal = refusals.find(({ is }) => is(failure))
  if (refusal !== undefined) return { sentence: `DATABASE_URL: ${refusal.says(failure)}`, passes: false }
  if (!(error instanceof CatalogueUnavailable)) return undefined
  const wait = waits.find(({ is }) => is(failure))
  return {
    sentence: `waiting for PostgreSQL at ${failure.place.server}: ${wait?.says(failure)}`,
    passes: true,
  }
}

function failureOf(error: Error, databaseUrl: string): Failure {
  const syscall = 'syscall' in error && typeof error.syscall === 'string' ? error.syscall : ''
  return {
    state: errorCode(error),
    // Several addresses of one name that all fail are an error without a text of its own.
    text: error instanceof AggregateError ? String(error.errors[0]?.message ?? error.message) : error.message,
    syscall,
    place: placeOf(databaseUrl),
  }
}

/** What an operator knows a database by. A host may be missing before the path, where `?host=` names a directory of sockets. */
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
