// `npm test` runs every *.test.ts of the workspaces. `npm run soak` runs them with SOAK=1, and also
// the *.soak.ts suites and those that say so. Arguments are path parts that select files, and take
// the variants of their promises: `npm test -- journal`;
// `--changed` selects the suites that load what differs from main, `--changed=COMMIT` from that
// commit. The last line is `N passed, N failed`. Before it comes what took longest.
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createStoreTemplate } from '../server/src/analytics/testing/store.ts'
import { startPostgres } from '../server/src/db/testing/postgres.ts'
import { createSqliteTemplate, migratePostgres } from '../server/src/db/testing/templates.ts'
import { changedFiles, reachedSuites } from './suites/reached-suites.ts'
import { groupFigures } from './testing/batch-figures.ts'
import { batchesOf, readSuite, variantSign, type Batch } from './testing/batches.ts'
import { processorSeconds } from './testing/processor-time.ts'
import { runBatch, type SuiteResult } from './testing/run-batch.ts'

const root = join(import.meta.dirname, '..')
const words = process.argv.slice(2)
const soak = words.includes('--soak')
const selectors = words.filter((word) => !word.startsWith('--'))
const since = words.find((word) => /^--changed(=|$)/.test(word))
/** Each promise is proved once. */
const isWhole = !soak && selectors.length === 0 && since === undefined
if (soak) process.env['SOAK'] = '1'
if (isWhole) process.env['EVERSCAN_TEST_VARIANTS'] = 'none'

const selected = globSync(soak ? '*/{src,test}/**/*.{test,soak}.ts' : '*/{src,test}/**/*.test.ts', {
  cwd: root,
})
  .concat(globSync('scripts/**/*.test.ts', { cwd: root }))
  .filter((file) => selectors.length === 0 || selectors.some((selector) => file.includes(selector)))
  .filter((file) => !isWhole || !variantSign.test(readSuite(root)(file)))
  .sort()
const files = since === undefined ? selected : changedSuites(since.split('=')[1])

// Many processes load the same packages, and read the same sources.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')

/** A suite that takes longer hangs, and its process with it. */
const suiteMsMax = soak ? 4 * 3_600_000 : 900_000

const results = new Map<string, SuiteResult>()
/** Of each suite, in seconds. */
const processorTimes = new Map<string, number>()

async function runBatches(batches: readonly Batch[], concurrency: number): Promise<void> {
  const waiting = [...batches]
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
        const ran = await runBatch(batch, { suiteMsMax })
        process.stdout.write(ran.output)
        for (const [name, result] of ran.results) results.set(name, result)
        for (const [name, seconds] of ran.processorTimes) processorTimes.set(name, seconds)
      }
    }),
  )
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
const shared = await shareStores()
const figuresDir = mkdtempSync(join(tmpdir(), 'everscan-figures-'))
const figuresFile = (process.env['EVERSCAN_TEST_FIGURES'] = join(figuresDir, 'batches'))
await runBatches(
  [...beside.filter((batch) => isService(batch)), ...beside.filter((batch) => !isService(batch))],
  // Suites wait much, for disks and processes: so more run than there are processors.
  availableParallelism() + 1,
)
await runBatches(
  batches.filter((batch) => isMeasuring(batch)),
  1,
)
await shared.remove()

function printLargest(title: string, figures: ReadonlyMap<string, number>): void {
  console.log(title)
  for (const [name, figure] of [...figures]
    .sort(([, a], [, b]) => b - a)
    .slice(0, Number(process.env['TOPN'] ?? 15)))
    console.log(`${figure.toFixed(1).padStart(6)} ${name}`)
}

/** Has all suites share one PostgreSQL server, and catalogues and a scan store to copy. */
async function shareStores(): Promise<{ remove: () => Promise<void> }> {
  const postgres = await startPostgres()
  const template = await postgres.createDatabase()
  await migratePostgres(template)
  const dataDir = await createSqliteTemplate()
  const emptied = mkdtempSync(join(tmpdir(), 'everscan-emptied-'))
  const engine = await createStoreTemplate()
  Object.assign(process.env, {
    EVERSCAN_TEST_POSTGRES: postgres.url,
    EVERSCAN_TEST_POSTGRES_TEMPLATE: template,
    EVERSCAN_TEST_POSTGRES_EMPTIED: emptied,
    EVERSCAN_TEST_SQLITE_TEMPLATE: dataDir,
    EVERSCAN_TEST_STORE_TEMPLATE: engine.dir,
  })
  return {
    remove: async () => {
      await postgres.remove()
      await engine.remove()
      for (const dir of [dataDir, emptied]) rmSync(dir, { recursive: true, force: true })
    },
  }
}

if (isWhole && !isInstalled('pebble'))
  console.log(
    'pebble is not installed: `npm run soak -- pebble` orders certificates from it, and fails without',
  )
if (results.size > 1) {
  printLargest(
    'The slowest suites, in seconds:',
    new Map([...results].map(([file, one]) => [file, one.seconds])),
  )
  printLargest('Those that took most processor time, in seconds:', processorTimes)
  console.log('Groups of suites: processes, seconds of processor time with what they started, seconds:')
  for (const { group, processes, processorSeconds: busy, seconds } of groupFigures(figuresFile))
    console.log(
      [processes, busy.toFixed(0), seconds.toFixed(0)].map((figure) => String(figure).padStart(6)).join('') +
        ` ${group}`,
    )
  console.log(
    `${processorSeconds().toFixed(0)} seconds of processor time in ${(performance.now() / 1000).toFixed(0)} seconds`,
  )
}
rmSync(figuresDir, { recursive: true })
// Last, so that the end of a long log says what is wrong.
for (const [file, { failures }] of results)
  for (const failure of failures) console.log(`failed: ${file}: ${failure}`)
const sum = (of: 'passed' | 'failed'): number => [...results.values()].reduce((all, one) => all + one[of], 0)
const failed = selected.length === 0 ? 1 : sum('failed')
console.log(`${sum('passed')} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
