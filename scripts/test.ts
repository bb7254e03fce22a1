// `npm test` runs every *.test.ts of the workspaces. `npm run soak` runs them with SOAK=1, and also
// the *.soak.ts suites. Arguments are path parts that select files: `npm test -- journal`;
// `--changed` selects the suites that load what differs from main, `--changed=COMMIT` from that
// commit. The last line is `N passed, N failed`. Before it come what took longest, and the suites
// that failed beside others and passed when retried alone.
import { existsSync, globSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import { createSqliteTemplate, migratePostgres } from '../server/src/db/testing/templates.ts'
import { changedFiles, reachedSuites } from './suites/reached-suites.ts'
import { batchesOf, readSuite, roomOf, type Batch } from './testing/batches.ts'
import { processorSeconds } from './testing/processor-time.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const soak = words.includes('--soak')
const selectors = words.filter((word) => !word.startsWith('--'))
if (soak) process.env['SOAK'] = '1'
// Rooms without SQL run on one catalogue: see onEitherDatabase.
else if (selectors.length === 0) process.env['EVERSCAN_TEST_CATALOGUES'] = 'either'

const selected = globSync(soak ? '*/{src,test}/**/*.{test,soak}.ts' : '*/{src,test}/**/*.test.ts', {
  cwd: root,
})
  .concat(globSync('scripts/**/*.test.ts', { cwd: root }))
  .filter((file) => selectors.length === 0 || selectors.some((selector) => file.includes(selector)))
  .sort()
const since = words.find((word) => /^--changed(=|$)/.test(word))
const files = since === undefined ? selected : changedSuites(since.split('=')[1])

// Many processes load the same packages, and read the same sources.
const packedPackages = join(root, 'server', 'src', 'loading', 'resolve-sources.mjs')
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')

/** A suite that takes longer hangs, and its process with it. */
const suiteMsMax = soak ? 4 * 3_600_000 : 900_000

type Result = { passed: number; failed: number; seconds: number }
const results = new Map<string, Result>()
/** Of each suite, in seconds. */
const processorTimes = new Map<string, number>()

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
  stream.on('test:diagnostic', ({ message }) => {
    const [word, suite, seconds] = message.split(' ')
    if (word === 'processor' && suite !== undefined) processorTimes.set(suite, Number(seconds))
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

/** Returns the suites that load what differs from a commit, and says why these. */
function changedSuites(commit: string | undefined): string[] {
  const changed = changedFiles(commit)
  const { suites, why } = reachedSuites({ files: selected, changed })
  for (const line of why) console.log(line)
  console.log(`${changed.length} files changed: ${suites.length} of ${selected.length} suites load them`)
  return suites
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((dir) => existsSync(join(dir, program)))
}

if (selected.length === 0) console.error(`no test file matches ${selectors.join(' ')}`)
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

function printLargest(title: string, figures: ReadonlyMap<string, number>): void {
  console.log(title)
  for (const [name, figure] of [...figures]
    .sort(([, a], [, b]) => b - a)
    .slice(0, Number(process.env['TOPN'] ?? 15)))
    console.log(`${figure.toFixed(1).padStart(6)} ${name}`)
}

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
if (results.size > 1) {
  printLargest(
    'The slowest suites, in seconds:',
    new Map([...results].map(([file, one]) => [file, one.seconds])),
  )
  printLargest('Those that took most processor time, in seconds:', processorTimes)
  const rooms = new Map<string, number>()
  for (const [file, seconds] of processorTimes)
    rooms.set(roomOf(file), (rooms.get(roomOf(file)) ?? 0) + seconds)
  printLargest('Rooms whose suites took most:', rooms)
  console.log(`${processorSeconds().toFixed(0)} seconds of processor time in all`)
}
for (const file of retried) console.log(`${file}: failed beside other suites and passed alone`)
console.log(`${retried.length} ${retried.length === 1 ? 'suite' : 'suites'} retried`)
const sum = (of: 'passed' | 'failed'): number => [...results.values()].reduce((all, one) => all + one[of], 0)
const failed = selected.length === 0 ? 1 : sum('failed')
console.log(`${sum('passed')} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
