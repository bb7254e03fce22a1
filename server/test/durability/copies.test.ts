// Proofs 13, 21 and 22, from outside: a copy that the product makes under load, restored elsewhere,
// and copies that operators make by hand, in any order.
import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { checkCopyFile } from '../../src/copies/copy-file-reader.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { assertFigures, createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { startLoad, type Load } from '../support/load.ts'
import { startService, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const scansPerSecond = isSoak ? 500 : 200
const loadMs = isSoak ? 60_000 : 1_500
const kills = isSoak ? 20 : 1
const shared = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' }
const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const run = promisify(execFile)

type Environment = Readonly<Record<string, string>>

const onSqlite = async (): Promise<Environment> => ({})
const onPostgres = async (): Promise<Environment> => ({
  DATABASE_URL: await (await testPostgres()).createDatabase(),
})

/**
 * The catalogue of the installation, and the one into which its copies are restored. Each database
 * can be restored into the other.
 */
const moves = isSoak
  ? [
      { name: 'SQLite', newDatabase: onSqlite, elsewhere: onSqlite },
      { name: 'PostgreSQL', newDatabase: onPostgres, elsewhere: onPostgres },
    ]
  : [{ name: 'PostgreSQL, restored into SQLite', newDatabase: onPostgres, elsewhere: onSqlite }]

for (const { name, newDatabase, elsewhere } of moves)
  describe(`a copy under ${scansPerSecond} scans/s (${name})`, () => {
    const random = seededRandom()
    const services: Service[] = []
    let folder: string
    let service: Service
    let env: Environment
    let of: Codes
    let load: Load
    let stopChanges: () => Promise<void>

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'everscan-copies-'))
      env = { ...shared, ...(await newDatabase()) }
      service = await started(env)
      of = await createCodes(service, 4)
      load = startLoad({
        port: service.port,
        codes: of.codes.map(({ shortCode }) => shortCode),
        scansPerSecond,
      })
      stopChanges = startChanges(of)
      await sleep(loadMs)
    })
    after(async () => {
      await load.stop()
      await stopChanges()
      for (const one of services) await one.remove()
      rmSync(folder, { recursive: true, force: true })
    })

    async function started(settings: Environment): Promise<Service> {
      const one = await startService(settings)
      services.push(one)
      return one
    }
    const path = (file: string): string => join(folder, file)
    const everscan = (
      environment: Environment,
      ...words: string[]
    ): Promise<{ stdout: string; stderr: string }> =>
      run(process.execPath, [main, ...words], {
        env: { ...process.env, ...environment },
        maxBuffer: 64 * 1024 ** 2,
      })
    const serviceEnv = (): Environment => ({ ...env, DATA_DIR: service.dataDir })
    const counts = (what: 'sent' | 'acknowledged'): Map<string, number> =>
      new Map([...load.scanned].map(([code, scanned]) => [code, scanned[what]]))

    test('killed while copying, it leaves no file or a complete one, and the next copy succeeds', async () => {
      for (let kill = 0; kill < kills; kill++) {
        const child = begin(serviceEnv(), 'backup', path('killed.copy'))
        await sleep(300 + random() * 1200)
        await killed(child)
        // The file already had its final name, so it must be complete.
        if (existsSync(path('killed.copy')))
          await checkCopyFile(path('killed.copy'), { signal: AbortSignal.timeout(30_000) })
        rmSync(path('killed.copy'), { force: true })
      }
    })

    test('restored elsewhere: every scan acknowledged before, exactly once; verified; a restore that was killed starts over', async (t) => {
      const acknowledged = counts('acknowledged')
      const made = await everscan(serviceEnv(), 'backup', path('one.copy'), '--json')
      const sent = counts('sent')
      const { scans, frames, codes } = JSON.parse(made.stdout)
      assert.equal(codes, of.codes.length)
      const verified = await everscan({}, 'verify', path('one.copy'), '--json')
      assert.deepEqual(JSON.parse(verified.stdout).differences, [])
      assert.equal(
        verified.stderr.replaceAll(/^\d.*\n/gm, ''),
        '',
        'it prints its progress, and nothing else',
      )
      const target = { ...shared, ...(await elsewhere()), DATA_DIR: path('restored') }
      // An earlier restore was killed while it wrote its marker.
      mkdirSync(target.DATA_DIR)
      writeFileSync(join(target.DATA_DIR, 'restoring.json.1'), '{')
      for (let kill = 0; kill < kills; kill++) {
        const child = begin(target, 'restore', path('one.copy'))
        // At once when there is something: nothing may be there that the next restore refuses.
        if (kill === 0)
          await until('the folder of the scan store', () =>
            ['scans', 'scan-files'].some((entry) => existsSync(join(target.DATA_DIR, entry))),
          )
        else await sleep(200 + random() * 2500)
        await killed(child)
        // Complete, or nothing that would start.
        if (child.exitCode === 0) break
      }
      if (
        !existsSync(join(target.DATA_DIR, 'installation.json')) ||
        existsSync(join(target.DATA_DIR, 'restoring.json'))
      )
        await everscan(target, 'restore', path('one.copy'))
      const leftovers = readdirSync(target.DATA_DIR).filter((file) => file.startsWith('restoring.json'))
      assert.deepEqual(leftovers, [])
      const restored = await started({ ...target, BOOTSTRAP_API_KEY: service.apiKey })
      const there: Codes = { ...of, client: restored.client() }
      const all = await settled(there, scans + frames)
      for (const { id, shortCode } of of.codes) {
        const restoredScans = await scansOf(there, id)
        assert.ok(
          (acknowledged.get(shortCode) ?? 0) <= restoredScans,
          `${shortCode}: ${restoredScans} of ${acknowledged.get(shortCode)} acknowledged`,
        )
        assert.ok(restoredScans <= (sent.get(shortCode) ?? 0))
        await assertFigures(there, id, restoredScans)
        assert.equal(await exported(there, id), restoredScans)
      }
      assert.equal(all, scans + frames)
      t.diagnostic(`${scans} rows and ${frames} frames: ${all} scans restored`)
    })

    test('everything is killed after the copy: with the remaining journals every acknowledged scan is there once', async (t) => {
      await everscan(serviceEnv(), 'backup', path('two.copy'))
      await sleep(loadMs)
      await service.kill()
      await load.stop()
      await stopChanges()
      const target = { ...shared, ...(await newDatabase()), DATA_DIR: path('again') }
      await everscan(target, 'restore', path('two.copy'), '--journal', join(service.dataDir, 'journal'))
      const restored = await started({ ...target, BOOTSTRAP_API_KEY: service.apiKey })
      const there: Codes = { ...of, client: restored.client() }
      const { sent, acknowledged } = load.total()
      const all = await settled(there, acknowledged)
      assert.ok(
        acknowledged <= all && all <= sent,
        `${acknowledged} acknowledged, ${all} counted, ${sent} sent`,
      )
      for (const { id, shortCode } of of.codes) {
        const { sent: ofSent, acknowledged: ofAcknowledged } = load.scanned.get(shortCode) ?? {
          sent: 0,
          acknowledged: 0,
        }
        const scans = await scansOf(there, id)
        assert.ok(
          ofAcknowledged <= scans && scans <= ofSent,
          `${shortCode}: ${ofAcknowledged} ≤ ${scans} ≤ ${ofSent}`,
        )
        await assertFigures(there, id, scans)
        assert.equal(await exported(there, id), scans)
      }
      t.diagnostic(`${acknowledged} acknowledged ≤ ${all} counted ≤ ${sent} sent`)
    })
  })

