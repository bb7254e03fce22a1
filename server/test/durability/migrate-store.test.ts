// Left to the soak: `copies/moved-scans` moves rows again and again, whatever fails.
// From one machine's files to servers: `./everscan migrate-store`, killed on its way, under load.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { assertCounted, createCodes, type Codes } from '../support/accounts.ts'
import { startLoad, type Load } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { startService, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const kills = isSoak ? 10 : 1
const loadMs = isSoak ? 60_000 : 1_000
const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const run = promisify(execFile)
const shared = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' }

type Environment = Readonly<Record<string, string>>

describe('migrate-store', { concurrency: 1 }, () => {
  const random = seededRandom()
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-move-'))
  let service: Service
  let of: Codes
  let load: Load
  let servers: Environment
  let clickhouse: Awaited<ReturnType<typeof startStoreServer>>

  before(async () => {
    clickhouse = await startStoreServer({ schema: 'none' })
    servers = {
      DATABASE_URL: await (await testPostgres()).createDatabase(),
      CLICKHOUSE_URL: clickhouse.url,
    }
    service = await startService({ ...shared, DATA_DIR: dataDir })
    of = await createCodes(service, 4)
    load = newLoad()
  })
  after(async () => {
    await load.stop()
    await service.remove()
    await clickhouse.stop()
  })

  const newLoad = () =>
    startLoad({
      port: service.port,
      codes: of.codes.map(({ shortCode }) => shortCode),
      scansPerSecond: 200,
    })
  const everscan = (environment: Environment, ...words: string[]) =>
    run(process.execPath, [main, ...words, '--json'], {
      env: { ...process.env, DATA_DIR: dataDir, ...environment },
    }).then(
      ({ stdout }) => ({ code: 0, json: JSON.parse(stdout) }),
      ({ code, stdout }) => ({ code: Number(code), json: JSON.parse(String(stdout)) }),
    )
  async function killedAtRandom(...words: string[]): Promise<void> {
    const child = spawn(process.execPath, [main, 'migrate-store', ...words], {
      env: { ...process.env, DATA_DIR: dataDir, ...servers },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    await sleep(300 + random() * 2_500)
    child.kill('SIGKILL')
    await exited
  }
  /** Starts the service with other settings and the same data. */
  async function startAgain(environment: Environment): Promise<void> {
    service = await startService({
      ...shared,
      ...environment,
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: service.apiKey,
    })
    of = { ...of, client: service.client() }
  }

  test('without both addresses, beside a service, or into a used database: refused with the remedy', async () => {
    const withoutStore = await everscan({ DATABASE_URL: servers['DATABASE_URL'] ?? '' }, 'migrate-store')
    assert.equal(withoutStore.code, 2)
    assert.match(withoutStore.json.error.message, /set CLICKHOUSE_URL to the new database/)
    const beside = await everscan(servers, 'migrate-store')
    assert.equal(beside.code, 1)
    assert.match(beside.json.error.message, /needs the service to be stopped; with --live/)
    const used = await (await testPostgres()).createDatabase()
    const { Client } = await import('pg')
    const client = new Client({ connectionString: used })
    await client.connect()
    await client.query('create table orders (id int)')
    await client.end()
    const refused = await everscan({ ...servers, DATABASE_URL: used }, 'migrate-store', '--live')
    assert.match(refused.json.error.message, /holds tables of another program \(orders\)/)
    const back = await everscan(servers, 'migrate-store', '--back', '--yes')
    assert.match(back.json.error.message, /stopped/)
  })

  test('scans are copied under load, whenever the command is killed', async () => {
    await sleep(loadMs)
    for (let kill = 0; kill < kills; kill++) await killedAtRandom('--live')
    const { code, json } = await everscan(servers, 'migrate-store', '--live')
    assert.deepEqual([code, json.done], [0, false])
    assert.ok(json.scans > 0)
  })

  test('after everything was killed, the installation moves completely, also in several attempts', async (t) => {
    await service.kill()
    await load.stop()
    for (let kill = 0; kill < kills; kill++) await killedAtRandom()
    const { code, json } = await everscan(servers, 'migrate-store')
    // A killed attempt may have lacked only its last lines.
    if (code !== 0) assert.match(json.error.message, /already in the database/)
    else assert.equal(json.done, true)
    const again = await everscan(servers, 'migrate-store')
    assert.match(again.json.error.message, /already in the database/)

    const refused = await startService(
      { ...shared, DATA_DIR: dataDir, BOOTSTRAP_API_KEY: service.apiKey },
      { wait: false },
    )
    assert.equal(await refused.ended(), 1)
    assert.match(refused.output(), /was moved to the database .*set DATABASE_URL and CLICKHOUSE_URL/)
    const command = await everscan({}, 'users', 'list')
    assert.match(command.json.error.message, /was moved to the database/)

    await startAgain(servers)
    const { sent, acknowledged } = load.total()
    const counted = await assertCounted(service, of)
    assert.ok(acknowledged <= counted && counted <= sent, `${acknowledged} ≤ ${counted} ≤ ${sent}`)
    t.diagnostic(`${acknowledged} acknowledged ≤ ${counted} counted ≤ ${sent} sent`)
  })

  test('scans since the move are not lost on the way back', async () => {
    load = newLoad()
    await sleep(loadMs)
    await load.stop()
    await service.stop()
    const { json } = await everscan({}, 'migrate-store', '--back', '--yes')
    assert.deepEqual(json, { changed: true })
    await startAgain({})
    await assertCounted(service, of)
  })
})
