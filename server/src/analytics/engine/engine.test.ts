import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { Agent, request } from 'node:http'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client'
import * as fc from 'fast-check'
import { startTestEngine, type TestEngine } from '../testing/engine.ts'

const seed = testSeed()
let engine: TestEngine
let client: ClickHouseClient

before(async () => {
  engine = await startTestEngine()
  client = connect(engine)
  await client.command({
    query: 'create table things (id UInt32, name String) engine = MergeTree order by id',
  })
})
after(async () => {
  await client.close()
  await engine.remove()
})

function connect({ socketPath }: { socketPath: string }): ClickHouseClient {
  const agent: ConstructorParameters<typeof Agent>[0] & { socketPath: string } = {
    keepAlive: true,
    socketPath,
  }
  return createClient({
    url: 'http://engine',
    http_agent: new Agent(agent),
    log: { level: ClickHouseLogLevel.OFF },
  })
}

async function rows<Row>(query: string, options: Record<string, unknown> = {}): Promise<Row[]> {
  return await (await client.query({ query, format: 'JSONEachRow', ...options })).json<Row>()
}

async function count(): Promise<number> {
  const [row] = await rows<{ count: number }>('select toUInt32(count()) as count from things')
  return row?.count ?? 0
}

/** Sends a plain request that the ClickHouse client would not send. */
function send(
  path: string,
  options: { body?: string; headers?: Record<string, string>; cutAfter?: number },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { socketPath: engine.socketPath, path, method: 'POST', headers: options.headers },
      (answer) => {
        let body = ''
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    if (options.cutAfter === undefined) sent.end(options.body)
    else sent.write(options.body?.slice(0, options.cutAfter), () => sent.destroy())
  })
}

describe('the embedded engine answers as ClickHouse does', () => {
  it('to ping, with and without a query', async () => {
    assert.deepEqual(await client.ping(), { success: true })
    assert.deepEqual(await client.ping({ select: true }), { success: true })
    assert.equal((await send('/ping', {})).body, 'Ok.\n')
  })

  it('with parameters of any text, number, null and list, in the URL and as a form', async () => {
    const text = fc.string({ unit: 'binary-ascii' }).map((value) => value.replaceAll('\0', ''))
    const any = fc.oneof(
      text,
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom("'", '\\', "\\'", '\\N', '[', "']"),
    )
    await fc.assert(
      fc.asyncProperty(any, fc.array(any), fc.integer(), fc.boolean(), async (one, list, whole, form) => {
        const found = await rows(
          'select {one:String} as one, {list:Array(String)} as list, {whole:Int32} as whole, {none:Nullable(String)} as none',
          { query_params: { one, list, whole, none: null }, use_multipart_params: form },
        )
        assert.deepEqual(found, [{ one, list, whole, none: null }])
      }),
      { numRuns: 60, seed },
    )
  })

  it('to inserts of objects, of tab-separated bytes and of values', async () => {
    await client.insert({ table: 'things', values: [{ id: 1, name: "it's" }], format: 'JSONEachRow' })
    await client.insert({
      table: 'things',
      columns: ['id', 'name'],
      values: Readable.from([Buffer.from('2\ta\\tb\n3\t'), Buffer.from('ü\n')], { objectMode: false }),
      format: 'TabSeparated',
    })
    await client.command({ query: "insert into things values (4, 'x;y')" })
    assert.deepEqual(await rows('select name from things order by id'), [
      { name: "it's" },
      { name: 'a\tb' },
      { name: 'ü' },
      { name: 'x;y' },
    ])
    await client.command({ query: 'truncate table things' })
  })

  it('with a summary, a query id and the format of the statement', async () => {
    const { summary, query_id: queryId } = await client.insert({
      table: 'things',
      values: [{ id: 1, name: 'a' }],
      format: 'JSONEachRow',
      query_id: 'mine',
    })
    assert.equal(summary?.written_rows, '1')
    assert.equal(queryId, 'mine')
    assert.equal((await send('/', { body: 'select 1, 2 format CSV' })).body, '1,2\n')
    assert.equal((await send('/?default_format=JSONEachRow', { body: 'select 1 as a' })).body, '{"a":1}\n')
    assert.equal((await send('/?query=select+1', {})).body, '1\n')
    await client.command({ query: 'truncate table things' })
  })

  it('with its codes and statuses when something is wrong', async () => {
    const wrong = [
      ['select * from nowhere', 404, '60'],
      ['selec 1', 400, '62'],
      ['select nothing', 404, '47'],
      ['select throwIf(1)', 500, '395'],
      ['select {absent:String}', 400, '456'],
      ['select count() from numbers(1e11) settings max_execution_time = 0.2', 408, '159'],
    ] as const
    for (const [query, status, code] of wrong) {
      await assert.rejects(client.query({ query }), { code }, query)
      assert.equal((await send('/', { body: query })).status, status, query)
    }
    assert.equal((await send('/?database=nowhere', { body: 'select 1' })).status, 404)
    assert.equal((await send('/?no_such_setting=1', { body: 'select 1' })).status, 404)
    assert.equal((await send('/?param_a=%5B1', { body: 'select {a:Array(String)}' })).status, 400)
    assert.equal((await send('/', { body: 'x', headers: { 'content-encoding': 'gzip' } })).status, 501)
  })

  it('with settings that last for one request', async () => {
    const asked = "select getSetting('max_block_size') as size"
    const [usual] = await rows(asked)
    assert.deepEqual(await rows(asked, { clickhouse_settings: { max_block_size: '123' } }), [{ size: 123 }])
    assert.deepEqual(await rows(asked), [usual])
    await assert.rejects(
      rows(asked, { clickhouse_settings: { max_block_size: '123', no_such_setting: 1 } }),
      { code: '115' },
    )
    assert.deepEqual(await rows(asked), [usual])
  })

  it('with the queries of the least priority first', async () => {
    const order: string[] = []
    const ask = async (name: string, priority: string) => {
      await rows('select sleep(0.05)', { clickhouse_settings: { priority } })
      order.push(name)
    }
    const first = rows('select sleep(0.3)')
    await sleep(50)
    await Promise.all([first, ask('figures', '2'), ask('more figures', '2'), ask('scans', '1')])
    assert.deepEqual(order, ['scans', 'figures', 'more figures'])
  })

  it('with one query under an id at a time', async () => {
    const first = rows('select sleep(0.5)', { query_id: 'same' })
    await sleep(100)
    await assert.rejects(rows('select 1', { query_id: 'same' }), { code: '216' })
    await first
    assert.deepEqual(await rows('select 1 as one', { query_id: 'same' }), [{ one: 1 }])
  })
})

