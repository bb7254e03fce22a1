import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import type { SuiteResult } from './run-batch.ts'

const folder = 'scripts/testing/fixtures'
/** Returns the results of suites. A test cannot run others in its process. */
async function run(...names: string[]): Promise<[name: string, result: SuiteResult][]> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const suites = names.map((name) => `${folder}/${name}.ts`)
  const args = [join(import.meta.dirname, 'fixtures', 'print-results.ts'), ...suites]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env })
  const results = JSON.parse(stdout) as [string, SuiteResult][]
  return results.map(([name, result]) => [name.replaceAll(`${folder}/`, ''), result])
}

/** Returns how many tests of each suite passed and failed. */
async function resultsOf(...names: string[]): Promise<Record<string, number[]>> {
  const results = await run(...names)
  return Object.fromEntries(results.map(([name, { passed, failed }]) => [name, [passed, failed]]))
}

test('what failed is named, with the first line of its error', async () => {
  const results = await run('fails', 'ends-well')
  assert.deepEqual(
    results.map(([name, { failures }]) => [name, failures]),
    [
      ['fails.ts', ['is wrong: the answer is wrong', 'is left out: was skipped']],
      ['ends-well.ts', []],
    ],
  )
})

test('a process that ends with an error after its suites passed is a failure', async () => {
  assert.deepEqual(await resultsOf('ends-well'), { 'ends-well.ts': [1, 0] })
  assert.deepEqual(await resultsOf('ends-well', 'ends-badly'), {
    'ends-well.ts': [1, 0],
    'ends-badly.ts': [1, 0],
    'the end of ends-well.ts, ends-badly.ts': [0, 1],
  })
})

test('a suite that leaves a server open is a failure, and not a wait', async () => {
  const { 'the end of stays-open.ts': end } = await resultsOf('stays-open')
  assert.deepEqual(end, [0, 1])
})

test('a suite that cannot be loaded is a failure', async () => {
  const { 'missing.ts': missing } = await resultsOf('missing')
  assert.equal(missing?.[0], 0)
  assert.ok((missing?.[1] ?? 0) > 0)
})
