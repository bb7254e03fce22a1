// Runs before `npm start` and `npm test`, after install.mjs and on whatever Node that ran on: builds the dashboard when its sources are
// not those that it was last built from.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const stampPath = join(root, 'web', 'dist', '.built-from')

const folders = ['web/src', 'web/public', 'client/src', 'contract/src', 'qr/src']
const sources = [
  'package-lock.json',
  'web/index.html',
  'web/vite.config.ts',
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.(tsx?|css|svg|json)$/.test(file) && !/[.-](test|testing)\.tsx?$/.test(file))
      .map((file) => join(folder, String(file)))
      .sort(),
  ),
]
const hash = createHash('sha256')
for (const file of sources) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
const wanted = hash.digest('hex')

if (!existsSync(stampPath) || readFileSync(stampPath, 'utf8') !== wanted) {
  process.stderr.write('Building the dashboard (some seconds) ...\n')
  const packagedNode = join(root, 'node_modules', '.bin', 'node')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  try {
    execFileSync(
      existsSync(packagedNode) ? packagedNode : process.execPath,
      [vite, 'build', '--logLevel', 'warn'],
      // Its output goes to standard error, so that a script's standard output stays its own.
      { cwd: join(root, 'web'), stdio: ['ignore', 2, 2] },
    )
  } catch {
    process.stderr.write('The dashboard could not be built; the build says why above.\n')
    process.exit(1)
  }
  writeFileSync(stampPath, wanted)
}
