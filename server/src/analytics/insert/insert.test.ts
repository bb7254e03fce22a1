import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestEngine, type TestEngine } from '../testing/engine.ts'
import { startFaultyNetwork, type Fault, type FaultyNetwork } from '../testing/faulty-network.ts'
import { countBatch, insertBatch, refeedFirstScans, settleBatch, uniqueScansOf } from './insert.ts'
import { migrateScanStore } from '../store/migrations.ts'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from './scan-row.ts'
import { openClickHouse } from '../store/open-clickhouse.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'
import type { ClickHouse } from '../store/clickhouse.ts'

const seed = testSeed()
const random = randomFrom(seed)
const [fromMs, toMs] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 28)]

let engine: TestEngine
let store: ClickHouse
/** The fault of the network for the next statement of a kind. */
let nextFault: (statement: string) => Fault = () => 'fine'
let network: FaultyNetwork
let throughFaults: ClickHouse

before(async () => {
  engine = await startTestEngine()
  store = openClickHouse({ socketPath: engine.socketPath })
  await migrateScanStore(store)
  network = await startFaultyNetwork(engine.socketPath, (statement) => nextFault(statement))
  throughFaults = openClickHouse({ socketPath: network.socketPath, deadlineMs: 5000 })
})
after(async () => {
  await Promise.all([store.close(), throughFaults.close()])
  await network.close()
  await engine.remove()
})

function scansOf(organizationId: string, rows: number): ScanRow[] {
  return randomScans(random, { organizationId, rows, fromMs, toMs })
}

function faultOnce(fault: Fault, kind: RegExp): void {
  nextFault = (statement) => {
    if (!kind.test(statement)) return 'fine'
    nextFault = () => 'fine'
    return fault
  }
}

async function storedOf(organizationId: string): Promise<{ rows: number; hits: number }> {
  const [row] = await store.select<{ rows: number; hits: number }>(
    `select count() as rows, uniqExact(writer, sequence) as hits
     from scans where organization_id = {organizationId:String}`,
    { organizationId },
  )
  return row ?? { rows: 0, hits: 0 }
}

function visitorsOf(scans: readonly ScanRow[]): number {
  const humans = scans.filter((row) => row.class === 'human')
  return new Set(humans.map((row) => `${row.qrCodeId} ${row.visitor}`)).size
}

async function uniquesOf(organizationId: string): Promise<number> {
  const codes = ['qr_busy', 'qr_quiet'].map((qrCodeId) => ({ organizationId, qrCodeId }))
  return (await uniqueScansOf(store, codes)).reduce((sum, { uniqueScans }) => sum + uniqueScans, 0)
}

