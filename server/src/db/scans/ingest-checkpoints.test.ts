import { insertCode } from '../testing/codes.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../database.ts'
import {
  commitBatch,
  openIntents,
  readCheckpoint,
  readDueUniques,
  saveCheckpoint,
  saveDueUniques,
  saveIntents,
  type BatchCommit,
  type CounterChange,
  type IngestIntent,
} from './ingest-checkpoints.ts'
import { forEachDatabase } from '../testing/databases.ts'

const writer = 'w1'
const start = { segment: 0, offset: 0, sequence: 0 }
const position = (sequence: number) => ({ segment: 1, offset: sequence * 100, sequence })

function intent(batchId: string, from = start, to = position(10)): IngestIntent {
  return { batchId, writer, from, to, partition: '202603', rows: 10 }
}

function change(organizationId: string, qrCodeId: string): CounterChange {
  return { organizationId, qrCodeId, scans: 1, uniqueScans: 1 }
}

const scansOf = (...ids: string[]) => ids.map((qrCodeId) => ({ organizationId: 'org_1', qrCodeId, scans: 2 }))

async function counters(db: Database): Promise<Record<string, [number, number]>> {
  const rows = await db.kysely.selectFrom('scan_counters').selectAll().orderBy('qr_code_id').execute()
  return Object.fromEntries(rows.map((row) => [row.qr_code_id, [row.total_scans, row.unique_scans]]))
}

