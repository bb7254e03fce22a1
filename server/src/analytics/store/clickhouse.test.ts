import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { startTestStore } from '../testing/store.ts'
import { startFaultyNetwork } from '../testing/faulty-network.ts'
import { countBatch, insertBatch, settleBatch } from '../insert/insert.ts'
import { migrateScanStore, scanStoreReady, scanStoreSchema } from './migrations.ts'
import { readPeriod } from '../figures/period.ts'
import { qrCodeAnalytics } from '../figures/queries.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { databaseOf } from './store-outage.ts'
import { openClickHouse } from './open-clickhouse.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'

const { engine, store, remove } = await startTestStore({ schema: 'none' })
after(remove)

const period = readPeriod({ startDate: '2026-03-01', endDate: '2026-03-31' })
const analytics = {
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  interval: 'day',
  filters: {},
  ...period,
} as const

describe('the schema', () => {
  it('is not ready before it is made, and an answer is not possible', async () => {
    assert.equal(await scanStoreReady(store), false)
    await assert.rejects(qrCodeAnalytics(store, analytics), ScanStoreUnavailable)
  })

  it('is made by several at once, and again', async () => {
    await Promise.all([migrateScanStore(store), migrateScanStore(store)])
    await migrateScanStore(store)
    assert.equal(await scanStoreReady(store), true)
    assert.equal((await qrCodeAnalytics(store, analytics)).summary.totalScans, 0)
  })

  it('of a newer release is refused, and left alone', async () => {
    const newer = [Buffer.from(`${scanStoreSchema + 1}\tof the future\n`)]
    await store.insert('schema_versions', ['version', 'name'], newer)
    await assert.rejects(
      migrateScanStore(store),
      new RegExp(
        `later release \\(schema ${scanStoreSchema + 1}, this release knows up to ${scanStoreSchema}`,
      ),
    )
    await store.command(`delete from schema_versions where version > ${scanStoreSchema}`)
    await migrateScanStore(store)
  })
})

describe('ScanStoreUnavailable', () => {
  it('when nobody answers on the socket', async () => {
    const nobody = openClickHouse({ socketPath: `${engine.socketPath}.nobody` })
    await assert.rejects(nobody.select('select 1'), ScanStoreUnavailable)
    await assert.rejects(qrCodeAnalytics(nobody, analytics), ScanStoreUnavailable)
    assert.equal(await nobody.ping(), false)
    assert.equal(await scanStoreReady(nobody), false)
    await nobody.close()
  })

  it('when the answer does not come before the deadline', async () => {
    const network = await startFaultyNetwork(engine.socketPath, () => 'hangs')
    const hanging = openClickHouse({ socketPath: network.socketPath, deadlineMs: 300 })
    const startedMs = performance.now()
    await assert.rejects(hanging.select('select 1'), /no answer within 300 ms/)
    assert.ok(performance.now() - startedMs < 1500)
    await hanging.close()
    await network.close()
  })

  it('within seconds when the store hangs, while a query that takes longer is waited for', async () => {
    const network = await startFaultyNetwork(engine.socketPath, () => 'hangs')
    const hanging = openClickHouse({ socketPath: network.socketPath })
    const startedMs = performance.now()
    const refused = assert.rejects(hanging.select('select 1'), ScanStoreUnavailable)
    await store.select('select sleepEachRow(0.5) from numbers(11) settings max_block_size = 1')
    await refused
    assert.ok(performance.now() - startedMs < 10_000)
    await hanging.close()
    await network.close()
  })

  it('when the store itself gives the query up at the deadline', async () => {
    const settings = { max_execution_time: 0.3 }
    await assert.rejects(
      store.select('select count() from numbers(1e12)', {}, { settings }),
      ScanStoreUnavailable,
    )
  })

  it('when the engine dies under the query', async () => {
    const asked = assert.rejects(store.select('select sleep(3)'), ScanStoreUnavailable)
    await new Promise((resolve) => setTimeout(resolve, 200))
    await engine.kill()
    await asked
    await engine.start()
    assert.deepEqual(await store.select('select 1 as one'), [{ one: 1 }])
  })

  it('not when the statement is wrong: that is a mistake of ours', async () => {
    await assert.rejects(store.select('selec 1'), (error) => !(error instanceof ScanStoreUnavailable))
  })
})

it('the count of a batch waits for an insert of it that is still running', async () => {
  const running = store.select('select sleep(0.8)', {}, { queryId: 'bat_running' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  const startedMs = performance.now()
  assert.equal(await countBatch(store, 'bat_running'), 0)
  assert.ok(performance.now() - startedMs > 400)
  await running
  const still = store.select('select sleep(1)', {}, { queryId: 'bat_still' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await assert.rejects(countBatch(store, 'bat_still', 200), ScanStoreUnavailable)
  await still
})

it('no acknowledged row is lost when the engine is killed while it inserts', async () => {
  const seed = testSeed()
  const random = randomFrom(seed)
  const acknowledged = new Set<string>()
  let batch = 0
  for (let kill = 0; kill < (process.env['SOAK'] === '1' ? 100 : 4); kill++) {
    const killed = new Promise<void>((resolve) => {
      setTimeout(() => void engine.kill().then(resolve), 50 + random() * 300)
    })
    for (;;) {
      const batchId = `bat_kill_${String(batch++).padStart(6, '0')}`
      const rows = randomScans(random, {
        organizationId: batchId,
        rows: 1 + Math.floor(random() * 500),
        fromMs: Date.UTC(2026, 2, 1),
        toMs: Date.UTC(2026, 2, 31),
      })
      try {
        await insertBatch(store, blockOf(batchId, rows))
        acknowledged.add(`${batchId} ${rows.length}`)
      } catch (error) {
        assert.ok(error instanceof ScanStoreUnavailable, String(error))
        await killed
        await engine.start()
        // The batch that was being inserted is stored as a whole or not at all.
        const found = await countBatch(store, batchId)
        assert.ok(found === 0 || found === rows.length, `SEED=${seed}: ${found} of ${rows.length}`)
        await settleBatch(store, blockOf(batchId, rows))
        acknowledged.add(`${batchId} ${rows.length}`)
        break
      }
    }
  }
  const [uniques] = await store.select<{ fed: number; expected: number }>(
    `select
       (select count() from first_scans final where startsWith(organization_id, 'bat_kill')) as fed,
       (select uniqExact(organization_id, qr_code_id, visitor) from scans
        where startsWith(batch_id, 'bat_kill') and class = 'human') as expected`,
  )
  assert.equal(uniques?.fed, uniques?.expected, `SEED=${seed}`)
  const stored = await store.select<{ batch: string }>(
    `select concat(batch_id, ' ', toString(count())) as batch from scans
     where startsWith(batch_id, 'bat_kill') group by batch_id`,
  )
  assert.deepEqual(new Set(stored.map((row) => row.batch)), acknowledged, `SEED=${seed}`)
  assert.ok(acknowledged.size > 0)
})

it('the database is the one that the URL names', () => {
  assert.equal(databaseOf('http://host:8123'), 'everscan')
  assert.equal(databaseOf('http://host:8123/'), 'everscan')
  assert.equal(databaseOf('https://user:p%40ss@host/scans_1'), 'scans_1')
  assert.throws(() => databaseOf('http://host/a-b'), /letters, digits and underscores/)
})
