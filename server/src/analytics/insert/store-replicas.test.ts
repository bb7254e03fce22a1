import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { blockOf, randomScans } from '../testing/scan-rows.ts'
import { replicatedCalls } from '../testing/store-calls.ts'
import { startTestStore } from '../testing/store.ts'
import { deleteLostFirstScans } from './put-back.ts'
import { insertBatch, settleBatch, uniqueScansOf } from './insert.ts'
import { removeDoubledRows } from './doubled-rows.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'

// The statements of a replicated store, on the engine: it has the tables of a single server, which
// remember tokens, too. The model of replicas is in replicated-batches.test.ts.

const random = randomFrom(testSeed())
const { store, remove } = await startTestStore()
after(remove)
const replicated = replicatedCalls(store)
const day = 20_514
const fromMs = day * 86_400_000

function scansOf(organizationId: string, rows = 300) {
  return randomScans(random, { organizationId, rows, fromMs, toMs: fromMs + 86_400_000 })
}

/** A batch id of so many minutes ago. */
function batchId(name: string, minutesAgo = 0): string {
  return `bat_${(Date.now() - minutesAgo * 60_000).toString(36).padStart(9, '0')}${name}`
}

async function storedOf(organizationId: string): Promise<{ rows: number; hits: number }> {
  const [row] = await store.select<{ rows: number; hits: number }>(
    `select count() as rows, uniqExact(writer, sequence) as hits
     from scans where organization_id = {organizationId:String}`,
    { organizationId },
  )
  return row ?? { rows: 0, hits: 0 }
}

async function forgetTokens(window: number): Promise<void> {
  await store.command(`alter table scans modify setting non_replicated_deduplication_window = ${window}`)
}

const whole = { rows: 300, hits: 300 }

describe('a batch in a replicated store', () => {
  it('is inserted, and not a second time when it is settled', async () => {
    const block = blockOf(batchId('a'), scansOf('org_a'))
    await insertBatch(replicated, block)
    assert.equal(await settleBatch(replicated, block), 'inserted')
    assert.deepEqual(await storedOf('org_a'), whole)
  })

  it('that is old is only counted', async () => {
    const block = blockOf(batchId('b', 16), scansOf('org_b'))
    await assert.rejects(insertBatch(replicated, block), ScanStoreUnavailable)
    assert.equal(await settleBatch(replicated, block), 'inserted')
    assert.equal(await settleBatch(replicated, block), 'stored')
    assert.deepEqual(await storedOf('org_b'), whole)
  })

  it('is not sent while earlier inserts of it may still arrive', async () => {
    const block = blockOf(batchId('g', 11), scansOf('org_g'))
    await assert.rejects(insertBatch(replicated, block), ScanStoreUnavailable)
    await assert.rejects(settleBatch(replicated, block), ScanStoreUnavailable)
    assert.deepEqual(await storedOf('org_g'), { rows: 0, hits: 0 })
  })

  it('of a clock that is a minute ahead is new', async () => {
    const block = blockOf(batchId('h', -1), scansOf('org_h'))
    await insertBatch(replicated, block)
    assert.equal(await settleBatch(replicated, block), 'inserted')
    assert.deepEqual(await storedOf('org_h'), whole)
  })

  for (const minutesAgo of [0, 16])
    it(`that came twice ${minutesAgo} minutes ago is there once`, async () => {
      const organizationId = `org_c${minutesAgo}`
      const block = blockOf(batchId(`c${minutesAgo}`, minutesAgo), scansOf(organizationId))
      await forgetTokens(0)
      for (const each of [block, block]) await insertBatch(store, each)
      await forgetTokens(10_000)
      assert.deepEqual(await storedOf(organizationId), { rows: 600, hits: 300 })
      assert.equal(await settleBatch(replicated, block), 'replaced')
      assert.deepEqual(await storedOf(organizationId), whole)
    })

  it('whose rows were lost although the token is remembered is inserted under the next one', async () => {
    const block = blockOf(batchId('d'), scansOf('org_d'))
    await insertBatch(replicated, block)
    await store.command(
      "delete from scans where organization_id = 'org_d'",
      {},
      { settings: { lightweight_deletes_sync: '2' } },
    )
    assert.equal(await settleBatch(replicated, block), 'inserted')
    assert.deepEqual(await storedOf('org_d'), whole)
  })
})

describe('a deletion in a replicated store', () => {
  it('of doubled rows names them', async () => {
    const scans = scansOf('org_e', 12_000).map((scan) => ({ ...scan, writer: 'fnt_e' }))
    await forgetTokens(0)
    for (const each of ['e1', 'e2']) await insertBatch(store, blockOf(batchId(each), scans))
    await forgetTokens(10_000)
    const stretch = { writer: 'fnt_e', days: [day], exceptBatchIds: [] }
    const doubled = await removeDoubledRows(replicated, stretch, { name: 'e', notBeforeMs: 0 })
    assert.deepEqual(doubled, [{ organizationId: 'org_e', scans: 12_000 }])
    assert.deepEqual(await storedOf('org_e'), { rows: 12_000, hits: 12_000 })
  })

  it('of first scans without scans names them', async () => {
    const scans = scansOf('org_f')
    await insertBatch(store, blockOf(batchId('f'), scans))
    const uniques = async () =>
      (
        await uniqueScansOf(
          store,
          ['qr_busy', 'qr_quiet'].map((qrCodeId) => ({ organizationId: 'org_f', qrCodeId })),
        )
      )
        .map(({ uniqueScans }) => uniqueScans)
        .reduce((sum, count) => sum + count, 0)
    const before = await uniques()
    assert.ok(before > 0)
    await deleteLostFirstScans(replicated, [day])
    assert.equal(await uniques(), before)
    await store.command(
      "delete from scans where organization_id = 'org_f'",
      {},
      { settings: { lightweight_deletes_sync: '2' } },
    )
    await deleteLostFirstScans(replicated, [day])
    assert.equal(await uniques(), 0)
  })
})
