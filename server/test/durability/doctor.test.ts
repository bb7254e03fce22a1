// Left to the soak: `doctor/run-checks` and the suites beside it ask every check,
// `durability/operator-faults` the command.
// `./everscan doctor` and `upgrade --check` beside a whole service: what is well is said to be
// well, and what is not is found.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { State } from '../../src/doctor/check.ts'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { cityFileBytes, networkBits } from '../../src/visitors/geography/testing/city-file.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import { createCodes, totalScans, type Codes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer } from '../support/scan-store-server.ts'
import { commandEnvironment, startService, until, type Service } from '../support/service.ts'

type Told = { name: string; state: State; says: string; mend?: string; fixed?: string }
type Ran = { code: number; output: string; errors: string }

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')
/** Warnings that a busy machine, or the disk of a test, may cause. */
const ofTheMachine = /^(machine|data\.(room|inodes|file-system|fsync))/

/** The packaged city databases may be older than the doctor likes. */
const geographyDir = mkdtempSync(join(tmpdir(), 'everscan-geography-'))
after(() => rmSync(geographyDir, { recursive: true }))
const newGeography = {
  GEOIP_CITY_V4: newCityFile(4, ['8.8.8.0', '1.1.1.0']),
  GEOIP_CITY_V6: newCityFile(6, ['2001:4860:4860::', '2606:4700:4700::']),
}

/** Writes a database of today with the networks by which a start knows one. */
function newCityFile(ipVersion: 4 | 6, networks: readonly string[]): string {
  const path = join(geographyDir, `v${ipVersion}.mmdb`)
  const records = Object.fromEntries(
    networks.map((network) => [networkBits(network), { country: { iso_code: 'US' } }]),
  )
  writeFileSync(path, cityFileBytes({ type: 'GeoLite2-City', builtMs: Date.now(), ipVersion, records }))
  return path
}

function everscan(service: Service, env: Record<string, string>, ...words: string[]): Promise<Ran> {
  const settings = { DATA_DIR: service.dataDir, PORT: String(service.port), HOST: '127.0.0.1', ...env }
  return new Promise((resolve) => {
    const options = { env: commandEnvironment(settings) }
    execFile(process.execPath, [main, ...words], options, (error, output, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output, errors }),
    )
  })
}

async function doctor(service: Service, env: Record<string, string>, ...words: string[]) {
  const { code, output, errors } = await everscan(service, env, 'doctor', '--json', ...words)
  assert.equal(errors, '')
  const report = JSON.parse(output) as { summary: Record<State, number>; checks: Told[] }
  const told = report.checks.filter(({ state, name }) => state !== 'ok' && !ofTheMachine.test(name))
  return { code, report, told, states: told.map(({ name, state }) => `${state} ${name}`) }
}

/**
 * Nothing is printed yet, nobody has a second factor, and no copies are made: worth saying, and no
 * fault.
 */
const expected = [
  'warning network.public-url',
  'notice people.admin-keys',
  'notice people.two-factor',
  'notice copies.scheduled',
]

async function scan(service: Service, of: Codes, count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    assert.equal(await scanOnce({ port: service.port, code: of.codes[0]?.shortCode ?? '' }), 302)
  await until('scans are counted', async () => (await totalScans(of)) >= count, 30_000)
}

