import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClickHouse } from '../store/clickhouse.ts'
import { countBatch } from './insert.ts'
import { lastStoredSequence, storedBatch, storedSequences } from './stored-scans.ts'

const stretch = { writer: 'w_1', after: 0, exceptBatchIds: [] }
const questions: Record<string, (store: ClickHouse) => Promise<unknown>> = {
  'the count of a batch': (store) => countBatch(store, 'bat_1'),
  'the contents of a batch': (store) => storedBatch(store, 'bat_1'),
  'the last sequence of a writer': (store) => lastStoredSequence(store, stretch),
  'the sequences of a writer': (store) => storedSequences(store, stretch, 10),
}

for (const [name, ask] of Object.entries(questions))
  test(`${name} comes from a server that has caught up`, async () => {
    const asked: boolean[] = []
    let isCaughtUp = false
    const store = {
      caughtUp: async (work: () => Promise<unknown>) => {
        isCaughtUp = true
        return await work().finally(() => (isCaughtUp = false))
      },
      select: async () => {
        asked.push(isCaughtUp)
        return []
      },
    } as unknown as ClickHouse
    await ask(store)
    assert.ok(asked.length > 0 && asked.every(Boolean))
  })
