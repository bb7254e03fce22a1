// Runs before `npm start`, `npm test` and others, after install.mjs and on whatever Node that ran on: builds the dashboard, and compiles the
// sources of the server into Node's cache, each when its sources are not those that this was last done for.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(packagedNode) ? packagedNode : process.execPath
const nodeVersion = execFileSync(node, ['--version'])

whenChanged(
  join(root, 'web', 'dist', '.built-from'),
  [
    'package-lock.json',
    'web/index.html',
    'web/vite.config.ts',
    ...sourcesIn('web/src', 'web/public', 'client/src', 'contract/src', 'qr/src'),
  ],
  () => {
    process.stderr.write('Building the dashboard (some seconds) ...\n')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    if (!run([vite, 'build', '--logLevel', 'warn'], join(root, 'web'))) {
      process.stderr.write('The dashboard could not be built; the build says why above.\n')
      process.exit(1)
    }
  },
)

// A process that finds one source which is not in the cache loads what strips types, and keeps it for as long as it runs: of a service that
// starts for the first time, or after an update, that would be every process. What cannot be compiled says why when it starts.
whenChanged(
  join(root, 'node_modules', '.cache', 'compiled', '.compiled-from'),
  sourcesIn('server/src', 'qr/src', 'contract/src'),
  () => run([join(root, 'server', 'src', 'main.mjs'), 'compile'], root),
)

function sourcesIn(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.(tsx?|css|svg|json)$/.test(file) && !/[.-](test|testing)\.tsx?$/.test(file))
      .map((file) => join(folder, String(file)))
      .sort(),
  )
}

/** Does the work unless it was done for these very files, by this version of Node. */
function whenChanged(stampPath, files, work) {
  const hash = createHash('sha256').update(nodeVersion)
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  const wanted = hash.digest('hex')
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return
  work()
  try {
    mkdirSync(dirname(stampPath), { recursive: true })
    writeFileSync(stampPath, wanted)
  } catch {
    // An installation that only its owner may write to: it runs as well, and this is done again the next time.
  }
}

/** Whether it succeeded. Its output goes to standard error, so that a script's standard output stays its own. */
function run(args, cwd) {
  try {
    execFileSync(node, args, { cwd, stdio: ['ignore', 2, 2] })
    return true
  } catch {
    return false
  }
}
