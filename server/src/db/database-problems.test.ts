import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { before, describe, test, type TestContext } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../settings/config.ts'
import { FatalError } from '../errors.ts'
import { databaseProblem, type DatabaseProblem } from './database-problems.ts'
import { prepareDatabase } from './migrations/migrate.ts'
import { serverRefusal } from './dialects/postgres-version.ts'
import { startTestPooler } from './testing/pooler.ts'
import type { TestPostgres } from './testing/postgres.ts'
import { makeSelfSigned } from './testing/self-signed.ts'
import { silentLog, testPostgres } from './testing/databases.ts'

const password = 'secret-word'

/** Returns the problem of a start with this address. */
async function problemOf(databaseUrl: string): Promise<DatabaseProblem> {
  readConfig({ DATABASE_URL: databaseUrl })
  const error = await prepareDatabase({ databaseUrl, dataDir: '', log: silentLog }).catch(
    (thrown: unknown) => thrown,
  )
  if (error instanceof FatalError) return { sentence: error.message, isTransient: false }
  const problem = databaseProblem(error, databaseUrl)
  assert.ok(problem !== undefined, String(error))
  assert.doesNotMatch(problem.sentence, new RegExp(password))
  assert.doesNotMatch(problem.sentence, /\n/)
  return problem
}

async function refuses(databaseUrl: string, sentence: RegExp): Promise<void> {
  const problem = await problemOf(databaseUrl)
  assert.match(problem.sentence, sentence)
  assert.match(problem.sentence, /^DATABASE_URL: /)
  assert.equal(problem.isTransient, false)
}

async function waitsFor(databaseUrl: string, sentence: RegExp): Promise<void> {
  const problem = await problemOf(databaseUrl)
  assert.match(problem.sentence, sentence)
  assert.match(problem.sentence, /^PostgreSQL at /)
  assert.equal(problem.isTransient, true)
}

describe('a start on PostgreSQL that cannot work', () => {
  let postgres: TestPostgres
  let asAdmin: (sql: string) => Promise<void>
  before(async () => {
    postgres = await testPostgres()
    asAdmin = async (sql) => {
      const client = new Client({ connectionString: postgres.url })
      await client.connect()
      await client.query(sql)
      await client.end()
    }
    await asAdmin(`create role guest login password '${password}'`)
    await asAdmin(`create role crowd login password '${password}' connection limit 0`)
  })
  const addressOf = (changes: { user?: string; password?: string; database?: string }): string => {
    const url = new URL(postgres.url)
    url.username = changes.user ?? url.username
    url.password = changes.password ?? password
    url.pathname = `/${changes.database ?? 'postgres'}`
    return url.href
  }

  test('a wrong password is refused', () =>
    refuses(
      addressOf({ user: 'guest', password: 'wrong' }),
      /127\.0\.0\.1:\d+ refused the user "guest" with this password/,
    ))

  test('a nonexistent user is refused', () =>
    refuses(addressOf({ user: 'nobody' }), /refused the user "nobody"/))

  test('a nonexistent database is refused, with the command that creates it', () =>
    refuses(
      addressOf({ user: 'guest', database: 'none' }),
      /has no database "none"; create it with: createdb none/,
    ))

  test('a user without the right to create tables is refused, with the command that grants it', async () => {
    const database = new URL(await postgres.createDatabase()).pathname.slice(1)
    await refuses(
      addressOf({ user: 'guest', database }),
      /"guest" lacks a permission .*alter database "t\w+" owner to "guest"/,
    )
  })

  test('a database that cannot hold every script is refused', async () => {
    await asAdmin(`create database narrow encoding 'SQL_ASCII' template template0 locale 'C'`)
    await refuses(
      postgres.url.replace(/postgres$/, 'narrow'),
      /encoding UTF8, and has SQL_ASCII; create one with: createdb --encoding=UTF8/,
    )
  })

  test('a server before version 14 is refused', () => {
    const server = { number: '130022', version: '13.22 (Debian 13.22-1)', encoding: 'UTF8' }
    assert.match(serverRefusal(server) ?? '', /must be 14 or later, and this server is 13\.22/)
    assert.equal(serverRefusal({ ...server, number: '140000' }), undefined)
  })

  test('an untrusted certificate is refused, with the settings that trust it or skip the check', async (t) => {
    const port = await startTls(t)
    await refuses(
      `postgres://guest:${password}@localhost:${port}/x?sslmode=require`,
      /not trusted \(self-signed certificate\); add sslrootcert=.*or sslmode=no-verify/,
    )
  })

  test('required encryption that the server does not offer is refused', () =>
    refuses(`${addressOf({})}?sslmode=require`, /offers no encryption; remove sslmode/))

  test('a missing certificate file is refused', () =>
    refuses(`${addressOf({})}?sslrootcert=/none/ca.crt`, /\/none\/ca\.crt.*correct sslrootcert/))

  test('a parameter of the address that a pooler refuses is named', async (t) => {
    const pooler = await startTestPooler(postgres.url)
    t.after(() => pooler.close())
    await refuses(
      `${pooler.through(addressOf({}))}?options=-c%20search_path%3Dpublic`,
      /startup parameter: options.*ignore_startup_parameters/,
    )
  })

  test('waits for a server that refuses connections', () =>
    waitsFor(`postgres://guest:${password}@127.0.0.1:1/x`, /at 127\.0\.0\.1:1: .*ECONNREFUSED/))

  test('waits for a host name without an address', () =>
    waitsFor(
      `postgres://guest:${password}@db.invalid/x`,
      /at db\.invalid:5432: the host name has no address yet/,
    ))

  test('waits for a missing socket', () =>
    waitsFor(
      `postgres:///x?host=/none/at/all&user=guest&password=${password}`,
      /at \/none\/at\/all: its socket does not exist yet/,
    ))

  test('waits for a server without free connections', () =>
    waitsFor(addressOf({ user: 'crowd' }), /all its connections are taken .*max_connections/))

  test('waits for a standby to become the primary', async () => {
    const standby = await postgres.createDatabase()
    const name = new URL(standby).pathname.slice(1)
    await asAdmin(`alter database ${name} set default_transaction_read_only = on`)
    await waitsFor(standby, /the server is a standby/)
  })

  test('a socket works instead of a host, in both notations', async () => {
    const { port, username, password: word } = new URL(postgres.url)
    const { socketDirectory } = postgres
    for (const url of [
      `postgres:///postgres?host=${socketDirectory}&port=${port}&user=${username}&password=${word}`,
      `postgres://${username}:${word}@/postgres?host=${socketDirectory}&port=${port}`,
    ]) {
      const { databaseUrl } = readConfig({ DATABASE_URL: url })
      const db = await prepareDatabase({ databaseUrl, dataDir: '', log: silentLog })
      await db.close()
    }
  })
})

/** Starts a server that accepts encryption, with a self-signed certificate. */
async function startTls(t: TestContext): Promise<number> {
  const secureContext = createSecureContext(makeSelfSigned())
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S')
      const tls = new TLSSocket(socket, { isServer: true, secureContext })
      tls.on('error', () => socket.destroy())
    })
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  t.after(() => server.close())
  return (server.address() as AddressInfo).port
}