describe('a client that leaves', () => {
  it('leaves its query to end by itself, and the others undisturbed', async () => {
    const controller = new AbortController()
    const left = client.query({ query: 'select sleep(1)', query_id: 'left', abort_signal: controller.signal })
    await sleep(100)
    controller.abort()
    await assert.rejects(left)
    await assert.rejects(rows('select 1', { query_id: 'left' }), { code: '216' })
    for (let i = 0; i < 20; i++)
      assert.deepEqual(await rows('select {i:UInt8} as i', { query_params: { i } }), [{ i }])
    await sleep(1100)
    assert.deepEqual(await rows('select 1 as one', { query_id: 'left' }), [{ one: 1 }])
  })

  it('in the middle of its insert has inserted nothing', async () => {
    const body = '1\ta\n2\tb\n3\tc\n'
    const path = `/?query=${encodeURIComponent('insert into things (id, name) format TabSeparated')}`
    for (const headers of [{ 'content-length': String(body.length) }, {}])
      await assert.rejects(send(path, { body, headers, cutAfter: 8 }))
    await sleep(200)
    assert.equal(await count(), 0)
  })
})

describe('the engine process', () => {
  it('answers what was asked before it stops, and has it all when it starts again', async () => {
    const slow = client.query({ query: 'select sleep(1) as slept', format: 'JSONEachRow' })
    await client.insert({ table: 'things', values: [{ id: 7, name: 'kept' }], format: 'JSONEachRow' })
    const stopped = engine.stop()
    assert.deepEqual(await (await slow).json(), [{ slept: 0 }])
    await stopped
    await assert.rejects(client.query({ query: 'select 1' }))
    await engine.start()
    assert.equal(await count(), 1)
  })

  it('is ready within 3 s of being killed', async () => {
    await engine.kill()
    const startedMs = performance.now()
    await engine.start()
    assert.equal(await count(), 1)
    const tookMs = performance.now() - startedMs
    assert.ok(tookMs < 3000, `took ${Math.round(tookMs)} ms`)
  })

  it('refuses a directory and a socket that another one uses', async () => {
    const second = (await run([engine.dir, `${engine.socketPath}2`])).stderr
    assert.match(second, /cannot open .*is another Everscan using it/)
    assert.match((await run([`${engine.dir}2`, engine.socketPath])).stderr, /another scan store answers on/)
  })

  it('says what to do on a platform without a binary', async () => {
    const { code, stderr } = await run(
      [`${engine.dir}3`, `${engine.socketPath}3`],
      ['--import', 'data:text/javascript,Object.defineProperty(process, "platform", { value: "win32" })'],
    )
    assert.equal(code, 1)
    assert.match(stderr, /does not run here \(win32 .*make a copy with the release that wrote the scans/)
  })

  it('says what to do in an installation without it', async () => {
    const leftOut = `import { registerHooks } from 'node:module'
      registerHooks({ resolve: (name, ...rest) => rest.at(-1)(name === 'chdb' ? 'not-installed' : name, rest[0]) })`
    const { code, stderr } = await run(
      [`${engine.dir}4`, `${engine.socketPath}4`],
      ['--import', `data:text/javascript,${encodeURIComponent(leftOut)}`],
    )
    assert.equal(code, 1)
    assert.match(stderr, /does not run here \(linux .*make a copy with the release that wrote the scans/)
  })
})

function run(args: string[], nodeArgs: string[] = []): Promise<{ code: number; stderr: string }> {
  const entry = fileURLToPath(new URL('../testing/engine.ts', import.meta.url))
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...nodeArgs, entry, ...args], (_error, _stdout, stderr) =>
      resolve({ code: child.exitCode ?? 0, stderr }),
    )
  })
}
