import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { createLog } from '../../../log.ts'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import { fileScans } from '../file-scans.ts'
import { rowsOfFiles } from '../parquet/file-sql.ts'
import { ScanEngine } from '../parquet/scan-engine.ts'
import { SegmentBlock } from '../segment-block.ts'
import { engineClient } from './engine-client.ts'
import { serveEngine, type EngineServer } from './engine-server.ts'
import { MessageSocket } from './messages.ts'
import { connected, serveWaking } from './waking.ts'

const folder = mkdtempSync(join(tmpdir(), 'everscan-socket-'))
const socketPath = join(folder, 'engine.sock')
const client = engineClient(socketPath)
const log = createLog({ level: 'silent', role: 'test' })
const listed = { files: [], recent: 'some_table' }
const endless =
  'select count(*) from range(1000000) as a, range(1000000) as b where a.range % 7 = b.range % 11'
const rows = randomScans(randomFrom(testSeed()), {
  organizationId: 'org_1',
  rows: 5_000,
  fromMs: Date.UTC(2026, 2, 1),
  toMs: Date.UTC(2026, 3, 1),
})

let engine: ScanEngine
let server: EngineServer

async function start(): Promise<void> {
  engine = await ScanEngine.open({ folders: [folder], spillTo: join(folder, 'spill'), memory: '64MB' })
  server = await serveEngine({ engine, readListed: async () => listed, socketPath, log })
}

async function stop(): Promise<void> {
  await server.close()
  engine.close()
}

before(start)
after(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

describe('an engine behind a socket', () => {
  test('whose list of scans cannot be read is out, not wrong: the same question may be answered later', async () => {
    const path = join(folder, 'other.sock')
    const other = await serveEngine({
      engine,
      readListed: () => Promise.reject(new Error('there is no record of scans seg_1')),
      socketPath: path,
      log,
    })
    await assert.rejects(
      engineClient(path).ask((select) => select('select 1')),
      {
        name: 'ScanStoreUnavailable',
        message: 'the scan store is not available: there is no record of scans seg_1',
      },
    )
    await other.close()
  })

  test('answers as an engine of this process: values of every type, and one list for a read', async () => {
    const sql = `select $text as text, $n as n, unnest($texts) as one, null as none, true as yes, 1.5::float as half,
       sum(range) as total from range(4) group by all`
    const params = { text: `'; drop ä\n"`, n: 2 ** 40, texts: ['a', 'b'] }
    const answered = await client.ask(async (select, given) => {
      assert.deepEqual(given, listed)
      return [await select(sql, params), await select('select 1 as one where false')]
    })
    const expected = await engine.read(async (select) => [
      await select(sql, params),
      await select('select 1 as one where false'),
    ])
    assert.deepEqual(answered, expected)
  })

  test('keeps long lists of ids for all readers', async () => {
    const ids = Array.from({ length: 30_000 }, (_, at) => `qr_${at}`)
    const name = await client.keepIds(ids.join(','))
    const [row] = await client.ask((select) => select<{ n: number }>(`select count(*) as n from ${name}`))
    assert.deepEqual(row, { n: ids.length })
  })

  test('writes blocks and merges as an engine of this process', async () => {
    const block = new SegmentBlock(rows.length)
    for (const row of rows) block.add(row, false)
    const [first, merged] = ['first', 'merged'].map((name) => join(folder, `${name}.parquet`)) as [
      string,
      string,
    ]
    await client.writeBlock(block, { path: first, facts: '{"id":"f1"}' })
    await client.writeMerged({ from: [first], where: 'sequence % 2 = 0' }, { path: merged, facts: '{}' })
    const count = `select count(*), count(*) filter (where sequence % 2 = 0), max(sequence)`
    assert.deepEqual(
      await client.rows(`${count} from ${rowsOfFiles([first])}`),
      await engine.files.inTurn(() => engine.files.rows(`${count} from ${rowsOfFiles([first])}`)),
    )
    const [[all, even] = []] = await client.rows(`${count} from ${rowsOfFiles([merged])}`)
    assert.equal(all, even)
    assert.ok(Number(all) > 0)
  })

  test('nobody else may open the socket', () => {
    assert.equal(statSync(socketPath).mode & 0o077, 0)
  })
})

describe('when something is wrong', () => {
  test('a wrong query is a fault, a file that is gone is an outage, and the next call is answered', async () => {
    const ask = (sql: string) => client.ask((select) => select(sql))
    const faults = [ask('select nothing from range(1)'), client.rows('selec 1')]
    for (const outcome of await Promise.allSettled(faults))
      assert.ok(outcome.status === 'rejected' && !(outcome.reason instanceof ScanStoreUnavailable))
    await assert.rejects(ask(`from read_parquet('${join(folder, 'none.parquet')}')`), ScanStoreUnavailable)
    assert.deepEqual(await ask('select 1 as one'), [{ one: 1 }])
  })

  test('errors of the work pass as they are', async () => {
    const error = new RangeError('of the work')
    await assert.rejects(
      client.ask(async () => {
        throw error
      }),
      error,
    )
  })

  test('a query of a client that leaves, or is late, gives its place to the next', async () => {
    const slow = Array.from({ length: 8 }, () => client.ask((select) => select(endless), 300))
    for (const outcome of await Promise.allSettled(slow))
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof ScanStoreUnavailable)
    const left = Array.from({ length: 4 }, () =>
      client.ask(async (select) => {
        void select(endless).catch(() => {})
      }),
    )
    await Promise.all(left)
    assert.deepEqual(await client.ask((select) => select('select 2 as two')), [{ two: 2 }])
  })

  test('what a client that has left was writing ends, and the next one writes', async () => {
    const socket = await connected(socketPath)
    new MessageSocket(socket).send({ type: 'rows', sql: endless })
    await client.ask((select) => select('select 1'))
    socket.destroy()
    assert.deepEqual(await client.rows('select 2'), [[2]])
  })

  test('an engine that is away, or ends, is an outage, and the next one is used', async () => {
    const names = { table: '' }
    const ids = Array.from({ length: 30_000 }, (_, at) => `qr_${at}`)
    const codes = { ids: ids.join(','), total: ids.length }
    const scans = fileScans({
      ...client,
      ask: (work, deadlineMs) =>
        client.ask((select) => work(select, { files: [], recent: undefined }), deadlineMs),
      keepIds: async (list) => (names.table = await client.keepIds(list)),
    })
    const scope = {
      organizationId: 'org_1',
      startMs: 0,
      endMs: 1,
      timezone: 'UTC',
      filters: {},
      selection: { mode: 'only', codes },
    } as const
    const read = () => scans.mostScannedQrCodes(scope, { limit: 1, offset: 0 })
    assert.deepEqual(await read(), [])
    const first = names.table
    const waiting = assert.rejects(
      client.ask((select) => select(endless)),
      ScanStoreUnavailable,
    )
    await client.ask((select) => select('select 1'))
    await stop()
    await waiting
    await assert.rejects(read(), ScanStoreUnavailable)
    assert.equal(await client.ping(), false)
    await start()
    assert.equal(await client.ping(), true)
    assert.deepEqual(await read(), [])
    assert.notEqual(names.table, first)
  })

  test('only one process answers on a socket', async () => {
    const other = await ScanEngine.open({
      folders: [folder],
      spillTo: join(folder, 'spill'),
      memory: '64MB',
    })
    await assert.rejects(serveEngine({ engine: other, readListed: async () => listed, socketPath, log }))
    other.close()
    const path = join(folder, 'silent.sock')
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(path, resolve))
    await assert.rejects(
      engineClient(path).ask(async () => 1, 100),
      ScanStoreUnavailable,
    )
    silent.close()
  })
})