forEachDatabase('ingest', (open) => {
  test('moves counters and checkpoint together, once per batch', async () => {
    const db = await open()
    await insertCode(db, 'org_1', 'qr_1')
    assert.equal(await readCheckpoint(db, writer), undefined)
    assert.equal(await saveIntents(db, [intent('b1')]), true)
    assert.deepEqual(await openIntents(db, writer), [intent('b1')])
    const seven = { ...change('org_1', 'qr_1'), scans: 7, uniqueScans: 3 }
    const commit = { writer, batchId: 'b1', counters: [seven], position: position(10) }
    assert.deepEqual(await commitBatch(db, commit), [])
    assert.equal(await commitBatch(db, commit), undefined, 'a batch is settled once')
    assert.deepEqual(await counters(db), { qr_1: [7, 3] })
    assert.deepEqual(await readCheckpoint(db, writer), position(10))
    assert.deepEqual(await openIntents(db, writer), [])
  })

  test('adds scans and never lowers unique scans', async () => {
    const db = await open()
    await insertCode(db, 'org_1', 'qr_1')
    for (const [batchId, scans, uniqueScans] of [
      ['b1', 5, 4],
      ['b2', 1, 2],
      ['b3', 0, 6],
    ] as const) {
      const from = (await readCheckpoint(db, writer)) ?? start
      await saveIntents(db, [intent(batchId, from, position(from.sequence + 10))])
      const counted = { ...change('org_1', 'qr_1'), scans, uniqueScans }
      await commitBatch(db, { writer, batchId, counters: [counted], position: position(from.sequence + 10) })
    }
    assert.deepEqual(await counters(db), { qr_1: [6, 6] })
  })

  test('marks unique scans as due until they are counted after the last scan', async () => {
    const db = await open()
    for (const id of ['qr_1', 'qr_2', 'qr_3']) await insertCode(db, 'org_1', id)
    const commit = async (batchId: string, counted: BatchCommit['counters']) => {
      const from = (await readCheckpoint(db, writer)) ?? start
      const to = position(from.sequence + 10)
      await saveIntents(db, [intent(batchId, from, to)])
      await commitBatch(db, { writer, batchId, counters: counted, position: to })
    }
    await commit('b1', scansOf('qr_1', 'qr_2'))
    await commit('b2', scansOf('qr_2'))
    await commit('b3', [{ ...change('org_1', 'qr_3'), scans: 1 }])
    assert.deepEqual(await counters(db), { qr_1: [2, 0], qr_2: [4, 0], qr_3: [1, 1] })
    const due = (await readDueUniques(db, 10)).sort((a, b) => a.totalScans - b.totalScans)
    assert.deepEqual(due, [
      { organizationId: 'org_1', qrCodeId: 'qr_1', totalScans: 2 },
      { organizationId: 'org_1', qrCodeId: 'qr_2', totalScans: 4 },
    ])
    assert.equal((await readDueUniques(db, 1)).length, 1)

    await commit('b4', scansOf('qr_2'))
    const counts = due.map((code) => ({ ...code, uniqueScans: 2 }))
    assert.equal(await saveDueUniques(db, counts), 1, 'qr_2 was scanned after its count')
    assert.deepEqual(await counters(db), { qr_1: [2, 2], qr_2: [6, 0], qr_3: [1, 1] })
    const late = await readDueUniques(db, 10)
    assert.deepEqual(late, [{ organizationId: 'org_1', qrCodeId: 'qr_2', totalScans: 6 }])
    assert.equal(await saveDueUniques(db, [{ ...late[0]!, uniqueScans: 5 }]), 1)
    assert.deepEqual(await counters(db), { qr_1: [2, 2], qr_2: [6, 5], qr_3: [1, 1] })
    assert.deepEqual(await readDueUniques(db, 10), [])
    assert.equal(await saveDueUniques(db, []), 0)
  })

  test('keeps the batches of a range until each is settled, and moves the checkpoint with the last one', async () => {
    const db = await open()
    await saveIntents(db, [intent('march'), { ...intent('april'), partition: '202604' }])
    await commitBatch(db, { writer, batchId: 'march', counters: [] })
    assert.equal(await readCheckpoint(db, writer), undefined)
    assert.deepEqual(
      (await openIntents(db, writer)).map(({ batchId }) => batchId),
      ['april'],
    )
    await commitBatch(db, { writer, batchId: 'april', counters: [], position: position(10) })
    assert.deepEqual(await readCheckpoint(db, writer), position(10))
  })

  test('one of two ingesters of a journal gets the range', async () => {
    const db = await open()
    const other = await open({ same: db })
    const saved = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        saveIntents(index % 2 === 0 ? db : other, [intent(`b${index}`)]),
      ),
    )
    assert.equal(saved.filter(Boolean).length, 1)
    const [winner] = await openIntents(db, writer)
    await commitBatch(db, { writer, batchId: winner?.batchId ?? '', counters: [], position: position(10) })
    assert.equal(await saveIntents(other, [intent('late')]), false, 'the range is before the checkpoint')
    assert.equal(await saveIntents(other, [intent('next', position(10), position(20))]), true)
  })

  test('skips deleted codes, and counts thousands in one transaction', async () => {
    const db = await open()
    for (let index = 0; index < 30; index++) await insertCode(db, 'org_1', `qr_${index}`)
    await insertCode(db, 'org_2', 'qr_other')
    const known = Array.from({ length: 30 }, (_, index) => change('org_1', `qr_${index}`))
    const gone = Array.from({ length: 1500 }, (_, index) => change('org_1', `qr_gone${index}`))
    await saveIntents(db, [intent('b1')])
    await commitBatch(db, {
      writer,
      batchId: 'b1',
      counters: [...gone, ...known, change('org_1', 'qr_other')],
      position: position(10),
    })
    const { qr_other, ...rest } = await counters(db)
    assert.deepEqual(qr_other, [0, 0], 'an equal id in another organization is another code')
    assert.deepEqual(new Set(Object.values(rest).map(String)), new Set(['1,1']))
    assert.equal(Object.keys(rest).length, 30)
  })

  test('never moves a checkpoint back', async () => {
    const db = await open()
    await saveCheckpoint(db, writer, position(10))
    await saveCheckpoint(db, writer, position(5))
    assert.deepEqual(await readCheckpoint(db, writer), position(10))
    await saveCheckpoint(db, writer, position(11))
    assert.deepEqual(await readCheckpoint(db, writer), position(11))
    assert.equal(await readCheckpoint(db, 'w2'), undefined)
  })
})