/**
 * Returns the last total that stays stable for a while after reaching its minimum, or the total
 * after three minutes: a loaded machine takes a while for scans that all arrive at once.
 */
async function settled(of: Codes, least: number): Promise<number> {
  await until(
    'the minimum is reached',
    async () => (await totalScans(of).catch(() => -1)) >= least,
    180_000,
  ).catch(() => undefined)
  let last = -1
  let since = 0
  await until(
    'the total is stable',
    async () => {
      const total = await totalScans(of).catch(() => -1)
      since = total === last ? since + 1 : 0
      last = total
      if (since < 4) await sleep(500)
      return since >= 4 && total >= 0
    },
    120_000,
  )
  return last
}

async function scansOf({ client, orgId }: Codes, id: string): Promise<number> {
  return (await client.qrCodes.analytics(orgId, id)).summary.totalScans
}

async function exported({ client, orgId }: Codes, id: string): Promise<number> {
  const { body } = await client.analytics.export(orgId, id)
  const chunks = await Readable.from(body).toArray()
  return Buffer.concat(chunks).toString().trimEnd().split('\n').length - 1
}

/** Changes destinations one after the other until it is stopped. */
function startChanges({ client, orgId, codes }: Codes): () => Promise<void> {
  const stopping = new AbortController()
  const change = async (): Promise<void> => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      const id = codes[turn % codes.length]?.id ?? ''
      const data = { url: `https://example.com/changed/${turn}` }
      // The service may be down.
      await client.qrCodes.update(orgId, id, { data }).catch(() => undefined)
      await sleep(50)
    }
  }
  const changing = change()
  return async () => {
    stopping.abort()
    await changing
  }
}

function begin(env: Environment, ...words: string[]): ChildProcess {
  return spawn(process.execPath, [main, ...words], { env: { ...process.env, ...env }, stdio: 'ignore' })
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
