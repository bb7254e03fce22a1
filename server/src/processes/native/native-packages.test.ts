import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test, type TestContext } from 'node:test'
import { pino } from 'pino'
import { FatalError } from '../../errors.ts'
import { failedPackages, type FailedPackage } from './native-packages.ts'
import { tellFailed } from './unable-roles.ts'

const signals = pathToFileURL(join(import.meta.dirname, '..', 'testing', 'signals.ts')).href
const log = pino({ level: 'silent' })

/** A data directory, and a program in the place of the one that uses packages. */
function machine(t: TestContext, { fails = '', throws = '' } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-native-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const program = join(dataDir, 'trial.mts')
  const tried = join(dataDir, 'tried')
  writeFileSync(
    program,
    `import { appendFileSync } from 'node:fs'
import { sendSignal } from '${signals}'
for (const name of process.argv.slice(2)) {
  appendFileSync('${tried}', name + '\\n')
  // As a processor that does not know an instruction of the package.
  if (name === '${fails}') sendSignal(process.pid, 'SIGILL')
  const reason = name === '${throws}' ? 'libc is too old' : undefined
  await new Promise((resolve) => process.send({ name, reason }, resolve))
}
process.disconnect()`,
  )
  const find = (hasEngine = true) => failedPackages({ dataDir, env: {}, hasEngine, program })
  return {
    dataDir,
    find,
    tried: () => (existsSync(tried) ? readFileSync(tried, 'utf8').split('\n').length - 1 : 0),
  }
}

test('every native package of the service runs on this machine', async (t) => {
  const { dataDir } = machine(t)
  assert.deepEqual(await failedPackages({ dataDir, env: {}, hasEngine: true }), [])
})

test('a package that ends its process is named, and the ones behind it are tried', async (t) => {
  const one = machine(t, { fails: 'sharp' })
  const [failed, ...more] = await one.find()
  assert.deepEqual([failed?.name, failed?.reason, more], ['sharp', 'SIGILL', []])
  assert.equal(one.tried(), 3)
})

test('a package that cannot be loaded is named with the words of the system', async (t) => {
  const [failed] = await machine(t, { throws: '@duckdb/node-api' }).find()
  assert.deepEqual([failed?.name, failed?.reason], ['@duckdb/node-api', 'libc is too old'])
})

test('packages that work are tried once; others at every start', async (t) => {
  const sound = machine(t)
  for (let start = 0; start < 3; start++) assert.deepEqual(await sound.find(), [])
  assert.equal(sound.tried(), 3)

  const broken = machine(t, { fails: 'sharp' })
  for (let start = 0; start < 2; start++) assert.equal((await broken.find()).length, 1)
  assert.equal(broken.tried(), 6)
})

test('a trial that is cut short proves nothing, and the next start tries again', async (t) => {
  const one = machine(t)
  const program = join(one.dataDir, 'killed.mjs')
  writeFileSync(program, 'process.exit()')
  const find = () => failedPackages({ dataDir: one.dataDir, env: {}, hasEngine: false, program })
  assert.deepEqual(await find(), [])
  assert.deepEqual(await one.find(false), [])
  assert.equal(one.tried(), 2)
})

const brokenPackage = (name: FailedPackage['name']): FailedPackage => ({
  name,
  needs: 'x86-64-v3',
  reason: 'SIGILL',
})

const partWith = (problem: string, name: string) => ({
  name: 'nativePackages',
  ok: false,
  problem,
  values: { package: name, needs: 'x86-64-v3', reason: 'SIGILL' },
})

const tell = (...names: FailedPackage['name'][]) => {
  const { roles, parts } = tellFailed(names.map(brokenPackage), log)
  return [[...roles], parts.map(({ name, ok, problem, values }) => ({ name, ok, problem, values }))]
}

test('what still works is told: redirects without pictures or engine, nothing without SQLite', () => {
  assert.deepEqual(tell(), [[], []])
  assert.deepEqual(tell('@duckdb/node-api'), [['engine'], [partWith('figuresCannotRun', '@duckdb/node-api')]])
  assert.deepEqual(tell('sharp', '@duckdb/node-api'), [
    ['api', 'worker', 'engine'],
    [partWith('apiCannotRun', 'sharp')],
  ])
  assert.throws(() => tell('better-sqlite3'), FatalError)
})
