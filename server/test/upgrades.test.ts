import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { seededRandom, testPostgres } from '../src/db/testing.ts'
import {
  fixtureNames,
  fixturesDir,
  readFixture,
  readState,
  scansIn,
  unpackDirectory,
  type DataState,
} from './data-fixtures.ts'
import { startService, until, type Service } from './service.ts'

const kills = process.env['SOAK'] === '1' ? 20 : 1

const random = seededRandom()
const root = mkdtempSync(join(tmpdir(), 'everscan-upgrades-'))
after(() => rmSync(root, { recursive: true, force: true }))

async function loadPostgres(name: string): Promise<string> {
  const databaseUrl = await (await testPostgres()).createDatabase()
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(brotliDecompressSync(readFileSync(join(fixturesDir, `${name}.sql.br`))).toString())
  await client.end()
  return databaseUrl
}

const catalogues = [
  { catalogue: 'SQLite', env: async () => ({}) },
  {
    catalogue: 'PostgreSQL',
    env: async (name: string) => ({ DATABASE_URL: await loadPostgres(name) }),
  },
]

for (const name of fixtureNames())
  for (const { catalogue, env } of catalogues)
    describe(`a data directory of ${name}, with the catalogue on ${catalogue}`, () => {
      const fixture = readFixture(name)

      /** Figures and records are to the scan what that release said; a later one may say more. */
      const assertAllThere = async (t: TestContext, service: Service): Promise<void> => {
        let state: DataState | undefined
        const isThere = async () => {
          state = await readState(service.baseUrl, fixture)
          return scansIn(state) >= fixture.totalScans
        }
        const tookMs = await until('what waited is ingested', isThere, 60_000)
        t.diagnostic(
          `${fixture.totalScans} scans, ${fixture.waitingScans} of them waited, all there after ${Math.round(tookMs)} ms`,
        )
        assert.partialDeepStrictEqual(state, fixture.state)
      }
      const settings = async (attempt: string): Promise<Record<string, string>> => {
        const dataDir = join(root, `${name}-${catalogue}-${attempt}`)
        unpackDirectory(name, dataDir)
        if (catalogue !== 'SQLite') rmSync(join(dataDir, 'catalogue.sqlite'))
        return {
          ...(await env(name)),
          DATA_DIR: dataDir,
          SECRET: fixture.secret,
          PUBLIC_URL: 'https://qr.example.com',
        }
      }

      test('is opened with everything that was in it, and goes on with what waited', async (t) => {
        const service = await startService(await settings('calm'))
        t.after(() => service.remove())
        await assertAllThere(t, service)
        await service.restart()
        await assertAllThere(t, service)
      })

      for (let kill = 0; kill < kills; kill++)
        test(`is the same when its first start is killed (${kill})`, async (t) => {
          const service = await startService(await settings(`killed-${kill}`), { wait: false })
          t.after(() => service.remove())
          const afterMs = Math.round(random() * 3_000)
          t.diagnostic(`killed after ${afterMs} ms`)
          await sleep(afterMs)
          await service.kill()
          await service.restart()
          await assertAllThere(t, service)
        })
    })

test('there are fixtures', () => assert.ok(fixtureNames().length > 0))
