// From the embedded scan store of an earlier release to files: `./everscan upgrade-store`, killed
// on its way.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { chdbVersion } from '../../src/analytics/engine/load-chdb.ts'
import server from '../../package.json' with { type: 'json' }
import { fixtureNames, readFixture, scansIn, readState, unpackDirectory } from '../support/data-fixtures.ts'
import { scanOnce } from '../support/load.ts'
import { inherited, until, type Service } from '../support/service.ts'
import { startOld, untilOldIsTold, upgradeStore } from '../support/upgraded-service.ts'

const [root, main] = ['..', '../src/main.mjs'].map((path) => join(import.meta.dirname, '..', path))
const run = promisify(execFile)
const name = fixtureNames().toSorted().at(-1) ?? ''

describe(`upgrade-store, on a data directory of ${name}`, { concurrency: 1 }, () => {
  const fixture = readFixture(name)
  const folder = mkdtempSync(join(tmpdir(), 'everscan-upgrade-store-'))
  const dataDir = join(folder, 'data')
  const settings = { DATA_DIR: dataDir, SECRET: fixture.secret, TRUST_PROXY: '127.0.0.1' }
  const [{ id: orgId, apiKey } = assert.fail()] = fixture.organizations
  const [shortCode = ''] = fixture.shortCodes
  let service: Service
  let scans = fixture.totalScans

  before(async () => {
    unpackDirectory(name, dataDir)
    service = await startOld(settings)
  })
  after(async () => {
    await service.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  const commandOf = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, [main ?? '', ...words], { env: { ...inherited(), ...settings, ...env } })
  /** Runs a command that fails, and returns what it says. */
  const refused = async (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    commandOf(words, env).then(
      () => assert.fail(`${words.join(' ')} did not fail`),
      ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
    )
  async function scan(): Promise<void> {
    assert.equal(await scanOnce({ port: service.port, code: shortCode }), 302)
    scans++
  }

  test('before it, codes redirect and change, and all else names the command', async () => {
    await scan()
    const client = service.client({ apiKey })
    await assert.rejects(client.analytics.ofOrganization(orgId), { status: 503 })
    const { data } = await client.qrCodes.list(orgId)
    await client.qrCodes.update(orgId, data[0]?.id ?? '', { name: 'Renamed' })
    for (const words of [['backup', join(folder, 'a.copy')], ['migrate-store', '--live'], ['doctor']]) {
      const servers =
        words[0] === 'migrate-store'
          ? { DATABASE_URL: 'postgres://u@127.0.0.1:1/x', CLICKHOUSE_URL: 'http://127.0.0.1:1/x' }
          : {}
      assert.ok((await refused(words, servers)).includes('./everscan upgrade-store'), words[0])
    }
  })

  test('is refused while the service runs, and beside files that it did not make', async () => {
    assert.match(await refused(['upgrade-store']), /in use by another/)
    await service.stop()
    const found = join(dataDir, 'scan-files', 'segments', '2026-11')
    mkdirSync(found, { recursive: true })
    writeFileSync(join(found, 'one.parquet'), '')
    assert.match(await refused(['upgrade-store']), /move it away/)
    rmSync(found, { recursive: true })
  })

  test('that was killed leaves the embedded store as it was', async () => {
    const child = spawn(process.execPath, [main ?? '', 'upgrade-store'], {
      env: { ...inherited(), ...settings },
      stdio: 'ignore',
    })
    await until('it has begun', () => existsSync(join(dataDir, 'scan-files', 'upgrading')))
    child.kill('SIGKILL')
    await once(child, 'exit')
    service.launch()
    await untilOldIsTold(service)
    await scan()
    await service.kill()
  })

  test('says what to do where chDB is no package, and npm cannot get it', async () => {
    const said = await refused(['upgrade-store'], { NODE_OPTIONS: withoutChdb, PATH: '' })
    assert.match(said, /npm could not install chdb@.*make a copy with the release that wrote/)
    assert.equal(chdbVersion, server.devDependencies.chdb)
  })

  test('has npm install chDB for as long as it works, and every scan in files', async () => {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    // It stands for npm: the package is the one of this project.
    const packages = join(root ?? '', '..', 'node_modules')
    writeFileSync(
      join(bin, 'npm'),
      `#!/bin/sh\necho "$@" > ${join(folder, 'words')}\nmkdir -p "$3/node_modules" && ln -s ${packages}/chdb ${packages}/@chdb "$3/node_modules"\n`,
      { mode: 0o755 },
    )
    const { stdout, stderr } = await commandOf(['upgrade-store', '--json'], {
      NODE_OPTIONS: withoutChdb,
      PATH: `${bin}:${process.env['PATH']}`,
    })
    assert.match(stderr, /npm installs chdb@/)
    const { done, scans: moved } = JSON.parse(stdout) as { done: boolean; scans: number }
    assert.ok(done && moved > 0, stdout)
    assert.equal(existsSync(join(dataDir, 'chdb')), false)
    rmSync(join(dataDir, 'scans'), { recursive: true })
    service.launch()
    await service.waitUntilReady()
    await until(
      'waiting scans are counted',
      async () => scansIn(await readState(service.baseUrl, fixture)) === scans,
    )
    const { summary } = await service.client({ apiKey }).analytics.ofOrganization(orgId)
    assert.ok(summary.totalScans > 0)
    await service.stop()
    await assert.rejects(upgradeStore(settings), /in files already/)
  })
})

/** Has a process believe that chDB is not among its packages. */
const withoutChdb = `--import=data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module'
   registerHooks({ resolve: (name, ...rest) => rest.at(-1)(name === 'chdb' && !rest[0].parentURL?.includes('/chdb/') ? 'not-installed' : name, rest[0]) })`,
)}`
