// The second half of scripts/try-image.sh: runs the image with a read-only root, as several users
// and with secrets in files, walks through it, puts the four proxies and a cluster in front of it,
// and prints the figures. The first failure ends it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@everscan/client/create-client.ts'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import { openConnection } from '../server/test/support/connections.ts'
import { connectH2 } from '../server/test/support/h2-client.ts'
import { siteName, startProxy } from '../server/test/support/proxies.ts'
import { startStoreServer } from '../server/test/support/scan-store-server.ts'
import { until } from '../server/test/support/service.ts'
import { Container, readImage, type ContainerOptions, type Image } from './image-container.ts'

const [name = '', inspected = '', root = '', dir = ''] = process.argv.slice(2)
const image = readImage(inspected, root, dir)
const password = 'a first password of the image'
const apiKey = `evs_${randomBytes(24).toString('hex')}`
const token = randomBytes(16).toString('hex')
const phone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'
const behindProxy = { PUBLIC_URL: `https://${siteName}`, TRUST_PROXY: '127.0.0.1' }
const firstSecrets = { api_key: apiKey, password, metrics_token: token }
const firstFiles = {
  BOOTSTRAP_API_KEY_FILE: '/run/secrets/api_key',
  BOOTSTRAP_PASSWORD_FILE: '/run/secrets/password',
  METRICS_TOKEN_FILE: '/run/secrets/metrics_token',
}
const running = new Set<Container>()

try {
  describeImage(image)
  const first = await startAndWalk()
  proxiesInFront(first)
  const volume = await stopWithOpenRequests(first)
  await startAgain(volume)
  await startAsAnyUser()
  await runCluster()
  say('The image works.')
} finally {
  for (const container of running) container.kill()
  for (const entry of readdirSync(dir))
    if (/^(volume|secrets)-/.test(entry)) rmSync(join(dir, entry), { recursive: true, force: true })
}
process.exit()

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

async function start(options: ContainerOptions): Promise<Container> {
  const container = await Container.start(image, options)
  running.add(container)
  return container
}

function describeImage({ config, root: tree }: Image): void {
  const packages = join(tree, 'opt/everscan/node_modules')
  say(`size: ${megabytes(tree)} MB, of which ${megabytes(join(tree, 'opt'))} MB are Everscan:`)
  for (const part of ['@duckdb', '@ip-location-db', `node-linux-${process.arch}`])
    say(`  ${part}: ${megabytes(join(packages, part))} MB`)
  // A file that two layers have would be stored and sent twice.
  const [stored] = JSON.parse(execFileSync('buildah', ['images', '--json', name], { encoding: 'utf8' })) as [
    { size: string },
  ]
  say(`stored: ${stored.size}`)
  const [amount = '', unit] = stored.size.split(' ')
  assert.ok(Number(amount) * (unit === 'GB' ? 1000 : 1) < 1.1 * megabytes(tree), 'layers repeat files')
  const packed = spawnSync('sh', ['-c', 'tar --create --directory "$0" . | gzip --fast | wc -c', tree], {
    encoding: 'utf8',
  })
  say(`size of a download (gzip): ${Math.round(Number(packed.stdout) / 1e6)} MB`)

  const [uid] = config.User.split(':')
  assert.ok(Number(uid) > 0, `the image runs as ${config.User}`)
  assert.deepEqual(Object.keys(config.Volumes), ['/data'])
  assert.ok((config.Healthcheck?.StartPeriod ?? 0) > 0)
  for (const label of ['title', 'description', 'source', 'licenses', 'version', 'revision'])
    assert.ok(config.Labels[`org.opencontainers.image.${label}`], `no label "${label}"`)
  say(`version ${config.Labels['org.opencontainers.image.version']}, user ${config.User}, a volume at /data`)
}

function megabytes(path: string): number {
  const printed = execFileSync('du', ['-s', '--block-size=1000000', path], { encoding: 'utf8' })
  return Number(printed.split('\t')[0])
}

