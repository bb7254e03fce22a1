// `node scripts/data-fixture.ts` creates server/testdata/data-VERSION.br and .json with the
// checked-out release: a small data directory as a kill leaves it, and the state that the release
// reports after it resumes. Also creates data-VERSION.copy: a copy of that state. Run it once for
// each release: see CONTRIBUTING.md.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { Client as PostgresClient } from 'pg'
import type { Client } from '@everscan/client/create-client.ts'
import { startTestEngine } from '../server/src/analytics/testing/engine.ts'
import { openClickHouse } from '../server/src/analytics/store/open-clickhouse.ts'
import { migrations } from '../server/src/db/migrations/migrate.ts'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import {
  fixturesDir,
  packDirectory,
  readState,
  scansIn,
  type Fixture,
} from '../server/test/support/data-fixtures.ts'
import { phones } from '../server/test/support/phones.ts'
import { startService, until, type Service } from '../server/test/support/service.ts'

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as {
  version: string
}
const main = join(import.meta.dirname, '..', 'server', 'src', 'main.mjs')
const root = mkdtempSync(join(tmpdir(), 'everscan-fixture-'))
const email = 'ada@example.com'
const password = 'correct horse battery'
const secret = 'f1'.repeat(32)
const dayMs = 24 * 3_600_000
const settings = {
  PUBLIC_URL: 'https://qr.example.com',
  TRUST_PROXY: '127.0.0.1',
  SECRET: secret,
  BOOTSTRAP_EMAIL: email,
  BOOTSTRAP_PASSWORD: password,
  BOOTSTRAP_API_KEY: 'fixture-of-organization-one-of-this-release',
}

const service = await startService({ ...settings, DATA_DIR: join(root, 'data') })
try {
  await createFixture(service)
} finally {
  await service.remove()
  rmSync(root, { recursive: true, force: true })
}

async function createFixture(running: Service): Promise<void> {
  const first = running.client()
  const [one] = await first.organizations.listMine()
  const other = await createOrganization(running, 'Second')
  const organizations = [{ id: one?.id ?? '', apiKey: running.apiKey }, other]
  const codes = await createCodes(first, organizations[0]?.id ?? '')
  const otherCodes = await createCodes(running.client({ apiKey: other.apiKey }), other.id)
  const scanned = [...codes.scanned, ...otherCodes.scanned]

  let sent = 0
  const scanAll = async (rounds: number): Promise<number> => {
    const before = sent
    for (let round = 0; round < rounds; round++)
      for (const [index, shortCode] of scanned.entries())
        // Scan the first codes more often, with some repeated visitors.
        if ((round + index) % (index + 1) === 0) sent += await scan(running.port, shortCode, round % 7)
    return sent - before
  }
  await scanAll(20)
  const counted = async () => (await readState(running.baseUrl, facts)).organizations
  const facts = {
    version,
    startDate: dayOf(Date.now() - dayMs),
    endDate: dayOf(Date.now() + dayMs),
    secret,
    organizations,
    shortCodes: [...scanned, ...codes.unscanned, ...otherCodes.unscanned],
  }
  await until(
    'all scans are ingested',
    async () => scansIn({ organizations: await counted(), answers: {} }) === sent,
  )

  running.signal(['worker'], 'SIGSTOP')
  const waitingScans = await scanAll(9)
  await running.kill()
  const copy = join(root, 'copy')
  cpSync(running.dataDir, copy, { recursive: true, verbatimSymlinks: true })
  await shrink(copy)

  await running.restart()
  let state = await readState(running.baseUrl, facts)
  const hasCaughtUp = async (): Promise<boolean> => {
    state = await readState(running.baseUrl, facts)
    return scansIn(state) === sent
  }
  await until('the waiting scans are ingested', hasCaughtUp, 30_000)
  assert.ok(waitingScans > 20 && sent > 2 * waitingScans, `${sent} scans, ${waitingScans} waiting`)

  mkdirSync(fixturesDir, { recursive: true })
  const name = join(fixturesDir, `data-${version}`)
  packDirectory(copy, `${name}.br`)
  writeFileSync(`${name}.sql.br`, brotliCompressSync(await postgresDump(join(copy, 'catalogue.sqlite'))))
  rmSync(`${name}.copy`, { force: true })
  execFileSync(process.execPath, [main, 'backup', `${name}.copy`], {
    env: { ...process.env, ...settings, DATA_DIR: running.dataDir },
    stdio: 'inherit',
  })
  const fixture: Fixture = { ...facts, totalScans: sent, waitingScans, state }
  writeFileSync(`${name}.json`, `${JSON.stringify(fixture, undefined, 2)}\n`)
  console.log(
    `${name}: ${sent} scans, ${waitingScans} of them waiting, ${readFileSync(`${name}.br`).length} bytes`,
  )
}

