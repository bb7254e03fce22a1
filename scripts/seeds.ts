// `node scripts/seeds.ts COUNT WORD…` runs each random suite whose path contains one of the words
// COUNT times, with SEED from 1 up, and lists the seeds that fail. Two runs are parallel. Exit
// status 1 if a run failed.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { isTest } from './house-rules.ts'
import { importsOf, readSources, targetOf } from './sources.ts'

const root = join(import.meta.dirname, '..')
const [count = '', ...words] = process.argv.slice(2)
if (!/^\d+$/.test(count) || words.length === 0) {
  console.error('usage: node scripts/seeds.ts COUNT WORD…')
  process.exit(2)
}

/** Returns the suites that draw random numbers, themselves or through a helper. */
function randomSuites(): string[] {
  const sources = new Map(readSources().map((source) => [source.path, source.text]))
  const isRandom = (path: string): boolean =>
    importsOf(sources.get(path) ?? '').some((specifier) => {
      const target = targetOf(path, specifier)
      if (target === undefined || !isTest(target)) return false
      return target === 'contract/src/testing/random.ts' || isRandom(target)
    })
  return [...sources.keys()]
    .filter((path) => path.endsWith('.test.ts') && words.some((word) => path.includes(word)))
    .filter((path) => isRandom(path))
}

/** Runs a suite with a seed. Returns its output if it failed, else undefined. */
async function failureOf(path: string, seed: number): Promise<string | undefined> {
  // Without `--test`, which would start a second Node for each seed.
  const preload = join(root, 'server', 'src', 'loading', 'resolve-sources.mjs')
  const child = spawn(process.execPath, ['--import', preload, '--test-reporter=tap', join(root, path)], {
    env: { ...process.env, SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  return status === 0 ? undefined : printed
}

async function runSuite(path: string): Promise<number> {
  const failed: number[] = []
  let next = 1
  const runNext = async (): Promise<void> => {
    while (next <= Number(count)) {
      const seed = next++
      const failure = await failureOf(path, seed)
      if (failure === undefined) continue
      failed.push(seed)
      if (failed.length === 1) console.error(failure)
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, runNext))
  const passed = Number(count) - failed.length
  console.log(
    `${path}: ${passed} of ${count} seeds passed${failed.length > 0 ? `, failed: ${failed.join(', ')}` : ''}`,
  )
  return failed.length
}

const suites = randomSuites()
let failures = 0
for (const path of suites) failures += await runSuite(path)
console.log(`${suites.length} random suites, ${failures} runs failed`)
process.exitCode = failures === 0 && suites.length > 0 ? 0 : 1
