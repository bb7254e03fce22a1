import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'
import { sqliteFile } from '../../src/db/dialects/sqlite.ts'
import { advisoryLock } from '../../src/db/migrations/migrate-postgres.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { readFixture, unpackDirectory } from '../support/data-fixtures.ts'
import { scanOnce } from '../support/load.ts'
import { loadPostgres } from '../support/postgres-fixtures.ts'
import { startService, until, type Service } from '../support/service.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-catalogue-upgrade-'))
after(() => rmSync(root, { recursive: true, force: true }))
const fixture = readFixture('data-0.1.0')

/** A catalogue of the first release whose migrations wait until it is released. */
type Held = { env: Record<string, string>; release: () => Promise<void> }

function unpack(name: string): string {
  const dataDir = join(root, name)
  unpackDirectory('data-0.1.0', dataDir)
  return dataDir
}

async function holdSqlite(name: string): Promise<Held> {
  const dataDir = unpack(name)
  const holder = new Sqlite(sqliteFile(dataDir))
  holder.pragma('journal_mode = wal')
  holder.exec('begin immediate')
  return { env: { DATA_DIR: dataDir }, release: async () => void holder.close() }
}

async function holdPostgres(name: string): Promise<Held> {
  const dataDir = unpack(name)
  rmSync(sqliteFile(dataDir))
  const databaseUrl = await loadPostgres('data-0.1.0')
  const holder = new Client({ connectionString: databaseUrl })
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [advisoryLock])
  return { env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl }, release: () => holder.end() }
}

const start = (held: Held, more: Record<string, string> = {}): Promise<Service> =>
  startService(
    { ...held.env, SECRET: fixture.secret, PUBLIC_URL: 'https://qr.example.com', ...more },
    { wait: false },
  )

const untilTold = (service: Service, detail: RegExp) =>
  until(
    'the port says how far it is',
    async () => {
      const { parts } = await service.readiness().catch(() => ({ parts: undefined }))
      return detail.test(parts?.['catalogueUpgrade']?.detail ?? '')
    },
    60_000,
  )

const catalogues = [
  ['SQLite', holdSqlite, /^is being upgraded: 0 of \d+ migrations done, now 0017-installation$/],
  ['PostgreSQL', holdPostgres, /^is being upgraded by another process$/],
] as const
for (const [catalogue, hold, detail] of hasVariants ? catalogues : catalogues.slice(0, 1))
  describe(`while the catalogue on ${catalogue} is upgraded`, () => {
    test('the port answers all the while, and codes redirect right after it', async (t) => {
      const held = await hold(`${catalogue}-answers`)
      const service = await start(held, { FRONT_PROCESSES: catalogue === 'SQLite' ? '1' : '2' })
      t.after(() => service.remove())
      await untilTold(service, detail)

      const ask = (path: string, init?: RequestInit) => fetch(`${service.baseUrl}${path}`, init)
      assert.deepEqual(await (await ask('/healthz')).json(), { status: 'ok' })
      const ready = await ask('/readyz')
      assert.deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [503, 'starting'])
      const proxied = await ask('/readyz', { headers: { 'X-Forwarded-For': '192.0.2.1' } })
      assert.deepEqual(await proxied.json(), { status: 'starting' })
      assert.match(await (await ask('/metrics')).text(), /part_up\{part="catalogueUpgrade"\} 0/)
      const [code, [expected]] = Object.entries(fixture.state.answers)[0] ?? assert.fail()
      for (const [path, init] of [
        [`/${code}`, {}],
        ['/', {}],
        ['/api/v1/organizations', { headers: { 'X-API-Key': service.apiKey } }],
        ['/api/v1/organizations', { method: 'POST', body: 'x'.repeat(100_000) }],
        ['/readyz', { method: 'POST' }],
      ] as const) {
        const answer = await ask(path, init)
        const { code: error } = (await answer.json()) as { code: string }
        assert.deepEqual(
          [answer.status, error, answer.headers.get('retry-after')],
          [503, 'UNAVAILABLE', '5'],
          path,
        )
      }

      const [front] = service.pids('front')
      service.signal(['front'], 'SIGKILL')
      await until('another front', () => service.pids('front').some((pid) => pid !== front))
      await untilTold(service, detail)

      const other = new Set<unknown>()
      const stopping = new AbortController()
      const probes = (async () => {
        while (!stopping.signal.aborted) {
          const status = await scanOnce({ port: service.port, code }).catch((error: unknown) => String(error))
          if (status !== 503 && status !== expected) other.add(status)
        }
      })()
      t.after(() => stopping.abort())
      await held.release()
      await service.waitUntilReady()
      stopping.abort()
      await probes
      assert.deepEqual([...other], [])
      for (const [each, [status]] of Object.entries(fixture.state.answers))
        assert.equal(await scanOnce({ port: service.port, code: each }), status, each)
      assert.equal((await service.readiness()).parts['catalogueUpgrade'], undefined)
    })

    test('a stop ends it, and the next start goes on', async (t) => {
      const held = await hold(`${catalogue}-stopped`)
      const service = await start(held)
      t.after(() => service.remove())
      await untilTold(service, detail)
      assert.equal(await service.stop(), 0)
      assert.doesNotMatch(service.output(), /restarting it/)
      service.launch()
      await untilTold(service, detail)
      await service.kill()
      await held.release()
      service.launch()
      await service.waitUntilReady()
      const [code, [expected]] = Object.entries(fixture.state.answers)[0] ?? assert.fail()
      assert.equal(await scanOnce({ port: service.port, code }), expected)
    })
  })
