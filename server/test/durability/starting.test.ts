import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { lockDataDir } from '../../src/processes/data-dir.ts'
import {
  childrenOf,
  freePort,
  inherited,
  isAlive,
  startService,
  until,
  type Service,
} from '../support/service.ts'

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
    ['Ctrl-C to npm and all its processes', (npm: ChildProcess) => process.kill(-(npm.pid ?? 0), 'SIGINT')],
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
      t.after(() => npm.exitCode ?? process.kill(-(npm.pid ?? 0), 'SIGKILL'))
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
      await until('no process is left', () => !started.some(isAlive), 15_000)
      await assert.rejects(once(connect(port, '127.0.0.1'), 'connect'), { code: 'ECONNREFUSED' })
      ;(await lockDataDir(dataDir)).release()
      // SQLite removes this file when the last process closes the catalogue, but not if it is
      // killed.
      assert.ok(!existsSync(join(dataDir, 'catalogue.sqlite-wal')), output)
    })
})

describe('./everscan', () => {
  test('from another directory, through a symbolic link, with spaces: installs once and passes its arguments on', () => {
    const tree = createTree()
    const elsewhere = scratch()
    const link = join(elsewhere, 'ever scan')
    symlinkSync(join(tree, 'everscan'), link)
    const call = (...words: string[]) =>
      JSON.parse(
        execFileSync(link, words, { cwd: elsewhere, encoding: 'utf8', env: treeEnv(tree) }),
      ) as Called
    const first = call('users', 'create', 'a b', "c'd")
    assert.deepEqual(first.words, ['users', 'create', 'a b', "c'd"])
    assert.equal(first.dataDir, join(tree, 'data'))
    // The directory does not change: relative paths in arguments refer to the user's directory.
    assert.equal(first.cwd, elsewhere)
    assert.equal(first.node, realpathSync(join(tree, 'node_modules', '.bin', 'node')))
    assert.equal(countInstalls(tree), 1)
    assert.ok(!existsSync(join(tree, 'built')))
    assert.deepEqual(call().words, ['help'])
    assert.deepEqual(call('start').words, ['start'])
    assert.ok(existsSync(join(tree, 'built')), '`start` builds first')
    assert.equal(countInstalls(tree), 1)
  })

  test('a set DATA_DIR is passed on, an empty one is not', () => {
    const tree = createTree()
    for (const [given, expected] of [
      ['/elsewhere', '/elsewhere'],
      ['', join(tree, 'data')],
    ] as const) {
      const env = { ...treeEnv(tree), DATA_DIR: given }
      const called = JSON.parse(
        execFileSync(join(tree, 'everscan'), ['x'], { encoding: 'utf8', env }),
      ) as Called
      assert.equal(called.dataDir, expected)
    }
  })

  test('replaces itself with the command: the started process is the service', async () => {
    const tree = createTree()
    const child = spawn(join(tree, 'everscan'), ['x'], {
      env: treeEnv(tree),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
    assert.equal((JSON.parse(chunk.toString()) as Called).pid, child.pid)
  })

  test('without any Node it states what to install', () => {
    const tree = createTree()
    const bin = scratch()
    for (const name of ['readlink', 'dirname'])
      symlinkSync(
        execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
        join(bin, name),
      )
    const { status, stderr } = spawnSync('/bin/sh', [join(tree, 'everscan'), 'start'], {
      encoding: 'utf8',
      env: { PATH: bin },
    })
    assert.equal(status, 1)
    assert.match(stderr, /^everscan: Node and npm are needed .* https:\/\/nodejs\.org/)
  })

  for (const [signal, send] of [
    ['SIGTERM', (child: ChildProcess) => child.kill('SIGTERM')],
    // As a terminal sends it.
    ['SIGINT to all', (child: ChildProcess) => process.kill(-(child.pid ?? 0), 'SIGINT')],
    ['SIGKILL', (child: ChildProcess) => child.kill('SIGKILL')],
  ] as const)
    test(`${signal} during the installation ends the installation too; the next start installs`, async () => {
      const tree = createTree({ isSlow: true })
      const child = spawn(join(tree, 'everscan'), ['x'], {
        env: treeEnv(tree),
        stdio: 'ignore',
        detached: true,
      })
      const exited = once(child, 'exit')
      const pidFile = join(tree, 'npm-pid')
      await until('npm runs', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'))
      const npm = Number(readFileSync(pidFile, 'utf8'))
      send(child)
      await exited
      await until('npm is gone', () => !isAlive(npm), 15_000)
      writeFileSync(join(tree, 'npm'), fakeNpm(false))
      execFileSync(join(tree, 'everscan'), ['x'], { env: treeEnv(tree), stdio: 'ignore' })
      assert.equal(countInstalls(tree), 2)
    })

  test('a failed installation is reported and retried', () => {
    const tree = createTree()
    writeFileSync(join(tree, 'npm'), '#!/bin/sh\necho "no network" >&2\nexit 1\n')
    const call = () => spawnSync(join(tree, 'everscan'), ['x'], { encoding: 'utf8', env: treeEnv(tree) })
    for (const { status, stderr } of [call(), call()]) {
      assert.equal(status, 1)
      assert.match(stderr, /no network\n.*The installation failed; see the reason from npm above/s)
    }
  })
})

describe('the installation with npm itself', () => {
  for (const [name, env] of [
    ['NODE_ENV=production', { NODE_ENV: 'production' }],
    ['npm_config_omit=dev', { npm_config_omit: 'dev' }],
    ['npm_config_production=true', { npm_config_production: 'true' }],
  ] as const)
    test(`${name} omits nothing, and a broken tree repairs itself`, () => {
      const tree = createTree({ npm: 'real' })
      const install = () =>
        execFileSync(process.execPath, [join(tree, 'scripts', 'install.mjs')], {
          cwd: tree,
          env: { ...inherited(), ...env },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        })
      const devPackage = join(tree, 'node_modules', 'dev-one', 'package.json')
      install()
      assert.ok(existsSync(devPackage))
      // As an earlier release left it: the stamp exists, but the package does not.
      rmSync(dirname(devPackage), { recursive: true })
      install()
      assert.ok(existsSync(devPackage))
      const stamp = statSync(join(tree, 'node_modules', '.everscan-installed')).mtimeMs
      install()
      assert.equal(statSync(join(tree, 'node_modules', '.everscan-installed')).mtimeMs, stamp)
    })
})

describe('what the service keeps private', () => {
  let service: Service
  const dataDir = scratch()
  before(async () => {
    chmodSync(dataDir, 0o755)
    service = await startService({
      DATA_DIR: dataDir,
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
      front: ['HOST', 'PORT', 'PUBLIC_URL', 'VISITOR_KEY'],
      api: ['HTTPS_PROXY', 'PUBLIC_URL', 'RETENTION_DAYS', 'SECRET', 'SMTP_URL'],
      worker: ['HTTPS_PROXY', 'PUBLIC_URL', 'RETENTION_DAYS', 'SECRET', 'VISITOR_KEY'],
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

type Called = { words: string[]; dataDir: string; cwd: string; node: string; pid: number }

/** Stands for the service and prints how it was called. */
const stubMain = `const { DATA_DIR: dataDir } = process.env
const called = { words: process.argv.slice(2), dataDir, cwd: process.cwd(), node: process.execPath, pid: process.pid }
process.stdout.write(JSON.stringify(called))
`

/** Stands for npm: creates what an installation creates, or never ends. */
function fakeNpm(isSlow: boolean): string {
  const work = isSlow
    ? 'echo $$ > npm-pid; exec sleep 60'
    : `mkdir -p node_modules/dev-one node_modules/.bin
echo '{}' > node_modules/dev-one/package.json
ln -sf "$TEST_NODE" node_modules/.bin/node`
  return `#!/bin/sh\necho "$@" >> installs\n${work}\n`
}

/** The project's scripts around a separate package, where an installation takes no time. */
function createTree({
  isSlow = false,
  npm = 'fake',
}: { isSlow?: boolean; npm?: 'fake' | 'real' } = {}): string {
  const tree = scratch()
  for (const folder of ['scripts', 'server/src', 'dev-one'])
    mkdirSync(join(tree, folder), { recursive: true })
  for (const file of [
    'everscan',
    'scripts/install.mjs',
    'scripts/run-child.mjs',
    'server/src/node-version.mjs',
  ])
    copyFileSync(join(root, file), join(tree, file))
  const write = (file: string, content: string | object): void =>
    writeFileSync(join(tree, file), typeof content === 'string' ? content : JSON.stringify(content))
  write('server/src/main.mjs', stubMain)
  write(
    'scripts/build.mjs',
    `import{writeFileSync}from'node:fs';writeFileSync(new URL('../built',import.meta.url),'')`,
  )
  const devDependencies = { 'dev-one': 'file:dev-one' }
  write('package.json', { name: 'tree', version: '1.0.0', devDependencies })
  write('dev-one/package.json', { name: 'dev-one', version: '1.0.0' })
  write('package-lock.json', {
    name: 'tree',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'tree', version: '1.0.0', devDependencies },
      'dev-one': { version: '1.0.0', dev: true },
      'node_modules/dev-one': { resolved: 'dev-one', link: true },
      'node_modules/of-another-platform': { version: '1.0.0', optional: true, os: ['none'] },
    },
  })
  if (npm === 'real') return tree
  write('npm', fakeNpm(isSlow))
  chmodSync(join(tree, 'npm'), 0o755)
  return tree
}

function treeEnv(tree: string): NodeJS.ProcessEnv {
  return { ...inherited(), PATH: `${tree}:${process.env['PATH']}`, TEST_NODE: process.execPath }
}

function countInstalls(tree: string): number {
  return readFileSync(join(tree, 'installs'), 'utf8').trim().split('\n').length
}

function descendantsOf(pid: number): number[] {
  return childrenOf(pid).flatMap((child) => [child.pid, ...descendantsOf(child.pid)])
}
