// From the embedded scan store to files of the same data directory: `./everscan upgrade-store`,
// killed on its way.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { assertFigures, createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { inherited, startService, until, type Service } from '../support/service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const run = promisify(execFile)
const shared = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' }

describe('upgrade-store', { concurrency: 1 }, () => {
  let service: Service
  let of: Codes
  let scans = 0
  const started: Service[] = []
  const key = () => ({ DATA_DIR: service.dataDir, BOOTSTRAP_API_KEY: service.apiKey })
  const env = () => ({ ...inherited(), DATA_DIR: service.dataDir })
  const upgrade = async (): Promise<unknown> =>
    JSON.parse((await run(process.execPath, [main, 'upgrade-store', '--json'], { env: env() })).stdout)

  before(async () => {
    service = await startService({ ...shared, SCAN_STORE: 'chdb' })
    of = await createCodes(service, 1)
    await scan(service, 20)
  })
  after(async () => {
    for (const one of started) await one.stop()
    await service.remove()
  })

  async function scan(on: Service, count: number): Promise<void> {
    for (let index = 0; index < count; index++)
      assert.equal(await scanOnce({ port: on.port, code: of.codes[0]?.shortCode ?? '' }), 302)
    scans += count
    await counted(on)
  }

  async function counted(on: Service): Promise<void> {
    const there = { ...of, client: on.client() }
    await until('scans are counted', async () => (await totalScans(there)) === scans)
    await assertFigures(there, of.codes[0]?.id ?? '', scans)
  }

  test('is refused while the service runs, and beside files that it did not make', async () => {
    await assert.rejects(upgrade(), /in use by another/)
    await service.stop()
    mkdirSync(join(service.dataDir, 'scan-files'))
    await assert.rejects(upgrade(), /move it away/)
    rmSync(join(service.dataDir, 'scan-files'), { recursive: true })
  })

  test('that was killed leaves the embedded store as it was', async () => {
    const child = spawn(process.execPath, [main, 'upgrade-store'], { env: env(), stdio: 'ignore' })
    await until('it has begun', () => existsSync(join(service.dataDir, 'scan-files', 'upgrading')))
    child.kill('SIGKILL')
    await once(child, 'exit')
    service.launch()
    await service.waitUntilReady()
    await scan(service, 5)
    await service.kill()
  })

  test('has every scan in files, and the service goes on with them', async () => {
    assert.deepEqual(await upgrade(), { done: true, scans, codes: 1 })
    rmSync(join(service.dataDir, 'scans'), { recursive: true })
    const files = await startService({ ...shared, ...key(), SCAN_STORE: 'files' })
    started.push(files)
    await counted(files)
    await scan(files, 5)
    await files.stop()
    await assert.rejects(upgrade(), /in files already/)
  })
})
