// Runs before `npm start`, `npm test` and other commands, after install.mjs and on the same Node.
// Builds the dashboard, bundles the server and compiles the bundle into Node's cache, each only if
// its sources have changed since the last time. An archive of a release contains the first two.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { runChild } from './run-child.mjs'
import { installPackages } from './run-npm.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const packagedNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(packagedNode) ? packagedNode : process.execPath
const nodeVersion = execFileSync(node, ['--version'])
/** A copy of the dashboard's sources with the packages that build them, if those are not here. */
const workshop = join(root, 'node_modules', '.cache', 'workshop')

await whenChanged(
  join(root, 'web', 'dist', '.built-from'),
  [
    'package-lock.json',
    'web/index.html',
    'web/share.html',
    'web/vite.config.ts',
    ...sourcesIn('web/src', 'web/public', 'client/src', 'contract/src', 'qr/src', 'pages/src'),
  ],
  '',
  async () => {
    process.stderr.write('Building the dashboard (takes some seconds) ...\n')
    const place = await openWorkshop()
    const args = ['build', '--logLevel', 'warn', '--emptyOutDir', '--outDir', join(root, 'web', 'dist')]
    const vite = join(dirname(resolveFrom(place, 'vite/package.json')), 'bin', 'vite.js')
    if (!(await runChild(node, [vite, ...args], { cwd: join(place, 'web') }))) {
      process.stderr.write('The dashboard could not be built; see the reason above.\n')
      process.exit(1)
    }
  },
)

const serverSources = [
  'package-lock.json',
  'server/package.json',
  'scripts/bundle/bundle-server.mjs',
  'scripts/bundle/kept-places.mjs',
  ...sourcesIn('server/src', 'pages/src', 'qr/src', 'contract/src'),
]
const bundleFolder = join(root, 'server', 'dist', 'bundle')
const bundleIndex = join(bundleFolder, 'index.json')
const bundleStamp = join(bundleFolder, '.bundled-from')
if (!existsSync(bundleIndex)) rmSync(bundleStamp, { force: true })
const checked = new Date()
const isBundled = await whenChanged(bundleStamp, serverSources, '', async () => {
  const place = await openWorkshop({ isNeeded: false })
  const script = join(root, 'scripts', 'bundle', 'bundle-server.mjs')
  if (place !== undefined && (await runChild(node, [script, resolveFrom(place, 'rolldown')], { cwd: root })))
    return true
  process.stderr.write(
    'The server could not be bundled; see the reason above. It runs from its sources, which takes longer.\n',
  )
  return false
})
// A process runs the bundle if no source is newer. These are its sources, even if a copy or another
// branch gave them later times. A change since the beginning of this build is newer.
if (isBundled) tryTo(() => utimesSync(bundleIndex, checked, checked))
rmSync(workshop, { recursive: true, force: true })

// A process that finds a source missing from the cache loads the type stripper and keeps it in
// memory as long as it runs. On the first start of a service, or after an update, that would be
// every process. A source that cannot be compiled reports its error at startup.
await whenChanged(
  join(root, 'node_modules', '.cache', 'compiled', '.compiled-from'),
  serverSources,
  `${nodeVersion.toString()}${isBundled}`,
  () => runChild(node, [join(root, 'server', 'src', 'main.mjs'), 'compile'], { cwd: root }),
)

/**
 * Returns where the dashboard can be built: here, or in a copy with the packages for it. Without
 * these packages the process ends, or if it can go on without, the result is undefined.
 */
async function openWorkshop({ isNeeded = true } = {}) {
  if (resolveFrom(root, 'vite/package.json') !== undefined) return root
  if (existsSync(join(workshop, 'node_modules', '.package-lock.json'))) return workshop
  process.stderr.write('Installing what builds dashboard and server, until they are built ...\n')
  rmSync(workshop, { recursive: true, force: true })
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifests = ['', ...workspaces].map((folder) => join(folder, 'package.json'))
  const sources = ['web', 'client', 'contract', 'qr', 'pages'].map((folder) => join(folder, 'src'))
  for (const path of [
    ...manifests,
    ...sources,
    'package-lock.json',
    join('web', 'index.html'),
    join('web', 'share.html'),
    join('web', 'public'),
    join('web', 'vite.config.ts'),
  ])
    if (existsSync(join(root, path))) cpSync(join(root, path), join(workshop, path), { recursive: true })
  const args = ['--include=dev', '--include=optional', '--include=peer', '--workspace=web']
  if (!(await installPackages(args, { cwd: workshop }))) {
    process.stderr.write('What builds them could not be installed; see the reason from npm above.\n')
    if (!isNeeded) return undefined
    process.exit(1)
  }
  return workshop
}

/**
 * Returns the file of a package as the dashboard finds it, or undefined if it is not installed. The
 * installer decides where packages of a workspace are: npm lifts them to the root, others don't.
 */
function resolveFrom(place, specifier) {
  try {
    return createRequire(join(place, 'web', 'package.json')).resolve(specifier)
  } catch {
    return undefined
  }
}

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

/**
 * Does the work unless it was already done for exactly these files, and for `version`. Returns
 * whether it was or is done; the next start does it again if `work` resolves to false.
 */
async function whenChanged(stampPath, files, version, work) {
  const hash = createHash('sha256').update(version)
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  const digest = hash.digest('hex')
  if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === digest) return true
  if ((await work()) === false) return false
  tryTo(() => {
    mkdirSync(dirname(stampPath), { recursive: true })
    writeFileSync(stampPath, digest)
  })
  return true
}

/** If only the owner may write here, the installation runs all the same. */
function tryTo(write) {
  try {
    write()
  } catch {
    // See above.
  }
}