describe('a batch stands in the store exactly once', () => {
  for (const fault of ['request lost', 'answer lost'] as const)
    it(`when its ${fault === 'request lost' ? 'insert' : 'answer'} was lost`, async () => {
      const organizationId = `org_${fault}`
      const scans = scansOf(organizationId, 500)
      faultOnce(fault, /^insert into scans/i)
      await assert.rejects(insertBatch(throughFaults, blockOf(`bat_${fault}`, scans)), ScanStoreUnavailable)
      const settled = await settleBatch(throughFaults, blockOf(`bat_${fault}`, scans))
      assert.equal(settled, fault === 'request lost' ? 'inserted' : 'stored')
      assert.deepEqual(await storedOf(organizationId), { rows: 500, hits: 500 })
      assert.equal(await uniquesOf(organizationId), visitorsOf(scans))
    })

  it('when it arrived twice', async () => {
    const scans = scansOf('org_twice', 500)
    faultOnce('twice', /^insert into scans/i)
    await insertBatch(throughFaults, blockOf('bat_twice', scans))
    assert.equal(await countBatch(store, 'bat_twice'), 500)
    assert.equal(await uniquesOf('org_twice'), visitorsOf(scans))
  })

  it('when it arrived twice and the store does not remember batches', async () => {
    await store.command('alter table scans modify setting non_replicated_deduplication_window = 0')
    const scans = scansOf('org_window', 500)
    faultOnce('twice', /^insert into scans/i)
    await insertBatch(throughFaults, blockOf('bat_window', scans))
    assert.equal(await countBatch(store, 'bat_window'), 1000)
    assert.equal(await settleBatch(store, blockOf('bat_window', scans)), 'replaced')
    assert.deepEqual(await storedOf('org_window'), { rows: 500, hits: 500 })
    assert.equal(await uniquesOf('org_window'), visitorsOf(scans))
    await store.command('alter table scans modify setting non_replicated_deduplication_window = 10000')
  })

  it('when its rows were lost although the store remembers it', async () => {
    const scans = scansOf('org_lost', 500)
    await insertBatch(store, blockOf('bat_lost', scans))
    await store.command(
      "delete from scans where organization_id = 'org_lost'",
      {},
      { settings: { lightweight_deletes_sync: '2' } },
    )
    assert.equal(await settleBatch(store, blockOf('bat_lost', scans)), 'inserted')
    assert.equal(await countBatch(store, 'bat_lost'), 500)
  })

  it('whatever happens to each of many batches, and however often they are settled', async () => {
    const faults: Fault[] = ['fine', 'fine', 'fine', 'request lost', 'answer lost', 'twice']
    const scans = scansOf('org_many', process.env['SOAK'] === '1' ? 100_000 : 4000)
    for (let start = 0; start < scans.length; start += 200) {
      const rows = scans.slice(start, start + 200)
      const batchId = `bat_many_${String(start).padStart(8, '0')}`
      nextFault = (statement) =>
        /^\/\* analytics.countBatch/.test(statement) ? 'fine' : pick(random, faults)
      try {
        await insertBatch(throughFaults, blockOf(batchId, rows))
      } catch {
        for (;;)
          try {
            await settleBatch(throughFaults, blockOf(batchId, rows))
            break
          } catch (error) {
            assert.ok(error instanceof ScanStoreUnavailable, `SEED=${seed} ${String(error)}`)
          }
      }
    }
    nextFault = () => 'fine'
    assert.deepEqual(await storedOf('org_many'), { rows: scans.length, hits: scans.length }, `SEED=${seed}`)
    assert.equal(await uniquesOf('org_many'), visitorsOf(scans), `SEED=${seed}`)
  })
})

describe('first scans', () => {
  it('are the same when they are fed again, late and in another order', async () => {
    const scans = scansOf('org_again', 2000)
    const [early, late] = [scans.slice(0, 1000), scans.slice(1000)]
    await insertBatch(store, blockOf('bat_again_late', late))
    await insertBatch(store, blockOf('bat_again_early', early))
    const expected = await store.select(placesSql)
    await refeedFirstScans(store, 'bat_again_early')
    await refeedFirstScans(store, 'bat_again_late')
    await refeedFirstScans(store, 'bat_again_late')
    assert.deepEqual(await store.select(placesSql), expected)
    assert.equal(await uniquesOf('org_again'), visitorsOf(scans))
  })

  it('come back when they were lost after the scans were stored', async () => {
    const scans = scansOf('org_cut', 300)
    await insertBatch(store, blockOf('bat_cut', scans))
    await store.command(
      "delete from first_scans where organization_id = 'org_cut'",
      {},
      { settings: { lightweight_deletes_sync: '2' } },
    )
    assert.equal(await uniquesOf('org_cut'), 0)
    assert.equal(await settleBatch(store, blockOf('bat_cut', scans)), 'stored')
    assert.equal(await uniquesOf('org_cut'), visitorsOf(scans))
  })

  const placesSql = `select qr_code_id, toString(visitor) as visitor, toString(min(place)) as place
                     from first_scans where organization_id = 'org_again'
                     group by qr_code_id, visitor order by qr_code_id, visitor`
})

const pickOf = (values: readonly string[], index: number) => values[index % values.length] ?? ''