/** Scans a code. Returns 1 for a human visitor, 0 for a bot. */
async function scan(port: number, shortCode: string, visitor: number): Promise<number> {
  const isBot = visitor === 6
  const response = await fetch(`http://127.0.0.1:${port}/${shortCode}`, {
    redirect: 'manual',
    headers: {
      'user-agent': isBot ? 'Googlebot/2.1' : (phones[visitor % phones.length] ?? ''),
      'accept-language': visitor % 2 === 0 ? 'de-DE' : 'en-US',
      'x-forwarded-for': visitor % 3 === 0 ? `2001:db8::${visitor + 1}` : `8.8.${visitor}.8`,
    },
  })
  assert.ok(response.status === 302 || response.status === 200, `${shortCode}: ${response.status}`)
  await response.arrayBuffer()
  return isBot ? 0 : 1
}

async function createOrganization(running: Service, name: string): Promise<{ id: string; apiKey: string }> {
  const post = async (path: string, body: object, cookie = ''): Promise<Response> => {
    const headers = { origin: settings.PUBLIC_URL, 'content-type': 'application/json', cookie }
    const response = await fetch(`${running.baseUrl}/api/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`)
    return response
  }
  const signedIn = await post('/auth/sign-in', { email, password })
  const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split(';')
  const organization = (await (await post('/organizations', { name }, cookie)).json()) as { id: string }
  const created = await post(
    `/organizations/${organization.id}/api-keys`,
    { name: 'Fixture', role: 'ADMIN' },
    cookie,
  )
  const { key } = (await created.json()) as { key: string }
  return { id: organization.id, apiKey: key }
}

/**
 * Creates codes of several kinds, with folders, tags, styles and history, one of them archived and
 * one deleted. Returns their short codes.
 */
async function createCodes(
  client: Client,
  orgId: string,
): Promise<{ scanned: string[]; unscanned: string[] }> {
  const folder = await client.folders.create(orgId, { name: 'Posters' })
  const { qrCodes } = client
  const url = await qrCodes.create(orgId, {
    type: 'URL',
    name: 'Menu',
    data: { url: 'https://example.com/menu' },
    folderId: folder.id,
    tags: ['summer', 'print'],
  })
  const text = await qrCodes.create(orgId, { type: 'TEXT', name: 'Note', data: { text: 'Grüße ✓' } })
  const wifi = await qrCodes.create(orgId, {
    type: 'WIFI',
    name: 'Guests',
    data: { ssid: 'Guests', password: 'hello world', encryption: 'WPA' },
  })
  const styled = await qrCodes.create(orgId, {
    type: 'URL',
    name: 'Styled',
    data: { url: 'https://example.com/styled' },
    style: { foregroundColor: '#003366' },
    tags: ['print'],
  })
  const archived = await qrCodes.create(orgId, {
    type: 'URL',
    name: 'Old',
    data: { url: 'https://example.com/old' },
  })
  for (const step of [1, 2])
    await qrCodes.update(orgId, url.id, { data: { url: `https://example.com/menu/${step}` } })
  await qrCodes.update(orgId, archived.id, { status: 'ARCHIVED' })
  const deleted = await qrCodes.create(orgId, {
    type: 'URL',
    name: 'Deleted',
    data: { url: 'https://example.com/deleted' },
  })
  await qrCodes.delete(orgId, deleted.id)
  await client.webhooks.create(orgId, { url: 'https://receiver.invalid/hook', events: ['*'] })
  return {
    scanned: [url, text, wifi, styled].map(({ shortCode }) => shortCode),
    unscanned: [archived, deleted].map(({ shortCode }) => shortCode),
  }
}

