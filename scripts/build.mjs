// Runs before `npm start`, `npm test` and others, after install.mjs and on whatever Node that ran on: builds the dashboard, and compiles the
// sources of the server into Node's cache, each when its sources are not those that this was last done for.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(packagedNode) ? packagedNode : process.execPath
const nodeVersion = execFileSync(node, ['--version'])

await whenChanged(
  join(root, 'web', 'dist', '.built-from'),
  [
    'package-lock.json',
    'web/index.html',
    'web/vite.config.ts',
    ...sourcesIn('web/src', 'web/public', 'client/src', 'contract/src', 'qr/src'),
  ],
  async () => {
    process.stderr.write('Building the dashboard (some seconds) ...\n')
    const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
    if (!(await runChild(node, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web') }))) {
      process.stderr.write('The dashboard could not be built; the build says why above.\n')
      process.exit(1)
    }
  },
)

// A process that finds one source which is not in the cache loads what strips types, and keeps it for as long as it runs: of a service that
// starts for the first time, or after an update, that would be every process. What cannot be compiled says why when it starts.
await whenChanged(
  join(root, 'node_modules', '.cache', 'compiled', '.compiled-from'),
  sourcesIn('server/src', 'qr/src', 'contract/src'),
  () => runChild(node, [join(root, 'server', 'src', 'main.mjs'), 'compile'], { cwd: root }),
)

function sourcesIn(...folders) {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter(
        (file) =>
          /\.(tsx?|css|svg|json)$/.test(file) && !/[.-](test|testing)\.tsx?$|[\\/]testing[\\/]/.test(file),
      )
      .map((file) => join(folder, String(file)))
      .sort(),
  )
}

/** Does the work unless it was done for these very files, by this version of Node. */
async function whenChanged(stampPath, files, work) {
  const hash = createHash('sha256').update(nodeVersion)
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  const wanted = hash.digest('hex')
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return
  await work()
  try {
    mkdirSync(dirname(stampPath), { recursive: true })
    writeFileSync(stampPath, wanted)
  } catch {
    // An installation that only its owner may write to: it runs as well, and this is done again the next time.
  }
}
