import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { follow, scanOnce } from '../support/load.ts'
import { freePort, startService, until, type Service } from '../support/service.ts'

// Requires PgBouncer from Debian's package `pgbouncer`. Without it this suite fails, because it
// would prove nothing.

const codesCount = 600
const ignored =
  'extra_float_digits, statement_timeout, lock_timeout, idle_in_transaction_session_timeout, options'

type Mode = 'transaction' | 'session' | 'statement'
type Bouncer = { through: (databaseUrl: string) => string; stop: () => Promise<void> }

async function startPgBouncer(
  serverUrl: string,
  { mode, ignores }: { mode: Mode; ignores?: string | undefined },
): Promise<Bouncer> {
  assert.equal(
    spawnSync('pgbouncer', ['--version']).status,
    0,
    'pgbouncer is not installed: apt-get install pgbouncer',
  )
  const { hostname, port: serverPort, username, password } = new URL(serverUrl)
  const dir = mkdtempSync(join(tmpdir(), 'everscan-pgbouncer-'))
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(dir, 'users')}`,
    `pool_mode = ${mode}`,
    // Fewer than the connections of the service, so that these take turns; in session mode each
    // keeps one.
    `default_pool_size = ${mode === 'session' ? 40 : 6}`,
    ...(ignores === undefined ? [] : [`ignore_startup_parameters = ${ignores}`]),
  ]
  writeFileSync(join(dir, 'users'), `"${username}" "${password}"\n`)
  writeFileSync(join(dir, 'settings.ini'), `${settings.join('\n')}\n`)
  // PgBouncer refuses to run as root.
  const asUser = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  for (const path of [dir, join(dir, 'users'), join(dir, 'settings.ini')]) chmodSync(path, 0o755)
  const child = spawn('pgbouncer', ['-q', ...asUser, join(dir, 'settings.ini')], { stdio: 'ignore' })
  const through = (databaseUrl: string): string => {
    const url = new URL(databaseUrl)
    url.port = String(port)
    return url.href
  }
  await until('PgBouncer answers', () => answers(through(serverUrl)))
  return {
    through,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

for (const [mode, ignores] of [
  ['transaction', undefined],
  ['transaction', ignored],
  ['session', undefined],
] as const)
  describe(`PgBouncer in ${mode} mode that ${ignores === undefined ? 'refuses' : 'ignores'} startup parameters`, () => {
    let bouncer: Bouncer
    let service: Service
    let of: Codes
    let settings: Record<string, string>
    before(async () => {
      const postgres = await testPostgres()
      bouncer = await startPgBouncer(postgres.url, { mode, ignores })
      settings = { DATABASE_URL: bouncer.through(await postgres.createDatabase()) }
      service = await startService({ ...settings, RATE_LIMIT_PER_MINUTE: '0' })
      of = await createCodes(service, codesCount)
    })
    after(async () => {
      await service.remove()
      await bouncer.stop()
    })

    test(`after a restart every first scan of ${codesCount} codes is a redirect`, async (t) => {
      await service.restart()
      const statuses = new Map<number, number>()
      const waiting = [...of.codes]
      const scanners = Array.from({ length: 20 }, async () => {
        for (let code = waiting.pop(); code !== undefined; code = waiting.pop()) {
          const status = await scanOnce({ port: service.port, code: code.shortCode })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
      })
      await Promise.all(scanners)
      t.diagnostic(JSON.stringify(Object.fromEntries(statuses)))
      assert.deepEqual([...statuses], [[302, codesCount]])
    })

    test('the scan after the response to a change sees the change', async () => {
      for (const [index, { id, shortCode }] of of.codes.slice(0, 200).entries()) {
        const url = `https://example.com/changed/${index}`
        await of.client.qrCodes.update(of.orgId, id, { data: { url } })
        assert.equal((await follow({ port: service.port, code: shortCode })).location, url)
      }
    })

    test('sessions of other clients have none of our settings', async () => {
      const clients = Array.from(
        { length: 6 },
        () => new Client({ connectionString: settings['DATABASE_URL'] }),
      )
      for (const client of clients) await client.connect()
      for (const client of clients) {
        await client.query('begin')
        const { rows } = await client.query<{ name: string }>(
          `select name from pg_settings where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'default_transaction_read_only') and source = 'session'`,
        )
        assert.deepEqual(rows, [])
      }
      for (const client of clients) await client.end()
    })

    test('the log has no hidden failures', () => {
      const lines = service.output().split('\n')
      assert.deepEqual(
        lines.filter((line) => /prepared statement|"level":"(error|fatal)"/.test(line)),
        [],
      )
    })
  })

describe('PgBouncer in statement mode', () => {
  test('is rejected at the start, with the setting that corrects it', async () => {
    const postgres = await testPostgres()
    const bouncer = await startPgBouncer(postgres.url, { mode: 'statement' })
    const databaseUrl = bouncer.through(await postgres.createDatabase())
    await assert.rejects(
      startService({ DATABASE_URL: databaseUrl }),
      /the service ended with 1:[^]*DATABASE_URL: the pooler at .* pool_mode = transaction/,
    )
    await bouncer.stop()
  })
})
