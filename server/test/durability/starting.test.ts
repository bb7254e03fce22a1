import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect as connectSecurely } from 'node:tls'
import { addressOnNetwork } from '../../src/product/installation/network-address.ts'
import { lockDataDir } from '../../src/processes/data-dir.ts'
import { createTestIssuer, type TestIssuer } from '../../src/scan/testing/certificates.ts'
import { phones } from '../support/phones.ts'
import { childrenOf, freePort, inherited, startService, until, type Service } from '../support/service.ts'
import { isAlive, sendSignal } from '../../src/processes/testing/signals.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const directories: string[] = []
after(() => directories.forEach((path) => rmSync(path, { recursive: true, force: true })))

function scratch(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'everscan start ')))
  directories.push(path)
  return path
}

describe('npm start', () => {
  for (const [name, send] of [
    ['SIGTERM to npm', (npm: ChildProcess) => npm.kill('SIGTERM')],
    // Like a terminal: npm passes on a signal that the service has already received.
    ['Ctrl-C to npm and all its processes', (npm: ChildProcess) => sendSignal(-(npm.pid ?? 0), 'SIGINT')],
  ] as const)
    test(`${name} ends the service in order, and frees port and data directory`, async (t) => {
      const dataDir = scratch()
      const port = await freePort()
      const npm = spawn('npm', ['start', '--silent'], {
        cwd: root,
        env: { ...inherited(), DATA_DIR: dataDir, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'warn' },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      })
      const exited = once(npm, 'exit')
      t.after(() => npm.exitCode ?? sendSignal(-(npm.pid ?? 0), 'SIGKILL'))
      let output = ''
      for (const stream of [npm.stdout, npm.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
      const isReady = () =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ status }) => status === 200,
          () => false,
        )
      await until(`ready: ${output}`, isReady, 60_000)
      const started = descendantsOf(npm.pid ?? 0)
      assert.ok(started.length >= 5, 'main and its four children')

      send(npm)
      await exited
      // npm may end before its processes have ended.
      await until('no process is left', () => !started.some(isAlive))
      await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
      ;(await lockDataDir(dataDir)).release()
      // SQLite removes this file when the last process closes the catalogue, but not if it is
      // killed.
      assert.ok(!existsSync(join(dataDir, 'catalogue.sqlite-wal')), output)
    })
})

