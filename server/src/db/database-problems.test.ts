import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { before, describe, test, type TestContext } from 'node:test'
import { Client } from 'pg'
import { readConfig } from '../config.ts'
import { FatalError } from '../errors.ts'
import { databaseProblem, type DatabaseProblem } from './database-problems.ts'
import { prepareDatabase } from './migrations/migrate.ts'
import { serverRefusal } from './dialects/postgres-version.ts'
import { startTestPooler } from './testing/pooler.ts'
import type { TestPostgres } from './testing/postgres.ts'
import { makeSelfSigned } from './testing/self-signed.ts'
import { silentLog, testPostgres } from './testing/databases.ts'

const password = 'secret-word'

/** What a start with this address comes to. */
async function problemOf(databaseUrl: string): Promise<DatabaseProblem> {
  readConfig({ DATABASE_URL: databaseUrl })
  const error = await prepareDatabase({ databaseUrl, dataDir: '', log: silentLog }).catch(
    (thrown: unknown) => thrown,
  )
  if (error instanceof FatalError) return { sentence: error.message, passes: false }
  const problem = databaseProblem(error, databaseUrl)
  assert.ok(problem !== undefined, String(error))
  assert.doesNotMatch(problem.sentence, new RegExp(password))
  assert.doesNotMatch(problem.sentence, /\n/)
  return problem
}

async function refused(databaseUrl: string, sentence: RegExp): Promise<void> {
  const problem = await problemOf(databaseUrl)
  assert.match(problem.sentence, sentence)
  assert.match(problem.sentence, /^DATABASE_URL: /)
  assert.equal(problem.passes, false)
}

async function waitedFor(databaseUrl: string, sentence: RegExp): Promise<void> {
  const problem = await problemOf(databaseUrl)
  assert.match(problem.sentence, sentence)
  assert.match(problem.sentence, /^waiting for PostgreSQL at /)
  assert.equal(problem.passes, true)
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
    refused(
      addressOf({ user: 'guest', password: 'wrong' }),
      /127\.0\.0\.1:\d+ refused the user "guest" with this password/,
    ))

  test('a user that does not exist is refused', () =>
    refused(addressOf({ user: 'nobody' }), /refused the user "nobody"/))

  test('a database that does not exist is refused, with the command that makes it', () =>
    refused(
      addressOf({ user: 'guest', database: 'none' }),
      /has no database "none"; make it with: createdb none/,
    ))

  test('a user who may not make tables is refused, with the command that lets him', async () => {
    const database = new URL(await postgres.createDatabase()).pathname.slice(1)
    await refused(
      addressOf({ user: 'guest', database }),
      /"guest" lacks a right .*alter database "t\w+" owner to "guest"/,
    )
  })

  test('a database that cannot hold every script is refused', async () => {
    await asAdmin(`create database narrow encoding 'SQL_ASCII' template template0 locale 'C'`)
    await refused(
      postgres.url.replace(/postgres$/, 'narrow'),
      /encoding UTF8, and has SQL_ASCII; make one with: createdb --encoding=UTF8/,
    )
  })

  test('a server before version 14 is refused', () => {
    const server = { number: '130022', version: '13.22 (Debian 13.22-1)', encoding: 'UTF8' }
    assert.match(serverRefusal(server) ?? '', /must be 14 or later, and this server is 13\.22/)
    assert.equal(serverRefusal({ ...server, number: '140000' }), undefined)
  })

  test('a certificate that nobody vouches for is refused, with the settings that trust it or do not ask', async (t) => {
    const port = await startTls(t)
    await refused(
      `postgres://guest:${password}@localhost:${port}/x?sslmode=require`,
      /not trusted \(self-signed certificate\); add sslrootcert=.*or sslmode=no-verify/,
    )
  })

  test('encryption that the server does not offer is refused', () =>
    refused(`${addressOf({})}?sslmode=require`, /offers no encryption; leave sslmode out/))

  test('a file of certificates that is not there is refused', () =>
    refused(`${addressOf({})}?sslrootcert=/none/ca.crt`, /\/none\/ca\.crt.*correct sslrootcert/))

  test('what the address asks for and a pooler refuses is named', async (t) => {
    const pooler = await startTestPooler(postgres.url)
    t.after(() => pooler.close())
    await refused(
      `${pooler.through(addressOf({}))}?options=-c%20search_path%3Dpublic`,
      /startup parameter: options.*ignore_startup_parameters/,
    )
  })

  test('a server that refuses connections is waited for', () =>
    waitedFor(`postgres://guest:${password}@127.0.0.1:1/x`, /at 127\.0\.0\.1:1: .*ECONNREFUSED/))

  test('a name without an address is waited for', () =>
    waitedFor(
      `postgres://guest:${password}@db.invalid/x`,
      /at db\.invalid:5432: its name has no address yet/,
    ))

  test('a socket that is not there is waited for', () =>
    waitedFor(
      `postgres:///x?host=/none/at/all&user=guest&password=${password}`,
      /at \/none\/at\/all: its socket is not there yet/,
    ))

  test('a server whose connections are all taken is waited for', () =>
    waitedFor(addressOf({ user: 'crowd' }), /all its connections are taken .*max_connections/))

  test('a standby is waited for', async () => {
    const standby = await postgres.createDatabase()
    const name = new URL(standby).pathname.slice(1)
    await asAdmin(`alter database ${name} set default_transaction_read_only = on`)
    await waitedFor(standby, /it is a standby that nothing can be written to/)
  })

  test('a socket instead of a host works, in both ways to write it', async () => {
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

/** A server that agrees to encrypt, with a certificate of its own making. */
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
