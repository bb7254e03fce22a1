import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { engineClient } from '../analytics/files/socket/engine-client.ts'
import { askForEngine, serveWaking } from '../analytics/files/socket/waking.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import { readinessOf } from '../processes/health.ts'
import { Supervisor } from '../processes/supervisor.ts'
import { isAlive, sendSignal } from '../processes/testing/signals.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-sleep-'))
const socketPath = join(dir, 'engine.sock')
const entry = join(dir, 'engine.ts')
/** While it exists, an engine ends at its start. */
const broken = join(dir, 'broken')
const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** As `app/engine.ts`, with a short time until it sleeps, and no catalogue. */
writeFileSync(
  entry,
  `import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { ScanEngine } from ${source('../analytics/files/parquet/scan-engine.ts')}
import { serveEngine } from ${source('../analytics/files/socket/engine-server.ts')}
import { createLog } from ${source('../log.ts')}
import { joinMain } from ${source('../processes/child.ts')}
if (existsSync(${JSON.stringify(broken)})) process.exit(1)
writeFileSync(${JSON.stringify(join(dir, 'next-pid'))}, String(process.pid))
renameSync(${JSON.stringify(join(dir, 'next-pid'))}, ${JSON.stringify(join(dir, 'pid'))})
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
const messages = new Set<unknown>()
/** Emits `change` when the supervisor logs or starts something, and for files in the folder. */
const changes = new EventEmitter()
const changed = () => void changes.emit('change')
/** `main` logs what becomes of its processes. */
const log = pino(
  { level: 'debug' },
  new Writable({
    write(line: Buffer, _encoding, done) {
      messages.add((JSON.parse(line.toString()) as { msg: unknown }).msg)
      changed()
      done()
    },
  }),
)
const files = watch(dir, changed)
let supervisor: Supervisor
let waking: { close: () => void }
let starts = 0

before(async () => {
  supervisor = new Supervisor({
    entry,
    envOf: () => {
      starts++
      changed()
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
  files.close()
  rmSync(dir, { recursive: true })
})

const state = () => askForEngine(socketPath, 'state')
const one = () => client.ask((select) => select('select 1 as one'))

/** Waits for change after change until something is so. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (;;) {
    const next = once(changes, 'change')
    if (await isSo()) return
    await next
  }
}

const asleep = () => until(async () => (await state()) === 'asleep' && !isAlive(enginePid()))

const enginePid = () => Number(readFileSync(join(dir, 'pid'), 'utf8'))

async function isReady(): Promise<boolean> {
  const { parts } = readinessOf(await supervisor.collect(), true)
  return parts['engine-0']?.ok === true
}

/** A question that was asked before the moment. */
type Reached = { asked?: Promise<unknown> }

async function fallingAsleep(isReached: () => boolean | Promise<boolean>): Promise<Reached> {
  await until(async () => Array.isArray(await one().catch(() => undefined)))
  await until(isReached)
  return {}
}

async function starting(isReached: (known: { starts: number; pid: number }) => boolean): Promise<Reached> {
  await asleep()
  const known = { starts, pid: enginePid() }
  const asked = one()
  asked.catch(() => undefined)
  await until(() => isReached(known))
  return { asked }
}

/** The moments at which an engine falls asleep, or starts again. */
const moments: Readonly<Record<string, () => Promise<Reached>>> = {
  'right after an answer': () => fallingAsleep(() => true),
  'when its socket is gone': () => fallingAsleep(() => !existsSync(socketPath)),
  'when main knows that it sleeps': () => fallingAsleep(async () => (await state()) === 'asleep'),
  'when it has ended': () => fallingAsleep(async () => (await state()) === 'asleep' && !isAlive(enginePid())),
  'before its process runs': () => starting((known) => starts > known.starts),
  'when its process runs': () => starting(({ pid }) => enginePid() !== pid),
  'when its socket is there': () => starting(() => existsSync(socketPath)),
}

describe('an engine that sleeps', () => {
  test('ends when nobody asks, whatever is pinged, and is up; a call starts it again', async () => {
    await until(() => messages.has('process is ready'))
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

  for (const [moment, reach] of Object.entries(moments)) {
    test(`answers who asks ${moment}`, async () => {
      const { asked } = await reach()
      assert.deepEqual(await one(), [{ one: 1 }])
      if (asked !== undefined) assert.deepEqual(await asked, [{ one: 1 }])
    })

    test(`killed ${moment}, it is out at most, and it sleeps and answers again`, async () => {
      const { asked } = await reach()
      if (isAlive(enginePid())) sendSignal(enginePid(), 'SIGKILL')
      const answer = await asked?.catch((error: unknown) => error)
      const isOut = answer instanceof ScanStoreUnavailable
      assert.ok(answer === undefined || Array.isArray(answer) || isOut, String(answer))
      await until(async () => Array.isArray(await one().catch(() => undefined)))
      await asleep()
      assert.equal(await isReady(), true)
    })
  }

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
