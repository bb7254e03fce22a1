import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import type { Batch } from './batches.ts'

/** `failures` are the titles of the failed tests, each with the first line of its error. */
export type SuiteResult = { passed: number; failed: number; seconds: number; failures: readonly string[] }

/** `processorTimes` are in seconds, both by the path of the suite; `output` is for people. */
export type BatchResult = {
  results: ReadonlyMap<string, SuiteResult>
  processorTimes: ReadonlyMap<string, number>
  output: string
}

const root = join(import.meta.dirname, '..', '..')
const packedPackages = join(root, 'server', 'src', 'loading', 'resolve-sources.mjs')
/** Before anything that imports the runner. */
const untrackedPromises = join(root, 'scripts', 'testing', 'untracked-promises.ts')

/** Runs the suites of a batch in one process. A suite whose process ends before it has failed. */
export async function runBatch(batch: Batch, { suiteMsMax }: { suiteMsMax: number }): Promise<BatchResult> {
  const stream = run({
    files: [join(root, 'scripts', 'testing', 'batch.ts')],
    execArgv: ['--import', untrackedPromises, '--import', packedPackages],
    argv: [...batch],
    concurrency: 1,
    timeout: suiteMsMax * batch.length,
  })
  const results = new Map<string, SuiteResult>()
  const processorTimes = new Map<string, number>()
  // The tests of a suite are told before it.
  let [passed, failed] = [0, 0]
  let failures: string[] = []
  const endSuite = (name: string, seconds: number): void => {
    results.set(name, { passed, failed, seconds, failures })
    ;[passed, failed] = [0, 0]
    failures = []
  }
  const fail = (name: string, why: string): void => {
    failed++
    failures.push(`${name}: ${why}`)
  }
  const isSuite = ({ name, nesting }: { name: string; nesting: number }): boolean =>
    nesting === 0 && batch.includes(name)
  stream.on('test:pass', (event) => {
    if (isSuite(event)) return endSuite(event.name, event.details.duration_ms / 1000)
    if (event.skip !== undefined || event.todo !== undefined) fail(event.name, 'was skipped')
    else if (event.details.type !== 'suite') passed++
  })
  stream.on('test:fail', (event) => {
    // Don't count a suite in addition to its failed tests.
    const { failureType, cause } = event.details.error as { failureType?: string; cause?: unknown }
    if (failureType !== 'subtestsFailed') fail(event.name, firstLine(cause))
    if (isSuite(event)) endSuite(event.name, event.details.duration_ms / 1000)
  })
  stream.on('test:diagnostic', ({ message }) => {
    const [word, suite, seconds] = message.split(' ')
    if (word === 'processor' && suite !== undefined) processorTimes.set(suite, Number(seconds))
  })
  // Written at once, so that the lines of batches do not mix.
  const lines: string[] = []
  for await (const chunk of stream.compose(new spec())) lines.push(String(chunk))
  // A failure after the last suite, or one that ends the process with an error, belongs to none.
  if (failed > 0) endSuite(`the end of ${batch.join(', ')}`, 0)
  for (const name of batch) {
    if (results.has(name)) continue
    fail(name, 'the process ended before it')
    endSuite(name, 0)
  }
  return { results, processorTimes, output: lines.join('') }
}

function firstLine(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? ''
}
