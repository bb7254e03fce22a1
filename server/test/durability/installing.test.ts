import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { inherited, until } from '../support/service.ts'
import { isAlive, sendSignal } from '../../src/processes/testing/signals.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const directories: string[] = []
after(() => directories.forEach((path) => rmSync(path, { recursive: true, force: true })))

function scratch(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'everscan start ')))
  directories.push(path)
  return path
}

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
    ['SIGINT to all', (child: ChildProcess) => sendSignal(-(child.pid ?? 0), 'SIGINT')],
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
      await until('npm is gone', () => !isAlive(npm))
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

test('a packaged Node that the system cannot run is named, when it is installed and later', () => {
  const tree = createTree()
  const foreign = join(tree, 'foreign-node')
  writeFileSync(foreign, '#!/no/such/loader\n', { mode: 0o755 })
  for (const attempt of ['installed', 'later']) {
    const env = { ...treeEnv(tree), TEST_NODE: foreign }
    const { status, stderr } = spawnSync(join(tree, 'everscan'), ['x'], { env, encoding: 'utf8' })
    assert.notEqual(status, 0, attempt)
    assert.ok(stderr.includes(join('node_modules', '.bin', 'node')), stderr)
    assert.ok(stderr.includes('does not run on this machine'), stderr)
  }
})

describe('parts of the installation', () => {
  test('starting installs what running needs; development adds the rest, and an update keeps it', () => {
    const tree = createTree()
    start(tree)
    assert.match(installsIn(tree).at(-1) ?? '', / --omit=dev .*--workspace=server /)
    newLockfile(tree)
    start(tree)
    assert.match(installsIn(tree).at(-1) ?? '', / --omit=dev /)
    installParts(tree)
    assert.match(installsIn(tree).at(-1) ?? '', / --include=dev /)
    start(tree)
    assert.equal(countInstalls(tree), 3)
    newLockfile(tree)
    start(tree)
    assert.equal(countInstalls(tree), 4)
    assert.match(installsIn(tree).at(-1) ?? '', / --include=dev /)
  })

  test('a package that the server names is missing: installs again', () => {
    const tree = createTree()
    start(tree)
    rmSync(join(tree, 'node_modules', 'one'), { recursive: true })
    start(tree)
    assert.equal(countInstalls(tree), 2)
  })

  test('the tree of an earlier release has everything, and keeps it', () => {
    const tree = createTree()
    installParts(tree)
    const lockfile = readFileSync(join(tree, 'package-lock.json'))
    const stamp = join(tree, 'node_modules', '.everscan-installed')
    writeFileSync(stamp, createHash('sha256').update(lockfile).digest('hex'))
    start(tree)
    assert.equal(countInstalls(tree), 1)
  })

  test('files for compilers and binaries for other platforms are gone, and only those', () => {
    const tree = createTree()
    start(tree)
    const isThere = (path: string) => existsSync(join(tree, 'node_modules', path))
    const own = `${process.platform}-${process.arch}`
    assert.ok(!isThere(`node-${own}/include`) && isThere(`node-${own}/bin`))
    assert.ok(!isThere('better-sqlite3/prebuilds/other-arch.node'))
    assert.ok(!isThere('one/index.d.ts') && !isThere('one/index.js.map') && isThere('one/index.js'))
    assert.ok(isThere(`better-sqlite3/prebuilds/${own}.node`))
  })
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
    : `own=${process.platform}-${process.arch}
cd node_modules 2>/dev/null || { mkdir node_modules && cd node_modules; }
mkdir -p .bin dev-one one node-$own/bin node-$own/include better-sqlite3/prebuilds
for one in dev-one one; do echo '{}' > $one/package.json; done
touch one/index.js one/index.js.map one/index.d.ts
touch better-sqlite3/prebuilds/$own.node better-sqlite3/prebuilds/other-arch.node
cd ..
ln -sf "$TEST_NODE" node_modules/.bin/node`
  return `#!/bin/sh\necho "$@" >> installs\n${work}\n`
}

/** The project's scripts around a separate package, where an installation takes no time. */
function createTree({
  isSlow = false,
  npm = 'fake',
}: { isSlow?: boolean; npm?: 'fake' | 'real' } = {}): string {
  const tree = scratch()
  for (const folder of ['scripts/sizes', 'server/src/loading', 'dev-one'])
    mkdirSync(join(tree, folder), { recursive: true })
  for (const file of [
    'everscan',
    'scripts/install.mjs',
    'scripts/sizes/installed-files.mjs',
    'scripts/run-child.mjs',
    'scripts/run-npm.mjs',
    'server/src/loading/node-version.mjs',
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
  write('server/package.json', { name: 'server', version: '1.0.0' })
  write('dev-one/package.json', { name: 'dev-one', version: '1.0.0' })
  write('package-lock.json', {
    name: 'tree',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'tree', version: '1.0.0', devDependencies },
      ...(npm === 'fake' && { server: { version: '1.0.0', dependencies: { one: '1.0.0' } } }),
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

function installParts(tree: string, ...words: string[]): void {
  const script = join(tree, 'scripts', 'install.mjs')
  execFileSync(process.execPath, [script, ...words], { env: treeEnv(tree), stdio: 'ignore' })
}

function start(tree: string): void {
  execFileSync(join(tree, 'everscan'), ['x'], { env: treeEnv(tree), stdio: 'ignore' })
}

function newLockfile(tree: string): void {
  appendFileSync(join(tree, 'package-lock.json'), '\n')
}

function treeEnv(tree: string): NodeJS.ProcessEnv {
  return { ...inherited(), PATH: `${tree}:${process.env['PATH']}`, TEST_NODE: process.execPath }
}

/** Returns the words of npm for each installation. */
function installsIn(tree: string): string[] {
  return readFileSync(join(tree, 'installs'), 'utf8').trim().split('\n')
}

function countInstalls(tree: string): number {
  return installsIn(tree).length
}