async function startAndWalk(): Promise<Container> {
  const container = await start({
    environment: { ...behindProxy, ...firstFiles },
    secrets: firstSecrets,
  })
  const healthyMs = await container.answers('/healthz')
  assert.ok(container.isHealthy(), 'the health check fails')
  const readyMs = await container.answers('/readyz')
  say(`first start: answers after ${seconds(healthyMs)}, ready after ${seconds(readyMs)}`)

  const client = createClient({ baseUrl: container.baseUrl, apiKey })
  await walk(client, container.baseUrl, 'first start')
  const metrics = await fetch(`${container.baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.7' },
  })
  assert.equal(metrics.status, 200, 'METRICS_TOKEN_FILE')
  assertSmallSurface(container)
  return container
}

/** Creates a code, scans it, and reads it in analytics. */
async function walk(client: Client, baseUrl: string, codeName: string): Promise<void> {
  const [organization] = await client.organizations.listMine()
  const orgId = organization?.id ?? ''
  const code = await client.qrCodes.create(orgId, {
    type: 'URL',
    name: codeName,
    data: { url: 'https://example.com/menu' },
  })
  const picture = await client.qrCodes.download(orgId, code.id)
  assert.equal(picture.contentType, 'image/png')
  const scan = await fetch(`${baseUrl}/${code.shortCode}`, {
    redirect: 'manual',
    headers: { 'user-agent': phone, 'x-forwarded-for': '81.169.181.179' },
  })
  assert.deepEqual([scan.status, scan.headers.get('location')], [302, 'https://example.com/menu'])
  const tookMs = await until('the scan is in analytics', async () => {
    const { summary, geography } = await client.qrCodes.analytics(orgId, code.id)
    return summary.totalScans === 1 && geography.countries[0]?.country === 'DE'
  })
  say(`walk: created, drawn, redirected; in analytics after ${seconds(tookMs)}`)
}

function assertSmallSurface(container: Container): void {
  assert.match(container.exec(['everscan', 'users', 'list']).stdout, /admin@localhost/)
  const written = container.exec(['sh', '-c', 'touch /opt/everscan/x || touch /etc/x'])
  assert.match(written.stderr, /Read-only file system/)
  assert.match(container.exec(['cat', '/proc/1/status']).stdout, /^CapEff:\s+0+$/m)
  const environment = container.exec(['cat', '/proc/1/environ']).stdout
  assert.match(environment, /METRICS_TOKEN_FILE/)
  for (const secret of [apiKey, password, token]) assert.ok(!environment.includes(secret))
  // The sources were compiled when the image was built, for every user.
  const cache = container.exec(['env', 'NODE_DEBUG_NATIVE=COMPILE_CACHE', 'everscan', 'help']).stderr
  assert.doesNotMatch(cache, /permission denied/)
  assert.ok((cache.match(/was accepted/g) ?? []).length > 5, cache)
  // The commands of docs/container.md.
  const copy = container.exec(['everscan', 'backup', '/data/everscan.copy'])
  assert.equal(copy.status, 0, copy.stderr)
  const verified = container.exec(['everscan', 'verify', '/data/everscan.copy'])
  assert.equal(verified.status, 0, verified.stderr)
  const { checks } = JSON.parse(container.exec(['everscan', 'doctor', '--json']).stdout) as {
    checks: { name: string; state: string; says: string }[]
  }
  for (const check of checks)
    if (check.state === 'failed' || check.state === 'warning')
      say(`doctor: ${check.state} ${check.name}: ${check.says}`)
}

function proxiesInFront(container: Container): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/test.ts', '--soak', 'proxies.soak'],
    {
      env: {
        ...process.env,
        EVERSCAN_TRY_URL: container.baseUrl,
        EVERSCAN_TRY_API_KEY: apiKey,
        EVERSCAN_TRY_PASSWORD: password,
      },
      encoding: 'utf8',
    },
  )
  assert.equal(status, 0, stdout + stderr)
  for (const [, proxy] of stdout.matchAll(/^ℹ ([A-Za-z]+ \d+\.\d+\.\d+)$/gm)) say(`proxy with TLS: ${proxy}`)
}

/** Stops a container while a client holds a stream and another never ends its request. */
async function stopWithOpenRequests(container: Container): Promise<string> {
  const client = createClient({ baseUrl: container.baseUrl, apiKey })
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const stream = await fetch(`${container.baseUrl}/api/v1/organizations/${orgId}/events`, {
    headers: { 'x-api-key': apiKey },
  })
  const slow = await openConnection(container.port)
  void slow.send('/', {}, new Promise(() => undefined))
  await sleep(200)
  const slowMs = await container.stop()
  await stream.body?.cancel().catch(() => undefined)
  say(`SIGTERM with open requests: ended after ${seconds(slowMs)}`)
  return container.volume
}

async function startAgain(volume: string): Promise<void> {
  const container = await start({ volume, environment: behindProxy })
  const readyMs = await container.answers('/readyz')
  say(`next start: ready after ${seconds(readyMs)}`)
  const client = createClient({ baseUrl: container.baseUrl, apiKey })
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const names = (await client.qrCodes.list(orgId)).data.map((one) => one.name)
  assert.ok(names.includes('first start'), 'the codes are in the volume')
  say(`SIGTERM: ended after ${seconds(await container.stop())}`)
}

async function startAsAnyUser(): Promise<void> {
  for (const user of ['4242:0', '65534:65534', '0:0']) {
    const container = await start({
      user,
      environment: { ...behindProxy, ...firstFiles },
      secrets: firstSecrets,
    })
    await container.answers('/readyz')
    await walk(createClient({ baseUrl: container.baseUrl, apiKey }), container.baseUrl, user)
    const mode = statSync(join(container.volume, 'everscan')).mode & 0o777
    assert.equal(mode, 0o700)
    assert.doesNotMatch(container.output(), /other users of this machine/)
    say(`as user ${user}: works; ended after ${seconds(await container.stop())}`)
  }
}

/** Two machines as in compose.cluster.yaml, with chDB as the ClickHouse server. */
async function runCluster(): Promise<void> {
  const postgres = await startPostgres()
  const store = await startStoreServer()
  const options: ContainerOptions = {
    environment: {
      ...behindProxy,
      ...firstFiles,
      DATABASE_URL_FILE: '/run/secrets/database_url',
      CLICKHOUSE_URL_FILE: '/run/secrets/clickhouse_url',
      SECRET_FILE: '/run/secrets/secret',
      VISITOR_KEY_FILE: '/run/secrets/visitor_key',
    },
    secrets: {
      ...firstSecrets,
      database_url: await postgres.createDatabase(),
      clickhouse_url: store.url,
      secret: randomBytes(32).toString('hex'),
      visitor_key: randomBytes(32).toString('hex'),
    },
  }
  const machines = [await start(options), await start(options)]
  for (const machine of machines) await machine.answers('/readyz')
  const [one, two] = machines as [Container, Container]
  const caddy = await startProxy('Caddy', [one.port, two.port])
  const browser = await connectH2(caddy)
  await until('Caddy passes on', async () => (await browser.send('/healthz')).status === 200)

  const client = createClient({ baseUrl: one.baseUrl, apiKey })
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const code = await client.qrCodes.create(orgId, {
    type: 'URL',
    name: 'cluster',
    data: { url: 'https://example.com/' },
  })
  const scan = async (): Promise<number> =>
    (await browser.send(`/${code.shortCode}`, { headers: { 'user-agent': phone } })).status
  const scans = { before: 200, after: 200 }
  for (let i = 0; i < scans.before; i++) assert.equal(await scan(), 302)
  // One machine after the other is stopped for an update; nobody notices.
  const stopped = one.stop()
  for (let i = 0; i < scans.after; i++) assert.equal(await scan(), 302)
  const stopMs = await stopped
  // Scans that a machine has not passed on wait in its volume.
  const again = await start({ ...options, volume: one.volume })
  await again.answers('/readyz')
  const other = createClient({ baseUrl: two.baseUrl, apiKey })
  const total = scans.before + scans.after
  await until('all scans are in analytics', async () => {
    const { summary } = await other.qrCodes.analytics(orgId, code.id)
    return summary.totalScans === total
  })
  say(`cluster: ${total} scans through Caddy, redirected while a machine stopped, each counted once`)
  say(`cluster: SIGTERM ended that machine after ${seconds(stopMs)}`)
  browser.close()
  await caddy.stop()
  await again.stop()
  await two.stop()
  await store.stop()
  await postgres.remove()
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}
