// Runs before `npm start`, `npm test` and the others, on whatever Node the machine has: plain JavaScript, nothing imported that needs installing.
// Installs what the lockfile says when that was not done yet, or when a pull changed the lockfile.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
  process.stderr.write(`Installing dependencies (${why}; about 350 MB, half a minute or more) ...\n`)
  const npm = process.env.npm_execpath
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error', '--include=optional', '--include=dev']
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
