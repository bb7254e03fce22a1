// Runs before `npm start`, `npm test` and other commands, after install.mjs and on the same Node.
// Builds the dashboard, packs packages and compiles the server's sources into Node's cache, each
// only if its sources have changed since the last time.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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
    ...sourcesIn('web/src', 'web/public', 'client/src', 'contract/src', 'qr/src', 'pages/src'),
  ],
  async () => {
    process.stderr.write('Building the dashboard (takes some seconds) ...\n')
    // An installer decides where the packages of a workspace are: npm lifts them to the root,
    // others don't.
    const vitePackage = createRequire(join(root, 'web', 'package.json')).resolve('vite/package.json')
    const vite = join(dirname(vitePackage), 'bin', 'vite.js')
    if (!(await runChild(node, [vite, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web') }))) {
      process.stderr.write('The dashboard could not be built; see the reason above.\n')
      process.exit(1)
    }
  },
)

await whenChanged(
  join(root, 'node_modules', '.cache', 'packed', '.packed-from'),
  ['package-lock.json', 'scripts/pack-packages.mjs'],
  () => runChild(node, [join(root, 'scripts', 'pack-packages.mjs')], { cwd: root }),
)

// A process that finds a source missing from the cache loads the type stripper and keeps it in
// memory as long as it runs. On the first start of a service, or after an update, that would be
// every process. A source that cannot be compiled reports its error at startup.
await whenChanged(
  join(root, 'node_modules', '.cache', 'compiled', '.compiled-from'),
  sourcesIn('server/src', 'pages/src', 'qr/src', 'contract/src'),
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

/** Does the work unless it was already done for exactly these files with this version of Node. */
async function whenChanged(stampPath, files, work) {
  const hash = createHash('sha256').update(nodeVersion)
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  const digest = hash.digest('hex')
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === digest) return
  await work()
  try {
    mkdirSync(dirname(stampPath), { recursive: true })
    writeFileSync(stampPath, digest)
  } catch {
    // Only the owner may write to this installation. It still runs, and the next start does this
    // again.
  }
}
