import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import { createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { inherited, startService, until, type Service } from '../support/service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

describe('an installation with scans in files', () => {
  let service: Service
  let of: Codes
  let scans = 0
  before(async () => {
    service = await startService()
    of = await createCodes(service, 2)
  })
  after(() => service.remove())

  async function scan(count: number): Promise<void> {
    const headers = { 'user-agent': iphone }
    for (let at = 0; at < count; at++) {
      const { shortCode } = of.codes[at % 2] ?? {}
      const { status } = await fetch(`${service.baseUrl}/${shortCode}`, { headers, redirect: 'manual' })
      assert.equal(status, 302)
    }
    scans += count
  }

  const counted = () =>
    until(`${scans} scans are counted`, async () => (await totalScans(of).catch(() => -1)) === scans)

  const readiness = async () => {
    const answer = await fetch(`${service.baseUrl}/readyz`).catch(() => undefined)
    return (await answer?.json()) as Readiness | undefined
  }
  const toldEmpty = () =>
    until('it is told', async () => (await readiness())?.parts?.['scanStore']?.problem === 'scanStoreEmpty')
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [main, ...words], {
      env: { ...inherited(), DATA_DIR: service.dataDir, PORT: String(service.port) },
    })

  /** Starts the service with another setting on the same directory, and returns what it says. */
  async function refused(env: Readonly<Record<string, string>>): Promise<string> {
    const other = await startService({ DATA_DIR: service.dataDir, ...env }, { wait: false })
    assert.equal(await other.ended(), 1)
    return other.output()
  }

  test('counts, lists and exports, while chDB never runs', async () => {
    await scan(20)
    await counted()
    const [code] = of.codes
    const listed = await of.client.scans.list(of.orgId, code?.id ?? '')
    assert.equal(listed.pagination.total, 10)
    assert.equal(existsSync(join(service.dataDir, 'scans')), false)
  })

  test('its figures are away while its engine hangs or is gone, and then are complete', async () => {
    service.signal(['engine'], 'SIGKILL')
    await scan(10)
    await counted()
    service.signal(['engine'], 'SIGSTOP')
    await scan(10)
    const once = { ...of, client: service.client({ retries: 0 }) }
    await assert.rejects(totalScans(once), (error) => (error as { status?: number }).status === 503)
    service.signal(['engine'], 'SIGCONT')
    await counted()
  })

  test('has all scans after every process was killed, and after a stop in order', async () => {
    await scan(10)
    await service.kill()
    await service.restart()
    await counted()
    await scan(10)
    await service.stop()
    await service.restart()
    await counted()
  })

  test('the doctor looks at the files', async () => {
    const { stdout } = await run('doctor', '--all').catch((error: { stdout: string }) => error)
    assert.ok(stdout.includes(' are as they were written'), stdout)
    assert.ok(stdout.includes('all 2 codes with scans agree with the scan store'), stdout)
    assert.ok(stdout.includes('none: scans are in files'), stdout)
    // Nothing is wrong with this service.
    assert.doesNotMatch(stdout, /FAILED .*(store|scan)/i)
  })

  test('redirects while the disk of its records is away, and counts when it is back', async () => {
    const records = join(service.dataDir, 'journal', 'scans')
    assert.ok(existsSync(join(records, 'installation')), 'is marked as a part of the installation')
    await service.stop()
    const files = readdirSync(records)
    for (const name of files) renameSync(join(records, name), join(service.dataDir, name))
    service.launch()
    await toldEmpty()
    await scan(2)
    mkdirSync(records, { recursive: true })
    for (const name of files) renameSync(join(service.dataDir, name), join(records, name))
    await counted()
    await until('all parts are up', async () => (await readiness())?.status === 'ready')
  })

  test('begins with an empty folder after adopt scan-store, and has what journals have', async () => {
    await service.stop()
    for (const folder of ['scan-files', join('journal', 'scans')])
      rmSync(join(service.dataDir, folder), { recursive: true })
    service.launch()
    await toldEmpty()
    await run('adopt', 'scan-store')
    await counted()
    await until('all parts are up', async () => (await readiness())?.status === 'ready')
    const { stdout } = await run('doctor', '--all').catch((error: { stdout: string }) => error)
    assert.ok(stdout.includes('the scan store has all hits that the catalogue counted'), stdout)
    assert.ok(stdout.includes('all 2 codes with scans agree with the scan store'), stdout)
  })

  test('files of another installation are refused, with the remedy', async () => {
    await service.stop()
    const path = join(service.dataDir, 'scan-files', 'segments', 'installation.json')
    const claim = readFileSync(path, 'utf8')
    writeFileSync(path, JSON.stringify({ installation: 'ins_other', store: 'files:1' }))
    const said = await refused({})
    assert.ok(said.includes('the scan store belongs to installation ins_other'), said)
    assert.ok(said.includes('adopt scan-store'), said)
    writeFileSync(path, claim)
    await service.restart()
    await counted()
  })

  test('keeps its kind of store: a server is refused, with the remedy', async () => {
    await service.stop()
    const said = await refused({ CLICKHOUSE_URL: 'http://127.0.0.1:1/everscan' })
    assert.match(said, /CLICKHOUSE_URL is set, but the scans of this installation are in a data directory/)
    await service.restart()
    await counted()
  })
})
