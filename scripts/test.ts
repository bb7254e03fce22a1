// `npm test` runs every *.test.ts of the workspaces. `npm run soak` runs them with SOAK=1, and also
// the *.soak.ts suites. Arguments are path parts that select files: `npm test -- journal`. The last
// line is `N passed, N failed`. Before it come the slowest files, and the number of suites that
// failed beside others and passed when retried alone.
import { existsSync, globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import { createSqliteTemplate, migratePostgres } from '../server/src/db/testing/templates.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const soak = words.includes('--soak')
const selectors = words.filter((word) => !word.startsWith('--'))
if (soak) process.env['SOAK'] = '1'

const files = globSync(soak ? '*/{src,test}/**/*.{test,soak}.ts' : '*/{src,test}/**/*.test.ts', { cwd: root })
  .concat(globSync('scripts/*.test.ts', { cwd: root }))
  .filter((file) => selectors.length === 0 || selectors.some((selector) => file.includes(selector)))
  .sort()

// Hundreds of processes load the same packages, and read the same sources.
const packedPackages = join(root, 'server', 'src', 'use-packed-packages.mjs')
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')

let passed = 0
let failed = 0
/** Suites that failed in parallel and passed alone. */
let retried = 0
/** Seconds of each file, measured in parallel runs. */
const seconds = new Map<string, number>()
/** Failed tests of each file. */
const failures = new Map<string, number>()

/** Runs files and counts their tests. A file that fails outside a test counts as one failure. */
async function runFiles(paths: readonly string[], concurrency: number): Promise<void> {
  if (paths.length === 0) return
  const stream = run({
    files: paths.map((file) => join(root, file)),
    execArgv: ['--import', packedPackages],
    concurrency,
    timeout: soak ? 4 * 3_600_000 : 300_000,
  })
  stream.on('test:pass', (event) => {
    if (event.skip !== undefined || event.todo !== undefined) failed++
    else if (event.details.type !== 'suite') passed++
  })
  stream.on('test:fail', (event) => {
    // Don't count a suite in addition to its failed tests.
    if ((event.details.error as { failureType?: string }).failureType === 'subtestsFailed') return
    failed++
    const file = relative(root, event.file ?? '')
    failures.set(file, (failures.get(file) ?? 0) + 1)
  })
  stream.on('test:summary', ({ file, duration_ms: tookMs }) => {
    if (file !== undefined) seconds.set(relative(root, file), tookMs / 1000)
  })
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk)
}

/** Runs failed suites again, each alone. A second failure counts. */
async function retryAlone(): Promise<void> {
  const retries = files.filter((file) => failures.has(file))
  for (const file of retries) {
    const failedFirst = failures.get(file) ?? 0
    const before = { passed, failed }
    failures.delete(file)
    await runFiles([file], 1)
    const hasPassed = failed === before.failed
    ;({ passed, failed } = before)
    if (!hasPassed) continue
    passed += failedFirst
    failed -= failedFirst
    retried++
    console.log(`${file}: ${failedFirst} failed in parallel with other suites and passed alone`)
  }
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, program)))
}

if (files.length === 0) {
  console.error(`no test file matches ${selectors.join(' ')}`)
  failed++
}
// Suites that start whole services come after the rest. Suites that measure times come last, each
// alone.
const suites = (...names: string[]): string[] =>
  names.map((name) => join('server', ...`${name}.test.ts`.split('/')))
const measuring = [
  ...suites('test/speed/latency', 'test/speed/dashboard-speed'),
  join('bench', 'src', 'speed.test.ts'),
]
const alone = files.filter((file) => measuring.includes(file))
// Start the longest suites first, so that they don't run alone at the end.
const longest = suites(
  'test/conformance/conformance',
  'src/api/organizations/cross-organization',
  'src/ingest/orderings',
  'src/demo/prepare-demo',
  'src/ingest/ingest-faults',
  'test/durability/upgrades',
  'test/durability/owners',
  'test/dashboard/campaigns',
  'test/durability/copies',
  'test/durability/hung-processes',
  'test/durability/migration-kills',
  'test/durability/crash',
  'test/dashboard/editor',
  'test/dashboard/analytics',
  'test/dashboard/interruptions',
  'test/conformance/event-streams',
  'test/durability/catalogue-outage',
  'test/durability/outage',
  'test/durability/freshness',
  'test/dashboard/bulk',
  'test/dashboard/editor-preview',
  'test/durability/shutdown',
)
const longestFirst = (paths: readonly string[]): string[] => [
  ...longest.filter((file) => paths.includes(file)),
  ...paths.filter((file) => !longest.includes(file)),
]
// The conformance suite has many tests and measures nothing.
const isService = (file: string): boolean =>
  file.startsWith(join('server', 'test')) && !alone.includes(file) && !file.endsWith('conformance.test.ts')
const services = longestFirst(files.filter(isService))
const others = longestFirst(files.filter((file) => !isService(file) && !alone.includes(file)))
/** Suites wait much, for disks and processes: so more run than there are processors. */
const atOnce = availableParallelism() + 2
if (others.length > 1) {
  const postgres = await startPostgres()
  const template = await postgres.createDatabase()
  await migratePostgres(template)
  const dataDir = await createSqliteTemplate()
  const shared = {
    EVERSCAN_TEST_POSTGRES: postgres.url,
    EVERSCAN_TEST_POSTGRES_TEMPLATE: template,
    EVERSCAN_TEST_SQLITE_TEMPLATE: dataDir,
  }
  Object.assign(process.env, shared)
  await runFiles(others, atOnce)
  for (const name of Object.keys(shared)) delete process.env[name]
  await postgres.remove()
  rmSync(dataDir, { recursive: true, force: true })
} else await runFiles(others, 1)
await runFiles(services, atOnce)
await runFiles(alone, 1)
// A busy machine misses bounds in seconds, so each failed suite gets one more attempt alone and is
// listed.
if (!soak) await retryAlone()

if (!soak && selectors.length === 0 && !isInstalled('pebble'))
  console.log(
    'pebble is not installed: `npm run soak -- pebble` orders certificates from it, and fails without',
  )
const slowest = [...seconds].sort(([, a], [, b]) => b - a).slice(0, 10)
if (slowest.length > 1) console.log('The slowest files, in seconds:')
for (const [file, took] of slowest) console.log(`${took.toFixed(1).padStart(6)} ${file}`)
console.log(`${retried} ${retried === 1 ? 'suite' : 'suites'} retried`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
