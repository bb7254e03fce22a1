// `npm test` runs every *.test.ts of the workspaces. `npm run soak` runs them with SOAK=1, and also
// the *.soak.ts suites. Arguments are path parts that select files: `npm test -- journal`. The last
// line is `N passed, N failed`. Before it come the slowest suites, and those that failed beside
// others and passed when retried alone.
import { existsSync, globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import { createSqliteTemplate, migratePostgres } from '../server/src/db/testing/templates.ts'
import { batchesOf, readSuite, type Batch } from './testing/batches.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const soak = words.includes('--soak')
const selectors = words.filter((word) => !word.startsWith('--'))
if (soak) process.env['SOAK'] = '1'

const files = globSync(soak ? '*/{src,test}/**/*.{test,soak}.ts' : '*/{src,test}/**/*.test.ts', { cwd: root })
  .concat(globSync('scripts/**/*.test.ts', { cwd: root }))
  .filter((file) => selectors.length === 0 || selectors.some((selector) => file.includes(selector)))
  .sort()

// Many processes load the same packages, and read the same sources.
const packedPackages = join(root, 'server', 'src', 'use-packed-packages.mjs')
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')

/** A suite that takes longer hangs, and its process with it. */
const suiteMsMax = soak ? 4 * 3_600_000 : 900_000

type Result = { passed: number; failed: number; seconds: number }
const results = new Map<string, Result>()

async function runBatches(batches: readonly Batch[], concurrency: number): Promise<void> {
  const waiting = [...batches]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) await runBatch(batch)
    }),
  )
}

/** Counts the tests of each suite of a batch. One whose process ends before it has failed. */
async function runBatch(batch: Batch): Promise<void> {
  const stream = run({
    files: [join(root, 'scripts', 'testing', 'batch.ts')],
    execArgv: ['--import', packedPackages],
    argv: [...batch],
    concurrency: 1,
    timeout: suiteMsMax * batch.length,
  })
  // The tests of a suite are told before it.
  let [passed, failed] = [0, 0]
  const ended = new Set<string>()
  const endSuite = (name: string, tookMs: number): void => {
    results.set(name, { passed, failed, seconds: tookMs / 1000 })
    ended.add(name)
    ;[passed, failed] = [0, 0]
  }
  const isSuite = ({ name, nesting }: { name: string; nesting: number }): boolean =>
    nesting === 0 && batch.includes(name)
  stream.on('test:pass', (event) => {
    if (isSuite(event)) return endSuite(event.name, event.details.duration_ms)
    if (event.skip !== undefined || event.todo !== undefined) failed++
    else if (event.details.type !== 'suite') passed++
  })
  stream.on('test:fail', (event) => {
    // Don't count a suite in addition to its failed tests.
    if ((event.details.error as { failureType?: string }).failureType !== 'subtestsFailed') failed++
    if (isSuite(event)) endSuite(event.name, event.details.duration_ms)
  })
  // Written at once, so that the lines of batches do not mix.
  const lines: string[] = []
  for await (const chunk of stream.compose(new spec())) lines.push(String(chunk))
  process.stdout.write(lines.join(''))
  for (const name of batch) if (!ended.has(name)) results.set(name, { passed: 0, failed: 1, seconds: 0 })
}

/** Runs failed suites again, each alone. A second failure counts. Returns those that passed. */
async function retryAlone(): Promise<string[]> {
  const again = files.filter((file) => (results.get(file)?.failed ?? 0) > 0)
  await runBatches(
    again.map((file) => [file]),
    1,
  )
  return again.filter((file) => results.get(file)?.failed === 0)
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, program)))
}

if (files.length === 0) console.error(`no test file matches ${selectors.join(' ')}`)
// Suites that measure times come last, each with the machine for itself.
const suites = (...names: string[]): string[] =>
  names.map((name) => join('server', ...`${name}.test.ts`.split('/')))
const measuring = [
  ...suites('test/speed/latency', 'test/speed/dashboard-speed'),
  join('bench', 'src', 'speed.test.ts'),
]
const isMeasuring = (batch: Batch): boolean => batch.some((file) => measuring.includes(file))
const batches = batchesOf(files, readSuite(root))
// Suites of whole services take longest: they come first, so that none runs alone at the end.
const isService = (batch: Batch): boolean => batch[0]?.startsWith(join('server', 'test')) === true
const beside = batches.filter((batch) => !isMeasuring(batch))
const shared = await shareCatalogues()
await runBatches(
  [...beside.filter((batch) => isService(batch)), ...beside.filter((batch) => !isService(batch))],
  // Suites wait much, for disks and processes: so more run than there are processors.
  availableParallelism() + 1,
)
await runBatches(
  batches.filter((batch) => isMeasuring(batch)),
  1,
)
// A busy machine misses bounds in seconds, so each failed suite gets one more attempt alone and is
// listed.
const retried = soak ? [] : await retryAlone()
await shared.remove()

/** Has all suites share one PostgreSQL server, and catalogues to copy. */
async function shareCatalogues(): Promise<{ remove: () => Promise<void> }> {
  const postgres = await startPostgres()
  const template = await postgres.createDatabase()
  await migratePostgres(template)
  const dataDir = await createSqliteTemplate()
  Object.assign(process.env, {
    EVERSCAN_TEST_POSTGRES: postgres.url,
    EVERSCAN_TEST_POSTGRES_TEMPLATE: template,
    EVERSCAN_TEST_SQLITE_TEMPLATE: dataDir,
  })
  return {
    remove: async () => {
      await postgres.remove()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

if (!soak && selectors.length === 0 && !isInstalled('pebble'))
  console.log(
    'pebble is not installed: `npm run soak -- pebble` orders certificates from it, and fails without',
  )
const slowest = [...results].sort(([, a], [, b]) => b.seconds - a.seconds).slice(0, 10)
if (slowest.length > 1) console.log('The slowest suites, in seconds:')
for (const [file, { seconds }] of slowest) console.log(`${seconds.toFixed(1).padStart(6)} ${file}`)
for (const file of retried) console.log(`${file}: failed beside other suites and passed alone`)
console.log(`${retried.length} ${retried.length === 1 ? 'suite' : 'suites'} retried`)
const sum = (of: 'passed' | 'failed'): number => [...results.values()].reduce((all, one) => all + one[of], 0)
const failed = files.length === 0 ? 1 : sum('failed')
console.log(`${sum('passed')} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