describe('one machine (SQLite, scans in files)', () => {
  let service: Service
  let of: Codes
  const env = { TRUST_PROXY: '127.0.0.1', ...newGeography }
  before(async () => {
    service = await startService(env)
    of = await createCodes(service, 2)
    await scan(service, of, 3)
  })
  after(() => service.remove())

  test('0: a service that runs is well: every check can tell, and the figures agree', async () => {
    const { code, states, report } = await doctor(service, env)
    assert.deepEqual(
      states,
      [...expected.slice(0, 1), 'warning network.proxy', ...expected.slice(1)],
      JSON.stringify(report.checks.find(({ name }) => name === 'service.parts')),
    )
    assert.equal(code, 0)
    assert.ok(report.checks.length >= 40)
    const says = (name: string): string => report.checks.find((check) => check.name === name)?.says ?? ''
    assert.match(says('figures.ledger'), /has all hits that the catalogue counted/)
    assert.match(says('figures.counters'), /^all 1 codes with scans/)
    assert.match(says('network.reach'), /answered by this installation/)
    // A proxy that is trusted and names no client, as this test is one.
    assert.match(says('network.proxy'), /^(::ffff:)?127\.0\.0\.1 is trusted but names no client/)
    for (const { name, state, mend } of report.checks)
      if (state !== 'ok') assert.ok((mend ?? '').length > 5, name)
  })

  test('it tells problems alone, or everything with --all, in plain text where it is no terminal', async () => {
    const brief = await everscan(service, env, 'doctor')
    assert.equal(brief.code, 0)
    assert.match(brief.output, /^Data directory\n/)
    assert.match(
      brief.output,
      /\n  warning PUBLIC_URL: http:\/\/localhost:\d+ leads nowhere .*\n {10}-> set PUBLIC_URL/,
    )
    assert.doesNotMatch(brief.output, /Integrity/)
    assert.match(brief.output, /\n\d+ checks: \d+ fine, /)
    assert.equal(brief.errors, '')
    assert.match(
      (await everscan(service, env, 'doctor', '--all')).output,
      /\n  ok      Integrity: a quick check/,
    )
  })

  test('1: rights that are open, and --fix closes them while it runs', async () => {
    chmodSync(service.dataDir, 0o755)
    chmodSync(join(service.dataDir, 'secret'), 0o644)
    const found = await doctor(service, env)
    assert.equal(found.code, 1)
    assert.deepEqual(
      found.told.filter(({ name }) => name.endsWith('.mode')).map(({ name, state }) => `${state} ${name}`),
      ['warning data.mode', 'failed secrets.mode'],
    )
    assert.equal(statSync(service.dataDir).mode & 0o777, 0o755, 'nothing is changed without --fix')
    const fixed = await doctor(service, env, '--fix')
    assert.equal(fixed.code, 0)
    assert.deepEqual(
      fixed.report.checks
        .filter((check) => check.fixed !== undefined)
        .map(({ name, state }) => `${state} ${name}`),
      ['ok data.mode', 'ok secrets.mode'],
    )
    assert.equal(statSync(service.dataDir).mode & 0o777, 0o700)
    assert.equal(statSync(join(service.dataDir, 'secret')).mode & 0o777, 0o600)
  })

  test('another SECRET and another DATA_DIR are told as a start would refuse them', async () => {
    const { code, told } = await doctor(service, { ...env, SECRET: 'x'.repeat(32) })
    assert.equal(code, 1)
    const parts = told.find(({ name }) => name === 'identity.parts')
    assert.match(parts?.says ?? '', /^SECRET is not the one of this installation/)
    assert.match(parts?.mend ?? '', /\.\/everscan adopt secret/)
    const refused = await everscan(service, { ...env, SECRET: 'x'.repeat(32) }, 'upgrade', '--check')
    assert.equal(refused.code, 1)
    assert.match(refused.output, /The start would be refused:\n  SECRET is not the one/)
  })

  test('upgrade --check: 0 beside the service, with nothing to do; 2 without --check', async () => {
    const { code, output } = await everscan(service, env, 'upgrade', '--check')
    assert.equal(code, 0)
    assert.match(
      output,
      /^Catalogue: nothing to do: SQLite .*\nScan store: nothing to do: files .*\n\nThe start works\.\n$/,
    )
    assert.equal((await everscan(service, env, 'upgrade')).code, 2)
  })

  test('a service that is stopped: what needs it is said to, and the rest is looked at; nothing changes', async () => {
    await service.stop()
    const files = ['catalogue.sqlite', 'installation.json'].map((name) => join(service.dataDir, name))
    const contents = files.map((path) => readFileSync(path).toString('base64'))
    const { code, states, told } = await doctor(service, env)
    assert.equal(code, 0)
    const needing = told.filter(({ mend, state }) => state === 'unknown' && mend === './everscan start')
    assert.ok(needing.length >= 5, JSON.stringify(needing))
    assert.deepEqual(
      states.filter((state) => !needing.some(({ name }) => state.endsWith(name))),
      ['notice service.running', ...expected],
    )
    assert.deepEqual(
      files.map((path) => readFileSync(path).toString('base64')),
      contents,
    )
    const check = await everscan(service, env, 'upgrade', '--check')
    assert.equal(check.code, 0)
    assert.match(check.output, /As far as can be seen, the start works\.\n$/)
  })

  test('a service that was killed: its catalogue keeps the log that the next start checks', async () => {
    service.launch()
    await service.waitUntilReady()
    await createCodes(service, 1)
    await service.kill()
    const log = join(service.dataDir, 'catalogue.sqlite-wal')
    const { size } = statSync(log)
    assert.ok(size > 0)
    const { told } = await doctor(service, env, '--fix')
    assert.deepEqual(
      told.filter(({ name, state }) => name.startsWith('catalogue.') && state !== 'ok'),
      [],
    )
    assert.equal(statSync(log).size, size)
    service.launch()
    await service.waitUntilReady()
    assert.match(service.output(), /the catalogue was not closed cleanly, checking it/)
  })
})

