// Left to the soak: `analytics/store/rewrites` rewrites, `durability/upgrades` opens old data.
// An upgrade of a scan store with many rows, on an engine that is slow. `npm run soak -- upgrades`
// takes 5 million scans and prints its figures.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readRewrite } from '../../src/analytics/store/rewrites.ts'
import type { ClickHouse } from '../../src/analytics/store/clickhouse.ts'
import { firstColumns } from '../../src/analytics/testing/scan-rows.ts'
import { isAlive, sendSignal } from '../../src/processes/testing/signals.ts'
import { readFixture, unpackDirectory, type Fixture } from '../support/data-fixtures.ts'
import { createCodes } from '../support/accounts.ts'
import { scanOnce } from '../support/load.ts'
import { startStoreServer, type StoreServer } from '../support/scan-store-server.ts'
import { freePort, startService, statusRefresh, until, type Service } from '../support/service.ts'

const isSoak = process.env['SOAK'] === '1'
const scans = isSoak ? 5_000_000 : 120_000
/** How long the engine runs in each second of the soak. */
const runMs = 150
const readyMsMax = 60_000
const endMsMax = isSoak ? 2 * 3_600_000 : 120_000
const months = isSoak ? 10 : 4
const probeMs = isSoak ? 50 : 150

const root = mkdtempSync(join(tmpdir(), 'everscan-slow-upgrade-'))
after(() => rmSync(root, { recursive: true, force: true }))

const pick = (values: readonly string[], by: string) =>
  `[${values.map((value) => `'${value}'`).join(', ')}][1 + ${by} % ${values.length}]`

/** Adds scans of a year to a store, with the schema that it has. */
async function addScans(store: ClickHouse): Promise<Sums> {
  const codes = await store.select<{ organization: string; id: string }>(
    `select distinct organization_id as organization, qr_code_id as id from scans order by all`,
  )
  const pair = `[${codes.map(({ organization, id }) => `('${organization}', '${id}')`).join(', ')}][1 + cityHash64(number) % ${codes.length}]`
  for (let month = 0; month < months; month++)
    await store.command(
      `insert into scans (${firstColumns})
       select ${pair}.1, ${pair}.2,
         toDateTime64('2025-11-01 00:00:00', 3, 'UTC') + toIntervalMonth(${month}) + number % 2400000,
         'bulk', number, reinterpretAsUUID(sipHash128(cityHash64(number) % 50000)),
         ${pick(['human', 'human', 'human', 'bot'], 'number')}, '', ${pick(['DE', 'US', 'XX'], 'number')},
         ${pick(['Berlin', 'Monroe', 'Unknown'], 'number')}, '', null, null, 'mobile',
         ${pick(['iOS', 'Android'], 'number')}, ${pick(['Safari', 'Chrome'], 'number')}, '', 'de', 'bat_bulk'
       from numbers(${(month * scans) / months}, ${scans / months})`,
      {},
      { deadlineMs: 10 * 60_000 },
    )
  return sumsOf(store)
}

/** The sums of the added scans, read scan by scan. */
type Sums = { hits: unknown[]; uniques: unknown[] }

async function sumsOf(store: ClickHouse): Promise<Sums> {
  const options = { deadlineMs: 10 * 60_000, settings: { optimize_use_projections: 0 as const } }
  return {
    hits: await store.select(
      `select organization_id, qr_code_id, toStartOfMonth(time) as month, class, country, city, os, browser,
         count() as hits, sum(cityHash64(visitor, time, sequence)) as content
       from scans where writer = {writer:String} group by all order by all`,
      { writer: 'bulk' },
      options,
    ),
    uniques: await store.select(
      `select organization_id, qr_code_id, uniqExact(visitor) as visitors
       from scans where writer = {writer:String} and class = 'human' group by all order by all`,
      { writer: 'bulk' },
      options,
    ),
  }
}

