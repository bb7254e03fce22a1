import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { fileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { randomScans } from '../../analytics/testing/scan-rows.ts'
import { inTransaction } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openFileBatches } from './open-file-batches.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-waiting-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

onEitherDatabase('records while the engine sleeps', (open) => {
  test('wait for it, unless they have many rows', async () => {
    const db = await open()
    const folder = mkdtempSync(join(root, 'of-'))
    const parquet = await ParquetFiles.open({ folder: join(folder, 'segments'), engine: fileWrites(engine) })
    const places = { recordsFolder: join(folder, 'records'), visitsFolder: join(folder, 'visits') }
    const batches = await openFileBatches(places, { db, parquet, clock: Date.now })
    await batches.recover({ signal: new AbortController().signal })
    const random = randomFrom(testSeed())
    const [fromMs, toMs] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)]
    let at = 0
    const store = async (records: number, rowsOfEach: number): Promise<void> => {
      for (let record = 0; record < records; record++) {
        const block = new SegmentBlock(rowsOfEach)
        for (const row of randomScans(random, { organizationId: 'org_1', rows: rowsOfEach, fromMs, toMs }))
          block.add({ ...row, writer: 'w', sequence: ++at })
        const from = at - rowsOfEach
        const read = { writer: 'w', from, after: from, to: at, end: { segment: 0, offset: at } }
        const within = (change: Parameters<typeof inTransaction<number>>[1]) =>
          inTransaction(db, change).then(() => {})
        assert.ok(await batches.store({ read, month: 202603, block, coverage: batches.coverage(), within }))
      }
    }
    const asked: boolean[] = []
    const isAwake = (awake: boolean) => async () => {
      asked.push(awake)
      return awake
    }
    assert.equal(await batches.mergeNext(isAwake(false)), false)
    assert.deepEqual(asked, [], 'nothing is due')
    await store(300, 2)
    assert.equal(await batches.mergeNext(isAwake(false)), false)
    assert.equal(await batches.mergeNext(isAwake(true)), true)
    await store(1, 20_000)
    assert.equal(await batches.mergeNext(isAwake(false)), true)
    await batches.close()
  })
})
