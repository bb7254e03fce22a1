import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { engineClient } from '../analytics/files/socket/engine-client.ts'
import { askForEngine, serveWaking } from '../analytics/files/socket/waking.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import { createLog } from '../log.ts'
import { readinessOf } from '../processes/health.ts'
import { Supervisor } from '../processes/supervisor.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-sleep-'))
const socketPath = join(dir, 'engine.sock')
const entry = join(dir, 'engine.ts')
/** While it exists, an engine ends at its start. */
const broken = join(dir, 'broken')
const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** As `app/engine.ts`, with a short time until it sleeps, and no catalogue. */
writeFileSync(
  entry,
  `import { existsSync, writeFileSync } from 'node:fs'
import { ScanEngine } from ${source('../analytics/files/parquet/scan-engine.ts')}
import { serveEngine } from ${source('../analytics/files/socket/engine-server.ts')}
import { createLog } from ${source('../log.ts')}
import { joinMain } from ${source('../processes/child.ts')}
if (existsSync(${JSON.stringify(broken)})) process.exit(1)
writeFileSync(${JSON.stringify(join(dir, 'pid'))}, String(process.pid))
const log = createLog({ level: 'silent', role: 'engine' })
const [dir, socketPath] = [${JSON.stringify(dir)}, ${JSON.stringify(socketPath)}]
const engine = await ScanEngine.open({ folders: [dir], spillTo: dir + '/spill', memory: '64MB' })
const server = await serveEngine({
  engine,
  readListed: async () => ({ files: [], recent: undefined }),
  socketPath,
  log,
  idle: { afterMs: 150, onEnded: () => child.sleep() },
})
const child = joinMain('engine', log, {
  report: async () => ({ parts: [], metrics: [] }),
  stop: async () => {
    await server.close()
    engine.close()
  },
})
child.ready()
`,
)

const client = engineClient(socketPath)
const log = createLog({ level: 'silent', role: 'test' })
let supervisor: Supervisor
let waking: { close: () => void }
let starts = 0

before(async () => {
  supervisor = new Supervisor({
    entry,
    envOf: () => {
      starts++
      return {}
    },
    log,
    onStarted: () => undefined,
    onFatal: () => undefined,
  })
  waking = await serveWaking(socketPath, async (question) =>
    question === 'wake' ? await supervisor.wake('engine') : supervisor.stateOf('engine'),
  )
  supervisor.expect(1)
  supervisor.start([{ role: 'engine', index: 0 }])
})
after(async () => {
  await supervisor.stop()
  waking.close()
  rmSync(dir, { recursive: true })
})

const startsSince = (known: number) => starts - known
const state = () => askForEngine(socketPath, 'state')
const one = () => client.ask((select) => select('select 1 as one'))

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + 20_000; !(await isSo());) {
    assert.ok(performance.now() < endMs, 'not within 20 s')
    await sleep(5)
  }
}

const asleep = () => until(async () => (await state()) === 'asleep' && !isRunning(enginePid()))

const enginePid = () => Number(readFileSync(join(dir, 'pid'), 'utf8'))

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function isReady(): Promise<boolean> {
  const { parts } = readinessOf(await supervisor.collect(), true)
  return parts['engine-0']?.ok === true
}

describe('an engine that sleeps', () => {
  test('ends when nobody asks, whatever is pinged, and is up; a call starts it again', async () => {
    await until(async () => (await state()) === 'awake')
    const known = starts
    await until(async () => (await client.ping()) && (await state()) === 'asleep')
    await asleep()
    assert.equal(existsSync(socketPath), false)
    assert.equal(await isReady(), true)
    assert.equal(await client.isAwake(), false)
    assert.equal(await client.ping(), true)
    assert.equal(starts, known, 'a ping wakes nobody')
    assert.deepEqual(await one(), [{ one: 1 }])
    assert.equal(starts, known + 1)
  })

  test('is started once for many who ask, and is up meanwhile', async () => {
    await asleep()
    const known = starts
    const answers = Promise.all(Array.from({ length: 20 }, one))
    await until(async () => (await state()) === 'starting')
    assert.equal(await isReady(), true)
    assert.equal(await client.ping(), true)
    assert.equal((await answers).length, 20)
    assert.equal(starts, known + 1)
  })

  test('answers who asks at any moment of falling asleep and of starting', async () => {
    const random = randomFrom(testSeed())
    const known = starts
    for (let round = 0; startsSince(known) < 12; round++) {
      assert.ok(round < 1_000)
      await sleep(100 + random() * 100)
      assert.deepEqual(await one(), [{ one: 1 }])
    }
  })

  test('a kill at any moment is an outage at most, and it sleeps and answers again', async () => {
    const random = randomFrom(testSeed())
    for (let kill = 0; kill < 12; kill++) {
      const asked = one().catch((error: unknown) => error)
      await sleep(random() * (kill % 2 === 0 ? 200 : 500))
      if (isRunning(enginePid())) process.kill(enginePid(), 'SIGKILL')
      const answer = await asked
      assert.ok(Array.isArray(answer) || answer instanceof ScanStoreUnavailable, String(answer))
      await until(async () => Array.isArray(await one().catch(() => undefined)))
      if (kill % 3 === 0) await asleep()
    }
    await asleep()
    assert.equal(await isReady(), true)
  })

  test('one that cannot be started is told at once and is not up, until it can', async () => {
    await asleep()
    writeFileSync(broken, '')
    await assert.rejects(one(), ScanStoreUnavailable)
    await until(async () => !(await isReady()) && !(await client.ping()))
    rmSync(broken)
    await until(isReady)
    assert.deepEqual(await one(), [{ one: 1 }])
  })

  test('a stop while it sleeps, or starts, takes no time, and nobody answers then', async () => {
    await asleep()
    const asked = one().catch((error: unknown) => error)
    await until(async () => (await state()) === 'starting')
    const fromMs = performance.now()
    await supervisor.stop()
    assert.ok(performance.now() - fromMs < 5_000)
    assert.ok((await asked) instanceof ScanStoreUnavailable || Array.isArray(await asked))
    await assert.rejects(one(), ScanStoreUnavailable)
    assert.equal(await client.ping(), false)
  })
})
