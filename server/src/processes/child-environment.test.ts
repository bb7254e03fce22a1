import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../settings/config.ts'
import type { ChildName } from '../settings/settings.ts'
import { childEnvironment } from './child-environment.ts'

const secret = 's'.repeat(32)
const visitorKey = 'v'.repeat(32)
const given = {
  PORT: '8080',
  SECRET: secret,
  DATABASE_URL: 'postgres://db/everscan',
  DATABASE_REPLICA_URL: 'postgres://standby/everscan',
  CLICKHOUSE_URL: 'http://store:8123/everscan',
  SMTP_URL: 'smtp://mail.example.com',
  BOOTSTRAP_PASSWORD: 'first password',
  BOOTSTRAP_API_KEY: 'first api key',
  PGPASSFILE: '/etc/pgpass',
  USER: 'everscan',
  https_proxy: 'http://proxy.example:3128',
  NODE_EXTRA_CA_CERTS: '/etc/ca.pem',
  NODE_AUTH_TOKEN: "npm's",
  NODE_CHANNEL_FD: '9',
  AWS_SECRET_ACCESS_KEY: "somebody else's",
  LC_ALL: 'C.UTF-8',
}

const namesOf = (child: ChildName, env: Record<string, string> = given): string[] =>
  Object.keys(childEnvironment({ ...readConfig(env), secret, visitorKey }, child)).sort()

test('commands that the worker starts can read its settings: with https of its own, too', () => {
  const https = { HTTPS_PORT: '443', TLS_CERT: '/etc/cert.pem', TLS_KEY: '/etc/key.pem' }
  const metrics = { METRICS_TOKEN: 'm'.repeat(16), METRICS_REQUIRE_TOKEN: 'true' }
  const site = { PUBLIC_URL: 'https://qr.example.com', ROOT_URL: 'https://example.com/' }
  const config = readConfig({ ...given, ...https, ...metrics, ...site })
  const read = readConfig(childEnvironment({ ...config, secret, visitorKey }, 'worker'))
  assert.deepEqual(
    [read.publicUrl, read.rootUrl, read.databaseUrl],
    [config.publicUrl, config.rootUrl, config.databaseUrl],
  )
})

test('each process gets only its own settings, and those of the catalogue and the proxies only if it uses them', () => {
  const always = ['DATA_DIR', 'LC_ALL', 'NODE_EXTRA_CA_CERTS']
  const catalogue = ['DATABASE_URL', 'PGPASSFILE', 'USER']
  const expected = {
    // Checks that the scan store and the secret belong to this installation, and prints addresses.
    prepare: [
      ...catalogue,
      'BOOTSTRAP_API_KEY',
      'BOOTSTRAP_PASSWORD',
      'CLICKHOUSE_URL',
      'PORT',
      'PUBLIC_URL',
      'SECRET',
      'VISITOR_KEY',
    ],
    // Opens no sealed value, so it gets no SECRET, only the key of splits that is derived from it.
    front: [...catalogue, 'PORT', 'PUBLIC_URL', 'SPLIT_KEY', 'VISITOR_KEY'],
    // Simulates rules with the keys of a front.
    api: [
      ...catalogue,
      'CLICKHOUSE_URL',
      'DATABASE_REPLICA_URL',
      'PUBLIC_URL',
      'SECRET',
      'SMTP_URL',
      'SPLIT_KEY',
      'VISITOR_KEY',
      'https_proxy',
    ],
    // Writes SECRET and VISITOR_KEY into encrypted copies, and mails views.
    worker: [
      ...catalogue,
      'CLICKHOUSE_URL',
      'PUBLIC_URL',
      'SECRET',
      'SMTP_URL',
      'VISITOR_KEY',
      'https_proxy',
    ],
    // Reads which files of scans count.
    engine: catalogue,
  }
  for (const [child, names] of Object.entries(expected))
    assert.deepEqual(namesOf(child as ChildName), [...always, ...names].sort(), child)
})

test('variables of libpq are passed on only with DATABASE_URL', () => {
  const { DATABASE_URL: _url, DATABASE_REPLICA_URL: _replica, ...withoutDatabase } = given
  for (const child of ['prepare', 'front', 'api', 'worker'] as const)
    assert.ok(!namesOf(child, withoutDatabase).some((name) => name.startsWith('PG') || name === 'USER'))
})

test('main passes on settled values unchanged: a child reads the same configuration', () => {
  const config = { ...readConfig({ PORT: '8080', DATA_DIR: './relative' }), secret, visitorKey }
  const environment = childEnvironment(config, 'api')
  assert.equal(environment['PUBLIC_URL'], 'http://localhost:8080')
  const child = readConfig(environment, 'api')
  assert.deepEqual(
    [child.publicUrl, child.dataDir, child.secret, child.mailFrom],
    [config.publicUrl, config.dataDir, secret, config.mailFrom],
  )
})
