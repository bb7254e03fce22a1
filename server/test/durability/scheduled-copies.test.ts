// Left to the soak: `copies/scheduled-copies` has the schedule, `durability/copies` the copies.
// Copies that the service makes by itself, with the real commands: made, verified, told, tried
// again, and ended with their worker.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { readCopies } from '../../src/catalogue/installation/copies.ts'
import { readMeta } from '../../src/copies/read-meta.ts'
import { silentLog, testPostgres } from '../../src/db/testing/databases.ts'
import { createCodes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { statusRefresh, startService, until, type Service } from '../support/service.ts'
import { sendSignal } from '../../src/processes/testing/signals.ts'

const passphrase = 'correct horse battery staple'
const isSoak = process.env['SOAK'] === '1'
/**
 * What differs by the catalogue is tested beside the code: the whole of it on both in the long run
 * only.
 */
const catalogues = [
  { name: 'SQLite', newDatabaseUrl: async (): Promise<string | undefined> => undefined },
  { name: 'PostgreSQL', newDatabaseUrl: async () => (await testPostgres()).createDatabase() },
]

for (const { name, newDatabaseUrl } of isSoak ? catalogues : catalogues.slice(0, 1))
  describe(`scheduled copies (${name})`, { concurrency: 1 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'everscan-scheduled-'))
    const backupDir = join(folder, 'backup')
    let service: Service
    let db: Database
    let orgId: string

    before(async () => {
      const passphraseFile = join(folder, 'passphrase')
      writeFileSync(passphraseFile, `${passphrase}\n`, { mode: 0o600 })
      const databaseUrl = await newDatabaseUrl()
      service = await startService({
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        BACKUP_DIR: backupDir,
        BACKUP_PASSPHRASE_FILE: passphraseFile,
        VISITOR_KEY: 'a key of visitors that is long enough',
      })
      db = await openDatabase({ databaseUrl, dataDir: service.dataDir, role: 'writer', log: silentLog })
      const of = await createCodes(service, 2)
      orgId = of.orgId
      for (let at = 0; at < 20; at++)
        await scanOnce({ port: service.port, code: of.codes[at % 2]?.shortCode ?? '' })
      await until('scans are counted', async () => (await service.metric('ingested_scans_total')) === 20)
    })
    after(async () => {
      await db.close()
      await service.remove()
      rmSync(folder, { recursive: true })
    })

    const last = async () => (await readCopies(db))[0]
    const part = async () => {
      await statusRefresh()
      return (await service.readiness()).parts['copies']
    }
    /** As if so much time had passed. */
    const shift = async (ms: number) => {
      await db.kysely
        .updateTable('copies')
        .set((row) => ({
          made_at_ms: row('made_at_ms', '-', ms),
          ended_at_ms: row('ended_at_ms', '-', ms),
        }))
        .execute()
    }

    test('a folder that is not there is told within seconds, and the first copy, due ten minutes after the installation, fails', async () => {
      await until('it is told', async () => (await part())?.ok === false)
      assert.match((await part())?.detail ?? '', /^BACKUP_DIR .* does not exist: mount or create it/)
      assert.equal(
        (await fetch(`${service.baseUrl}/readyz`)).status,
        200,
        'the machine stays in the balancer',
      )
      assert.equal((await service.readiness()).status, 'degraded')
      assert.deepEqual(await readCopies(db), [])
      await db.kysely
        .updateTable('installation')
        .set({ created_at_ms: Date.now() - 600_000 })
        .execute()
      await until('a copy has failed', async () => (await last())?.state === 'FAILED')
      assert.match((await last())?.problem ?? '', /^no copy could be made: BACKUP_DIR .* does not exist/)
    })

    test('a quarter of an hour later one is made, restored for a trial, and told', async () => {
      mkdirSync(backupDir)
      await until(
        'the failure is told until one is made',
        async () => (await part())?.detail?.startsWith('no copy could be made') === true,
      )
      await shift(900_000)
      await until('a copy is verified', async () => (await last())?.state === 'VERIFIED', 120_000)
      const copy = await last()
      assert.equal(copy?.counts?.scans, 20)
      assert.equal(copy.counts.codes, 2)
      assert.equal(copy.found, undefined)
      assert.deepEqual(readdirSync(backupDir), [copy.path.slice(backupDir.length + 1)])
      assert.equal(readFileSync(copy.path).length, copy.bytes)
      const { hasSecret, hasVisitorKey } = await readMeta(copy.path, passphrase)
      assert.deepEqual({ hasSecret, hasVisitorKey }, { hasSecret: true, hasVisitorKey: true })
      await until('all is well', async () => (await part())?.ok === true)
      assert.equal(await service.metric('copy_bytes'), copy.bytes)
      const { copies } = await service.client().organizations.installation(orgId)
      assert.equal(copies.isEncrypted, true)
      assert.equal(copies.lastVerified?.id, copy.id)
      assert.match(service.output(), /BACKUP_DIR .* does not exist.*no copies are made until then/)
    })

    test('a copy ends with the worker that began it, and leaves no file', async () => {
      const files = readdirSync(backupDir)
      await shift(86_400_000)
      const child = await found('the command runs', () => pidOf(backupDir))
      sendSignal(child, 'SIGSTOP')
      const [worker = 0] = service.pids('worker')
      sendSignal(worker, 'SIGKILL')
      sendSignal(child, 'SIGCONT')
      await until('the command has ended', async () => pidOf(backupDir) === undefined)
      assert.deepEqual(readdirSync(backupDir), files)
      await db.kysely.updateTable('copies').set({ lease_until_ms: 1 }).where('state', '=', 'MAKING').execute()
      await until('its worker is missed', async () => (await last())?.state === 'FAILED')
      assert.match(
        (await last())?.problem ?? '',
        /^the process that was at it on .* ended before it finished/,
      )
    })

    test('a stop of the service ends a copy in order and counts it as nothing', async () => {
      const rows = (await readCopies(db)).length
      const files = readdirSync(backupDir)
      await shift(900_000)
      await found('the command runs', () => pidOf(backupDir))
      assert.equal(await service.stop(), 0)
      assert.equal(pidOf(backupDir), undefined)
      assert.deepEqual(readdirSync(backupDir), files)
      assert.equal((await readCopies(db)).length, rows)
      assert.doesNotMatch(service.output(), /did not stop in time/)
    })
  })

/** The process that makes a copy in this folder. */
function pidOf(backupDir: string): number | undefined {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => commandLine(pid).includes(`backup\0--to\0${backupDir}\0`))
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function found<Thing>(what: string, find: () => Thing | undefined): Promise<Thing> {
  await until(what, async () => find() !== undefined, 30_000)
  const thing = find()
  assert.ok(thing !== undefined, what)
  return thing
}