/** More than the turns of the loop until an engine has fallen asleep. */
const turnsOfSleep = 800

/** Serves an engine, and serves it again when somebody asks for it. */
async function sleeping(afterMs: number) {
  const path = join(mkdtempSync(join(folder, 'sleeping-')), 'engine.sock')
  let served: Promise<EngineServer> | undefined
  let ends = 0
  const onEnded = () => {
    ends++
    served = undefined
  }
  const options = { engine, readListed: async () => listed, socketPath: path, log }
  const serve = () => (served ??= serveEngine({ ...options, idle: { afterMs, onEnded } }))
  const waking = await serveWaking(path, async () => {
    await serve()
    return 'awake'
  })
  return {
    ...engineClient(path),
    ends: () => ends,
    close: async () => {
      waking.close()
      await (await served)?.close()
    },
  }
}

describe('an engine that ends when nobody asks', () => {
  test('loses nobody who comes while it falls asleep', async () => {
    const random = randomFrom(testSeed())
    const { rows: ask, ends, close } = await sleeping(0)
    const callers = Array.from({ length: 2 }, async () => {
      for (let call = 0; call < 300; call++) {
        for (let turns = random() * turnsOfSleep; turns > 0; turns--) await nextTurn()
        assert.deepEqual(await ask('select 1'), [[1]])
      }
    })
    await Promise.all(callers)
    assert.ok(ends() > 20, `it fell asleep ${ends()} times`)
    await close()
  })

  test('answers all who connected right before it left its socket', async () => {
    const { rows: ask, isAwake, ends, close } = await sleeping(40)
    await ask('select 1')
    // Now the engine knows that the first one has left.
    assert.equal(await isAwake(), true)
    const answers = new Promise((resolve) => {
      setTimeout(() => resolve(Promise.all(Array.from({ length: 20 }, () => ask('select 1')))), 20)
    })
    // Both timers are due then, and the connections are in the backlog: one is accepted in a turn.
    for (const untilMs = performance.now() + 80; performance.now() < untilMs;);
    assert.equal(((await answers) as unknown[]).length, 20)
    assert.equal(ends(), 0)
    await close()
  })

  test('goes on while somebody asks, however long', async () => {
    const { ask, ends, close } = await sleeping(1)
    await ask(async (select) => {
      const fromMs = performance.now()
      await select('select sum(range) as sum from range(20000000) where hash(range) % 7 = 3')
      assert.ok(performance.now() - fromMs > 2, 'the query takes longer than it would wait')
      assert.equal(ends(), 0)
      assert.deepEqual(await select('select 1 as one'), [{ one: 1 }])
    })
    await close()
  })
})