describe('the first start without settings', () => {
  test('has an example that a phone in the network opens, and that counts as its first scan', async (t) => {
    const address = addressOnNetwork('0.0.0.0', networkInterfaces())
    const dataDir = scratch()
    const port = await freePort()
    const child = spawn(join(root, 'everscan'), ['start'], {
      env: { ...inherited(), DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const base = `http://127.0.0.1:${port}`
    await until(
      'ready',
      async () => (await fetch(`${base}/readyz`).catch(() => undefined))?.ok === true,
      60_000,
    )
    const [, url] = /Open (http\S+) on a phone/.exec(output) ?? []
    // A machine without a network has nothing that a phone could open.
    if (address === undefined) return assert.equal(url, undefined)
    assert.ok(url?.startsWith(`http://${address}:${port}/`), output)

    const page = await fetch(url ?? '', { headers: { 'User-Agent': phones[0] ?? '' } })
    assert.match(await page.text(), /It works!/)
    const [, organization] = /organizations\/(\w+)\/qr-codes/.exec(output) ?? []
    const [, key = ''] = /API key +(\S+)/.exec(output) ?? []
    const figures = `${base}/api/v1/organizations/${organization}/qr-codes/analytics`
    await until('the scan is counted', async () => {
      const answer = await fetch(figures, { headers: { 'X-API-Key': key } })
      // 503 while the scan store of a busy machine is late.
      if (!answer.ok) return false
      const { summary } = (await answer.json()) as { summary: { totalScans: number } }
      return summary.totalScans === 1
    })
  })
})

describe('what the service keeps private', () => {
  let service: Service
  const dataDir = scratch()
  const files = scratch()
  const host = 'qr.example.com'
  let issuer: TestIssuer
  let httpsPort = 0
  before(async () => {
    chmodSync(dataDir, 0o755)
    issuer = await createTestIssuer()
    const { cert, key } = await issuer.issue([host])
    writeFileSync(join(files, 'cert.pem'), cert)
    writeFileSync(join(files, 'key.pem'), key)
    httpsPort = await freePort()
    service = await startService({
      DATA_DIR: dataDir,
      FRONT_PROCESSES: '2',
      HTTPS_PORT: String(httpsPort),
      TLS_CERT: join(files, 'cert.pem'),
      TLS_KEY: join(files, 'key.pem'),
      ROOT_URL: 'https://example.com/home',
      STATIC_EXPORT_DIR: join(files, 'site'),
      SECRET: 'a secret of more than thirty-two characters',
      SMTP_URL: 'smtp://mail:hunter2@127.0.0.1:9',
      BOOTSTRAP_PASSWORD: 'first password',
      RETENTION_DAYS: '400',
      NPM_TOKEN: 'of another program',
      PGPASSWORD: 'of no use without DATABASE_URL',
      HTTPS_PROXY: 'http://proxy.example:3128',
      TZ: 'UTC',
    })
  })
  after(() => service.remove())

  test('processes have only the settings and secrets that they use', () => {
    const common = ['DATA_DIR', 'HOME', 'LOG_LEVEL', 'PATH', 'TZ']
    const expected = {
      front: [
        'CERTIFICATE_KEY',
        'FRONT_PROCESSES',
        'HOST',
        'HTTPS_PORT',
        'PORT',
        'PUBLIC_URL',
        'SPLIT_KEY',
        'TLS_CERT',
        'TLS_KEY',
        'VISITOR_KEY',
      ],
      // Says whether the service orders certificates; TLS_KEY is only a path.
      api: [
        'HTTPS_PORT',
        'HTTPS_PROXY',
        'PUBLIC_URL',
        'RETENTION_DAYS',
        'ROOT_URL',
        'SECRET',
        'SMTP_URL',
        'SPLIT_KEY',
        'TLS_CERT',
        'TLS_KEY',
        'VISITOR_KEY',
      ],
      worker: [
        'CERTIFICATE_KEY',
        'FRONT_PROCESSES',
        'HTTPS_PORT',
        'HTTPS_PROXY',
        'PUBLIC_URL',
        'RETENTION_DAYS',
        'ROOT_URL',
        'SECRET',
        'SMTP_URL',
        'STATIC_EXPORT_DIR',
        'TLS_CERT',
        'TLS_KEY',
        'VISITOR_KEY',
      ],
      engine: [],
    }
    const environmentOf = (role: string): string[] =>
      readFileSync(`/proc/${service.pids(role)[0]}/environ`, 'latin1')
        .split('\0')
        .filter(Boolean)
    for (const [role, names] of Object.entries(expected)) {
      const given = environmentOf(role).map((line) => line.split('=')[0] ?? '')
      const ours = given.filter((name) => !name.startsWith('NODE_'))
      assert.deepEqual(ours.sort(), [...common, ...names].sort(), role)
    }
    const fromMain = `PUBLIC_URL=http://localhost:${service.port}`
    assert.ok(environmentOf('worker').includes(fromMain), 'a worker has no PORT to derive it from')
  })

  test('a static site is kept in STATIC_EXPORT_DIR, with what the settings say', async () => {
    const settings = join(files, 'site', 'nginx.conf')
    await until('the site is written', async () => existsSync(settings), 60_000)
    assert.match(readFileSync(settings, 'utf8'), /"\/" "302 https:\/\/example\.com\/home";/)
  })

  test('every front serves https, and goes on with the sessions of the others', async () => {
    let session: Buffer | undefined
    let reused = 0
    // The kernel spreads the connections over both.
    for (let turn = 0; turn < 12; turn++) {
      const socket = connectSecurely({
        port: httpsPort,
        host: '127.0.0.1',
        servername: host,
        ca: issuer.ca,
        ...(session !== undefined && { session }),
      })
      let answer = ''
      socket.once('secureConnect', () => (reused += socket.isSessionReused() ? 1 : 0))
      socket.on('session', (ticket: Buffer) => (session = ticket))
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      socket.write(`GET /api/v1/openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      await once(socket, 'close')
      assert.match(answer, /^HTTP\/1.1 200 /)
    }
    assert.equal(reused, 11)
  })

  test('settings of the operator are not printed', () => {
    assert.match(service.output(), /Password +as you set it in BOOTSTRAP_PASSWORD/)
    for (const secret of ['first password', service.apiKey]) assert.ok(!service.output().includes(secret))
  })

  test('files are readable only for the user of the service; a data directory open to others is reported with the command', () => {
    const made = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    const open = made
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0)
    assert.deepEqual(open, [])
    assert.ok(made.length > 20)
    assert.ok(service.output().includes(`(mode 755), which holds secrets: chmod 700 '${dataDir}'`))
  })
})

test('an old Node gets a message about the required version, without a stack', () => {
  const old = "Object.defineProperty(process,'version',{value:'v20.20.2'})"
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(old)}`, join(root, 'server', 'src', 'main.mjs')],
    { env: { ...inherited(), DATA_DIR: join(scratch(), 'none') }, encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.equal(
    stderr,
    'everscan: expected Node 24.7 or later, got v20.20.2. Use ./everscan start, which brings its own.\n',
  )
})

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child.pid, ...descendantsOf(child.pid)])
}
