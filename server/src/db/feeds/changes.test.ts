import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { everyCode, openChangeFeed, recordChanges, type ChangeFeed } from './changes.ts'
import { inTransaction, type Database } from '../database.ts'
import { forEachDatabase, onPostgres, onSqlite } from '../testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'

const record = (db: Database, ...codes: string[]) => inTransaction(db, (tx) => recordChanges(tx, codes))

async function openFeed(db: Database): Promise<ChangeFeed> {
  const feed = openChangeFeed(db)
  await feed.catchUp()
  return feed
}

/** Opens a transaction and returns a function that commits it. */
async function openTransaction(db: Database, codes: readonly string[]): Promise<() => Promise<void>> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const committed = inTransaction(db, async (tx) => {
    await recordChanges(tx, codes)
    begin()
    await ended
  })
  await begun
  return () => {
    end()
    return committed
  }
}

forEachDatabase('the change feed', (open) => {
  test('reports each change once, and all codes of a transaction together', async () => {
    const db = await open()
    await record(db, 'BEFORE')
    const feed = await openFeed(db)
    assert.deepEqual(await feed.catchUp(), [])
    await record(db, 'A', 'B', 'A')
    await record(db, 'C')
    assert.deepEqual([...(await feed.catchUp())].sort(), ['A', 'B', 'C'])
    assert.deepEqual(await feed.catchUp(), [])
    await record(db, 'A')
    assert.deepEqual(await feed.catchUp(), ['A'])
    await feed.close()
  })

  test('reports nothing of a rolled-back transaction', async () => {
    const db = await open()
    const feed = await openFeed(db)
    const rolledBack = inTransaction(db, async (tx) => {
      await recordChanges(tx, ['A'])
      throw new Error('no')
    })
    await assert.rejects(rolledBack, /no/)
    await record(db, 'B')
    assert.deepEqual(await feed.catchUp(), ['B'])
    await feed.close()
  })

  test('reports a thousand codes of one transaction', async () => {
    const db = await open()
    const feed = await openFeed(db)
    const codes = Array.from({ length: 1100 }, (_, index) => `C${String(index).padStart(4, '0')}`)
    await record(db, ...codes)
    assert.deepEqual([...(await feed.catchUp())].sort(), codes)
    await feed.close()
  })

  test('reports every commit from before the call, also in overlapping calls', async () => {
    const db = await open()
    const other = await open({ same: db })
    const feed = await openFeed(db)
    const seen = new Set<string>()
    const change = async (index: number) => {
      await record(index % 2 === 0 ? db : other, `C${index}`)
      for (const code of await feed.catchUp()) seen.add(code)
      assert.ok(seen.has(`C${index}`), `C${index} was committed and is not seen`)
    }
    await Promise.all(Array.from({ length: 60 }, (_, index) => change(index)))
    await feed.close()
  })
})

onPostgres('the change feed with transactions that overlap', (open) => {
  test('misses no transaction that began first and committed last', async () => {
    const db = await open()
    const other = await open({ same: db })
    const feed = await openFeed(db)
    const commitFirst = await openTransaction(other, ['OLD'])
    await record(db, 'NEW')
    assert.deepEqual(await feed.catchUp(), ['NEW'])
    assert.deepEqual(await feed.catchUp(), [], 'an open transaction causes no duplicates')
    await commitFirst()
    assert.deepEqual(await feed.catchUp(), ['OLD'])
    assert.deepEqual(await feed.catchUp(), [])
  })

  test('misses and repeats no change, in any order of commits', async () => {
    const db = await open()
    const writers = [await open({ same: db }), await open({ same: db })]
    const feed = await openFeed(db)
    const random = seededRandom()
    const running: { code: string; commit: () => Promise<void> }[] = []
    const committed: string[] = []
    const received: string[] = []
    for (let step = 0; step < 200; step++) {
      const choice = random()
      if (choice < 0.4 && running.length < 6) {
        const code = `C${step}`
        const writer = writers[step % writers.length]
        assert.ok(writer)
        running.push({ code, commit: await openTransaction(writer, [code]) })
      } else if (choice < 0.8 && running.length > 0) {
        const [ended] = running.splice(Math.floor(random() * running.length), 1)
        assert.ok(ended)
        await ended.commit()
        committed.push(ended.code)
      } else {
        received.push(...(await feed.catchUp()))
        assert.deepEqual([...received].sort(), [...committed].sort())
      }
    }
    for (const { commit } of running) await commit()
    received.push(...(await feed.catchUp()))
    assert.equal(new Set(received).size, received.length)
    assert.equal(received.length, committed.length + running.length)
  })

  test('tells at once that another process committed a change, and again after the connection broke', async () => {
    const db = await open()
    const feed = await openFeed(await open({ same: db }))
    const notices: unknown[] = []
    feed.follow?.(() => void notices.push('a notice'))
    const noticeAfter = async (change: () => Promise<void>) => {
      const before = notices.length
      await change()
      for (const endMs = Date.now() + 10_000; notices.length === before; await sleep(5))
        if (Date.now() > endMs) throw new Error('no notice within 10 s')
    }
    // The first one follows the connection.
    await noticeAfter(async () => undefined)
    await noticeAfter(() => record(db, 'A'))
    assert.deepEqual(await feed.catchUp(), ['A'])
    await noticeAfter(async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'everscan notices' and datname = current_database()`.execute(
        db.kysely,
      )
    })
    await noticeAfter(() => record(db, 'B'))
    assert.deepEqual(await feed.catchUp(), ['B'])
    await feed.close()
    const stopped = notices.length
    await record(db, 'C')
    await sleep(100)
    assert.equal(notices.length, stopped)
  })

  test('invalidates everything at first, because earlier lookups are unknown', async () => {
    const feed = openChangeFeed(await open())
    assert.deepEqual(await feed.catchUp(), [everyCode])
    assert.deepEqual(await feed.catchUp(), [])
  })
})

onSqlite('the change feed', (open) => {
  test('reports changes synchronously', async () => {
    const db = await open()
    const feed = openChangeFeed(db)
    assert.deepEqual(feed.poll?.(), [])
    await record(db, 'A')
    assert.deepEqual(feed.poll?.(), ['A'])
    await db.kysely.deleteFrom('jobs').execute()
    assert.deepEqual(feed.poll?.(), [], 'a commit that changes no code')
    await feed.close()
  })
})
