// Runs suites in one process, one after another, each as a test with its path as name: `node
// batch.ts FILE …`. What they import is loaded once.
import { AsyncResource } from 'node:async_hooks'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { recordFigures } from './batch-figures.ts'
import { collectTests } from './collected-tests.ts'
import { processorSeconds } from './processor-time.ts'

const root = join(import.meta.dirname, '..', '..')
/** A suite that takes longer hangs. */
const timeout = process.env['SOAK'] === '1' ? 4 * 3_600_000 : 900_000

const collectedTests = new URL('collected-tests.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'node:test' && context.parentURL !== collectedTests
      ? { url: collectedTests, shortCircuit: true }
      : next(specifier, context),
})
// Before the suites, so that its hook belongs to the process.
await import('../../server/src/db/testing/at-process-end.ts')
// A suite that fails may leave a server open, which would keep the process for ever.
after(() => {
  setTimeout(() => {
    console.error('Something stayed open after the last suite.')
    process.exit(1)
  }, 10_000).unref()
})

const batch = process.argv.slice(2)
const figuresFile = process.env['EVERSCAN_TEST_FIGURES']
if (figuresFile !== undefined) recordFigures(figuresFile, batch)
for (const file of batch)
  void test(file, { timeout }, async (suite) => {
    const before = processorSeconds()
    // The runner gives tests to the one in whose scope they are registered.
    const scope = new AsyncResource('suite')
    const register = await collectTests(() => import(pathToFileURL(join(root, file)).href))
    scope.runInAsyncScope(register)
    // After the suite's own hooks: what these end counts only then.
    suite.after(() => suite.diagnostic(`processor ${file} ${(processorSeconds() - before).toFixed(2)}`))
  })