describe('insertBatch', () => {
  it('keeps every field as it was', async () => {
    const [row] = scansOf('org_fields', 1)
    assert.ok(row)
    const odd = {
      ...row,
      timeMs: fromMs + 123,
      sequence: 2n ** 64n - 1n,
      visitor: '0123456789abcdef0123456789ABCDEF',
      class: 'preview',
      city: 'a\tb\\c\nd\r\0"\'ü😀',
      latitude: -33.9,
      longitude: null,
    } satisfies ScanRow
    await insertBatch(store, blockOf('bat_fields', [odd]))
    const [found] = await store.select<Record<string, unknown>>(
      `select toUnixTimestamp64Milli(time) as timeMs, toString(sequence) as sequence, visitor, class, city, latitude,
         longitude, country, referrer
       from scans where batch_id = 'bat_fields'`,
    )
    assert.deepEqual(found, {
      timeMs: odd.timeMs,
      sequence: '18446744073709551615',
      visitor: '01234567-89ab-cdef-0123-456789abcdef',
      class: 'preview',
      city: odd.city,
      latitude: -33.9,
      longitude: null,
      country: odd.country,
      referrer: odd.referrer,
    })
  })

  it('keeps texts of every length, and as many as there are', async () => {
    const [row] = scansOf('org_texts', 1)
    assert.ok(row)
    const lengths = [0, 1, 126, 127, 128, 129, 16_383, 16_384, 70_000]
    const texts = lengths.flatMap((length) => [
      'a'.repeat(length),
      'ü'.repeat(length),
      `${'a'.repeat(length)}😀`,
    ])
    const rows: ScanRow[] = Array.from({ length: 3_000 }, (_, sequence) => ({
      ...row,
      sequence,
      timeMs: fromMs + sequence * 1_001,
      visitor: sequence.toString(16).padStart(4, '0').repeat(8),
      qrCodeId: `qr_${'x'.repeat(sequence % 117)}`,
      shortCode: `S${sequence}`,
      domain: pickOf(['', 'go.example.com'], sequence),
      rule: pickOf(['', 'rul_1'], sequence),
      arm: pickOf(['', 'B', 'Ä'], sequence),
      city: texts[sequence] ?? `city ${sequence}`,
      latitude: sequence % 3 === 0 ? null : sequence / 64,
      longitude: sequence % 5 === 0 ? null : -sequence / 64,
    }))
    await insertBatch(store, blockOf('bat_texts', rows))
    const found = await store.select<object>(
      `select organization_id as organizationId, qr_code_id as qrCodeId, toUnixTimestamp64Milli(time) as timeMs, writer,
         toUInt32(sequence) as sequence, replaceAll(toString(visitor), '-', '') as visitor, class, bot_reason as botReason,
         country, city, region, latitude, longitude, device_type as deviceType, os, browser, referrer, language,
         short_code as shortCode, domain, rule, arm
       from scans where batch_id = 'bat_texts' order by sequence`,
    )
    assert.deepEqual(found, rows)
  })

  it('refuses what would not be all or nothing', async () => {
    const [row] = scansOf('org_refused', 1)
    assert.ok(row)
    const months = [row, { ...row, timeMs: Date.UTC(2026, 3, 1) }]
    assert.throws(() => blockOf('bat_refused', months), /row 2 of 202604 after 202603/)
    const tooMany = Array.from({ length: 50_001 }, () => row)
    assert.throws(() => blockOf('bat_refused', tooMany), /at most 50000 rows .* row 50001/)
  })

  it('makes one part of the table of 50,000 rows', async () => {
    const scans = scansOf('org_full', 50_000)
    const startedMs = performance.now()
    await insertBatch(store, blockOf('bat_full', scans))
    console.log(`50,000 rows in ${Math.round(performance.now() - startedMs)} ms`)
    const [parts] = await store.select<{ parts: number }>(
      "select uniqExact(_part) as parts from scans where batch_id = 'bat_full'",
    )
    assert.equal(parts?.parts, 1)
  })
})

describe('unique scans of codes', () => {
  it('come for thousands of codes in one call', async () => {
    const [row] = scansOf('org_codes', 1)
    assert.ok(row)
    const scans = Array.from({ length: 7000 }, (_, index) => ({
      ...row,
      class: 'human' as const,
      qrCodeId: `qr_${index}`,
      sequence: index,
    }))
    await insertBatch(store, blockOf('bat_codes', scans))
    const counts = await uniqueScansOf(store, scans)
    assert.equal(counts.length, 7000)
    assert.ok(counts.every(({ uniqueScans }) => uniqueScans === 1))
    assert.deepEqual(await uniqueScansOf(store, []), [])
  })
})
