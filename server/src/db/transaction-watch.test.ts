import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '../log.ts'
import { inTransaction, tag, type Database } from './database.ts'
import { forEachDatabase } from './testing/databases.ts'
import { transactionIdleMsMax } from './transaction-watch.ts'

forEachDatabase('a transaction', (open) => {
  test('is logged when it stays open without a query, with the query before the pause', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', role: 'test' }, { write: (line) => void lines.push(line) })
    const db = { ...(await open()), log }
    await inTransaction(db, async (tx) => {
      await count(tx)
      await sleep(transactionIdleMsMax + 50)
      await count(tx)
    })
    assert.equal(lines.length, 1)
    const [line] = lines.map((one) => JSON.parse(one) as { msg: string; after: string; ms: number })
    assert.equal(line?.msg, 'a transaction was open without a query')
    assert.equal(line.after, 'tests.count')
    assert.ok(line.ms > transactionIdleMsMax, String(line.ms))
    // Before the first query and after the last one too.
    await inTransaction(db, async (tx) => {
      await sleep(transactionIdleMsMax + 50)
      await count(tx)
    })
    await inTransaction(db, async (tx) => {
      await count(tx)
      await sleep(transactionIdleMsMax + 50)
    })
    assert.equal(lines.length, 3)
  })

  test('is not logged while a query runs, or when it does not wait', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', role: 'test' }, { write: (line) => void lines.push(line) })
    const db = { ...(await open()), log }
    await inTransaction(db, async (tx) => {
      for (let queries = 0; queries < 20; queries++) {
        await count(tx)
        await sleep(20)
      }
    })
    assert.deepEqual(lines, [])
  })
})

function count(db: Database) {
  return db.kysely
    .selectFrom('organizations')
    .select(({ fn }) => fn.countAll().as('count'))
    .modifyEnd(tag('tests.count'))
    .execute()
}