test('where nothing was ever started, it fails, says how to begin, and makes nothing', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'everscan-doctor-'))
  const nowhere = { dataDir: join(scratch, 'none'), port: 1 } as Service
  const { code, told } = await doctor(nowhere, {})
  assert.equal(code, 1)
  assert.match(
    told[0]?.mend ?? '',
    /set DATA_DIR to that of the service; for a new installation: \.\/everscan start/,
  )
  assert.equal((await everscan(nowhere, {}, 'upgrade', '--check')).code, 0)
  assert.ok(!existsSync(nowhere.dataDir))
  rmSync(scratch, { recursive: true })
})

if (hasVariants)
  describe('servers (PostgreSQL, ClickHouse)', () => {
    let service: Service
    let store: Awaited<ReturnType<typeof startStoreServer>>
    let env: Record<string, string>
    before(async () => {
      const postgres = await testPostgres()
      store = await startStoreServer({ schema: 'none' })
      env = { DATABASE_URL: await postgres.createDatabase(), CLICKHOUSE_URL: store.url, ...newGeography }
      service = await startService(env)
      await scan(service, await createCodes(service, 1), 2)
    })
    after(async () => {
      await service.remove()
      await store.stop()
    })

    test('1: all is well but the PostgreSQL of the tests, which keeps nothing safe', async () => {
      const { code, states, told } = await doctor(service, env)
      assert.equal(code, 1)
      assert.deepEqual(
        states.filter((state) => !expected.includes(state)),
        // Machines that share a catalogue make it from SECRET.
        ['notice secrets.visitor-key', 'failed catalogue.durability'],
        JSON.stringify(told),
      )
      assert.match(told.find(({ name }) => name === 'catalogue.durability')?.says ?? '', /^fsync = off/)
      const { code: checked, output } = await everscan(service, env, 'upgrade', '--check')
      assert.equal(checked, 0)
      assert.match(output, /^Catalogue: nothing to do: PostgreSQL .*\nScan store: nothing to do/)
    })

    test('stopped, the servers answer, and all but what the service itself tells is known', async () => {
      await service.stop()
      const { states } = await doctor(service, env)
      assert.deepEqual(
        states.filter((state) => !expected.includes(state)),
        [
          'notice service.running',
          'unknown service.parts',
          'unknown service.restarts',
          'notice secrets.visitor-key',
          'failed catalogue.durability',
          'unknown journal.unrecorded',
          'unknown network.reach',
          'unknown network.proxy',
        ],
      )
    })
  })
