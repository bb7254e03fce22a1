// Left to the soak: `copies/lacking-copies` tells what each copy lacks, without a service.
// A copy that lacks scans is told everywhere, and never replaces a complete one: made by hand, by
// the schedule, verified and restored.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { readCopies } from '../../src/catalogue/installation/copies.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { inherited, startService, statusRefresh, until, type Service } from '../support/service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const scans = 300
const dayMs = 86_400_000
const shared = { RATE_LIMIT_PER_MINUTE: '0', WEBHOOK_ALLOW_PRIVATE: 'true' }

describe('a scan store that lost scans', { concurrency: 1 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'everscan-lacking-'))
  const byHand = join(folder, 'by-hand')
  const backupDir = join(folder, 'scheduled')
  for (const dir of [byHand, backupDir]) mkdirSync(dir)
  let service: Service
  let restoredService: Service | undefined
  let db: Database
  let store: ClickHouse
  let server: Awaited<ReturnType<typeof startStoreServer>>
  let of: Codes

  before(async () => {
    server = await startStoreServer()
    store = server.store
    service = await startService({ BACKUP_DIR: backupDir, CLICKHOUSE_URL: server.url, ...shared })
    const { dataDir } = service
    db = await openDatabase({ databaseUrl: undefined, dataDir, role: 'writer', log: silentLog })
    of = await createCodes(service, 2)
    for (let at = 0; at < scans; at++)
      await scanOnce({ port: service.port, code: of.codes[at % 2]?.shortCode ?? '' })
    await until('scans are counted', async () => (await service.metric('ingested_scans_total')) === scans)
  })
  after(async () => {
    await db.close()
    await restoredService?.remove()
    await service.remove()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const everscan = (dataDir: string, ...words: string[]): Promise<Ran> =>
    new Promise((resolve) => {
      // Copies of the server are restored into files.
      const url: Record<string, string> = dataDir === service.dataDir ? { CLICKHOUSE_URL: server.url } : {}
      const env = { ...inherited(), ...url, DATA_DIR: dataDir, BACKUP_DIR: backupDir }
      execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      )
    })
  const here = (...words: string[]) => everscan(service.dataDir, ...words)
  const last = async () => (await readCopies(db))[0]
  const part = async (name: string, on = service) => {
    await statusRefresh()
    return (await on.readiness()).parts[name]
  }

  test('complete copies are made before, by hand and by the schedule', async () => {
    assert.equal((await here('backup', '--to', byHand, '--keep', '1')).code, 0)
    await db.kysely
      .updateTable('installation')
      .set({ created_at_ms: Date.now() - 600_000 })
      .execute()
    await until('a copy is verified', async () => (await last())?.state === 'VERIFIED', 120_000)
    assert.equal((await part('copies'))?.ok, true)
  })

  test('a copy by hand exits with 1, says what it lacks, and leaves the complete one, also with --partial', async () => {
    const [complete = ''] = readdirSync(byHand)
    await store.command('truncate table scans')
    const made = await here('backup', '--to', byHand, '--keep', '1')
    assert.equal(made.code, 1)
    assert.match(made.stdout, /The copy lacks 300 hits of \d{4}-\d\d-\d\d of the writer [0-9a-f]{32}\./)
    assert.match(made.stdout, /Notice: the copy has 300 hits fewer than everscan-/)
    assert.equal(readdirSync(byHand).length, 2)
    assert.equal((await here('backup', '--to', byHand, '--keep', '1', '--partial')).code, 0)
    const left = readdirSync(byHand)
    assert.equal(left.length, 2, 'the newest partial copy replaces the other one')
    assert.ok(left.includes(complete))
  })

  test('a scheduled copy is told within seconds as an event and in /readyz, and leaves the complete one', async () => {
    const [complete = ''] = readdirSync(backupDir)
    // Nothing listens there: events are recorded only where a webhook takes them.
    await of.client.webhooks.create(of.orgId, { url: 'http://127.0.0.1:9/', events: ['copy.failed'] })
    await db.kysely
      .updateTable('copies')
      .set((row) => ({
        made_at_ms: row('made_at_ms', '-', dayMs),
        ended_at_ms: row('ended_at_ms', '-', dayMs),
      }))
      .execute()
    await until('a partial copy is made', async () => (await last())?.state === 'PARTIAL', 60_000)
    const toldMs = await until('it is told', async () => (await part('copies'))?.ok === false)
    assert.ok(toldMs < 10_000)
    assert.match((await part('copies'))?.detail ?? '', /^the last copy lacks 300 hits of .* of the writer /)
    assert.equal((await service.readiness()).status, 'degraded')
    assert.equal(await service.metric('copy_partial'), 1)
    const pages = await db.kysely.selectFrom('event_pages').select('events').execute()
    assert.match(JSON.stringify(pages), /copy\.failed/)
    const { copies } = await of.client.organizations.installation(of.orgId)
    assert.match(copies.problem ?? '', /lacks 300 hits/)
    assert.equal(copies.recent[0]?.state, 'PARTIAL')
    assert.ok(readdirSync(backupDir).includes(complete))
    const doctor = await here('doctor')
    assert.match(doctor.stdout, /the last copy lacks 300 hits/)
  })

  test('its verification and the installation restored from it name it until the operator accepts it', async () => {
    const path = join(byHand, readdirSync(byHand).toSorted().at(-1) ?? '')
    const verified = await here('verify', path)
    assert.equal(verified.code, 1)
    assert.match(verified.stdout, /^Not verified, .*\nIt lacks 300 hits of .* of the writer /)
    const target = join(folder, 'restored')
    const restored = await everscan(target, 'restore', path)
    assert.equal(restored.code, 0)
    assert.match(restored.stdout, /The copy lacks 300 hits of /)
    const there = await startService({ DATA_DIR: target, BOOTSTRAP_API_KEY: service.apiKey })
    restoredService = there
    await until('it is told', async () => (await part('lostScans', there))?.ok === false)
    assert.match((await part('lostScans', there))?.detail ?? '', /^300 hits of .*adopt losses/)
    assert.equal(await there.metric('lost_hits'), scans)
    const client = there.client()
    assert.equal((await client.organizations.installation(of.orgId)).lostScans?.hits, scans)
    assert.match((await everscan(target, 'doctor')).stdout, /the catalogue had counted 300 hits of /)
    const again = join(folder, 'again.copy')
    assert.equal((await everscan(target, 'backup', again)).code, 1, 'its copies lack them, too')
    assert.equal((await everscan(target, 'adopt', 'losses')).code, 0)
    await until('it is accepted', async () => (await part('lostScans', there))?.ok === true)
    assert.equal((await client.organizations.installation(of.orgId)).lostScans, null)
    assert.equal((await everscan(target, 'backup', join(folder, 'accepted.copy'))).code, 0)
  })

  test('without its scan store, a copy is refused in a sentence that says what to do', async () => {
    await service.stop()
    await store.command('drop table scans sync')
    const made = await here('backup', '--to', byHand, '--keep', '1')
    assert.equal(made.code, 1)
    assert.match(
      made.stderr,
      /^everscan: the ClickHouse database of CLICKHOUSE_URL is empty, but the catalogue knows of scans in it: correct CLICKHOUSE_URL.* No copy was made\.\n$/,
    )
    assert.equal(readdirSync(byHand).length, 2)
  })
})

type Ran = { code: number; stdout: string; stderr: string }