/**
 * Removes files that the next start recreates or that are never read, because a fixture stays in
 * the repository forever.
 */
async function shrink(dataDir: string): Promise<void> {
  rmSync(join(dataDir, 'run'), { recursive: true, force: true })
  const engine = await startTestEngine()
  await engine.stop()
  rmSync(engine.dir, { recursive: true, force: true })
  cpSync(join(dataDir, 'scans'), engine.dir, { recursive: true, verbatimSymlinks: true })
  await engine.start()
  const store = openClickHouse({ socketPath: engine.socketPath })
  for (const table of ['scans', 'first_scans']) await store.command(`optimize table ${table} final`)
  const logs = await store.select<{ name: string }>(
    `select name from system.tables where database = 'system' and engine like '%MergeTree'`,
  )
  for (const { name } of logs) await store.command(`drop table system.${name} sync`)
  await store.close()
  await engine.stop()
  rmSync(join(dataDir, 'scans'), { recursive: true })
  cpSync(engine.dir, join(dataDir, 'scans'), { recursive: true, verbatimSymlinks: true })
  for (const path of globSync('scans/{preprocessed_configs,tmp,status,uuid}', { cwd: dataDir }))
    if (!path.endsWith('uuid')) rmSync(join(dataDir, path), { recursive: true })
  await engine.remove()
}

/** Returns the same catalogue as statements for PostgreSQL: this release's schema, and the rows. */
async function postgresDump(sqliteFile: string): Promise<string> {
  const types = {
    dialect: 'postgres',
    text: 'text collate "C"',
    integer: 'bigint',
    transactionVersion: 'xid8',
    strict: '',
  } as const
  const schema = [
    'create table migrations (name text collate "C" not null primary key, applied_at_ms bigint not null)',
    ...migrations.flatMap((migration) => migration.statements(types)),
  ].join(';\n')
  const postgres = await startPostgres()
  const client = new PostgresClient({ connectionString: postgres.url })
  await client.connect()
  await client.query(schema)
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(column_name, ', ') as columns
     from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
  )
  const sqlite = new Sqlite(sqliteFile, { readonly: true })
  const insertsOf = (table: { name: string; columns: string }): string[] =>
    sqlite
      .prepare<[], (string | number | null)[]>(`select ${table.columns} from ${table.name}`)
      .raw()
      .all()
      .map((row) => `insert into ${table.name} (${table.columns}) values (${row.map(literal).join(', ')})`)
  // Triggers on these tables count codes as they are inserted; the tables of counts have columns
  // that SQLite lacks.
  const counting = ['qr_codes', 'qr_code_tags']
  const isInBoth = ({ name, columns }: { name: string; columns: string }): boolean => {
    const known = sqlite.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(name)
    return columns.split(', ').every((column) => known.includes(column))
  }
  const plain = tables.filter((table) => !counting.includes(table.name) && isInBoth(table))
  const rows = [
    // Allow the rows to come in any order.
    'set session_replication_role = replica',
    ...plain.flatMap(insertsOf),
    'set session_replication_role = origin',
    ...counting.flatMap((name) => insertsOf(tables.find((table) => table.name === name) ?? assert.fail())),
  ].join(';\n')
  sqlite.close()
  await client.query(rows)
  await client.end()
  await postgres.remove()
  return `${schema};\n${rows}`
}

function literal(value: string | number | null): string {
  return value === null ? 'null' : `'${String(value).replaceAll("'", "''")}'`
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