/** Scans all printed codes of a fixture in turn, from the first redirect of the service on. */
function startProbes(service: Service, fixture: Fixture) {
  const codes = Object.entries(fixture.state.answers)
  const wrong: string[] = []
  const counts = new Map<string, number>()
  const fromMs = performance.now()
  let firstMs: number | undefined
  let slowestMs = 0
  const stopping = new AbortController()
  const running = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn++, await sleep(probeMs)) {
      const [code, [expected]] = codes[turn % codes.length] ?? assert.fail()
      const askedMs = performance.now()
      const status = await scanOnce({ port: service.port, code }).catch((error: unknown) => String(error))
      if (firstMs === undefined && status !== expected) continue
      firstMs ??= performance.now() - fromMs
      slowestMs = Math.max(slowestMs, performance.now() - askedMs)
      if (status === expected) counts.set(code, (counts.get(code) ?? 0) + 1)
      else wrong.push(`${code}: ${status} after ${Math.round(askedMs - fromMs)} ms`)
    }
  })()
  return {
    wrong,
    firstMs: () => firstMs,
    slowestMs: () => slowestMs,
    count: () => [...counts.values()].reduce((sum, count) => sum + count, 0),
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** Makes an engine slow, also after it is started again. */
function slowDown({ engine, store }: StoreServer, t: TestContext): () => Promise<void> {
  const stopping = new AbortController()
  const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => {
    // Killed, and not yet started again.
    if (isAlive(engine.pid)) sendSignal(engine.pid, name)
  }
  const stall = async (): Promise<void> => {
    // The engine of the short test is fast but merges nothing until the end.
    for (const table of ['scans', 'first_scans'])
      await store.command(`system stop merges ${table}`, {}, { deadlineMs: 1_000 }).catch(() => undefined)
    await sleep(100)
  }
  const pause = async (): Promise<void> => {
    signal('SIGSTOP')
    await sleep(1_000 - runMs)
    signal('SIGCONT')
    await sleep(runMs)
  }
  const running = (async () => {
    while (!stopping.signal.aborted) await (isSoak ? pause() : stall())
  })()
  const end = async (): Promise<void> => {
    stopping.abort()
    await running
    if (isSoak) return
    for (const table of ['scans', 'first_scans'])
      await until(
        'the engine is back',
        () =>
          store.command(`system start merges ${table}`).then(
            () => true,
            () => false,
          ),
        readyMsMax,
      )
  }
  t.after(async () => {
    stopping.abort()
    await running
  })
  return end
}

/** Collects every order that the store shows, by its text: it forgets those that are long done. */
function collectOrders(store: ClickHouse) {
  const ids = new Map<string, Set<string>>()
  const look = async (): Promise<void> => {
    const found = await store
      .select<{ table: string; id: string; command: string }>(
        `select table, mutation_id as id, command from system.mutations
         where database = {database:String} and command like '%MATERIALIZE%'`,
        { database: store.database },
      )
      .catch(() => [])
    for (const { table, id, command } of found) {
      const text = `${table} ${command}`
      ids.set(text, (ids.get(text) ?? new Set()).add(id))
    }
  }
  return { ids, look }
}

async function rewriteDetail(service: Service): Promise<string | undefined> {
  return (await service.readiness()).parts?.['scanStoreUpgrade']?.detail
}

test(`an upgrade from the first release with ${scans.toLocaleString('en')} scans on a slow engine: ready within a minute, every code redirects meanwhile, each rewrite is ordered once, every figure stays`, async (t) => {
  const fixture = readFixture('data-0.1.0')
  assert.equal(fixture.organizations.length, 2)
  const dataDir = join(root, 'data')
  unpackDirectory('data-0.1.0', dataDir)
  const server = await startStoreServer({ schema: 'none', from: join(dataDir, 'scans') })
  t.after(() => server.stop())
  const { store } = server
  rmSync(join(dataDir, 'scans'), { recursive: true })
  const before = await addScans(store)
  const service = await startService(
    {
      DATA_DIR: dataDir,
      SECRET: fixture.secret,
      PUBLIC_URL: 'https://qr.example.com',
      CLICKHOUSE_URL: server.url,
    },
    { wait: false },
  )
  t.after(() => service.remove())
  const startedMs = performance.now()
  const probes = startProbes(service, fixture)
  t.after(() => probes.stop())
  const orders = collectOrders(store)
  const speedUp = slowDown(server, t)

  const isReady = () =>
    fetch(`${service.baseUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  const readyMs = await until('ready', isReady, readyMsMax)
  const isTold = async () => {
    await orders.look()
    return (await rewriteDetail(service)) !== undefined
  }
  await until('the part says how far it is', isTold, readyMsMax)
  const detail = (await rewriteDetail(service)) ?? ''
  assert.match(
    detail,
    /^rewrites old rows: [\d,]+ of [\d,]+ rows \(\d+ %\), .*; codes redirect and figures stay right$/,
  )
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  await statusRefresh()
  assert.ok((await service.metric('scan_store_rewrite_rows')) > scans)

  const client = service.client({ apiKey: fixture.organizations[0]?.apiKey ?? '' })
  const orgId = fixture.organizations[0]?.id ?? ''
  const totalOf = async () =>
    (await client.analytics.ofOrganization(orgId, { startDate: '2025-11-01' })).summary.totalScans
  const humansOf = (sums: Sums) =>
    (sums.hits as { organization_id: string; class: string; hits: number }[])
      .filter((row) => row.organization_id === orgId && row.class === 'human')
      .reduce((sum, { hits }) => sum + hits, 0)
  assert.ok((await totalOf()) >= humansOf(before), 'figures work meanwhile')

  // Kills in the middle: of what watches, and of what rewrites.
  const [worker = 0] = service.pids('worker')
  const restartWorker = async () => {
    service.signal(['worker'], 'SIGKILL')
    const isBack = () => service.pids('worker').some((pid) => pid !== worker)
    await until('another worker', isBack, readyMsMax)
  }
  const restartEngine = async () => {
    await server.engine.kill()
    await server.engine.start()
  }
  for (const restart of [restartWorker, restartEngine]) {
    await restart()
    // It looks at the store each second, and orders what two looks have found.
    for (let looks = 0; looks < 3; looks++) await statusRefresh()
    await until('it goes on', isTold, readyMsMax)
    assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200)
  }
  if (!isSoak) await speedUp()
  const isDone = async () =>
    !(await isTold()) && (await readRewrite(store).catch(() => undefined))?.rowsLeft === 0
  await until('all rows are rewritten', isDone, endMsMax)
  const endMs = performance.now() - startedMs
  if (isSoak) await speedUp()
  await probes.stop()

  assert.deepEqual(probes.wrong, [])
  await orders.look()
  assert.ok(orders.ids.size > 7)
  for (const [text, ids] of orders.ids) assert.equal(ids.size, 1, text)
  assert.deepEqual(await sumsOf(store), before)
  // The counts of the new projections, against the scans one by one.
  const countAll = async () => {
    const [row] = await store.select<{ scans: number }>(
      `select count() as scans from scans where organization_id = {orgId:String} and class = 'human'`,
      { orgId },
      { settings: { optimize_use_projections: 0 } },
    )
    return row?.scans ?? 0
  }
  await until(
    'every answered scan is in the figures',
    async () => {
      const total = await totalOf()
      return (
        total > humansOf(before) && total === (await countAll()) && (await rowsLeftToIngest(service)) === 0
      )
    },
    60_000,
  )
  t.diagnostic(
    `first redirect after ${Math.round(probes.firstMs() ?? NaN)} ms, ready after ${Math.round(readyMs)} ms, ` +
      `all rows rewritten after ${Math.round(endMs / 1000)} s; ` +
      `${probes.count()} scans of ${Object.keys(fixture.state.answers).length} codes meanwhile, 0 wrong, the slowest ${Math.round(probes.slowestMs())} ms`,
  )
})

async function rowsLeftToIngest(service: Service): Promise<number> {
  await statusRefresh()
  return service.metric('ingest_lag_bytes')
}

test('a start while the scan store is away: 200 and degraded within a minute, codes redirect, figures are 503', async (t) => {
  const away = `http://127.0.0.1:${await freePort()}/everscan`
  const service = await startService({ CLICKHOUSE_URL: away }, { wait: false })
  t.after(() => service.remove())
  await service.waitUntilReady()
  const { status, parts } = await service.readiness()
  assert.deepEqual([status, parts['scanStore']?.ok, parts['api-0']?.ok], ['degraded', false, true])
  const { orgId, codes } = await createCodes(service, 1)
  const { id, shortCode: code } = codes[0] ?? assert.fail()
  assert.equal(await scanOnce({ port: service.port, code }), 302)
  await assert.rejects(service.client({ retries: 0 }).qrCodes.analytics(orgId, id), {
    status: 503,
    code: 'UNAVAILABLE',
  })
})
