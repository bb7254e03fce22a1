import assert from 'node:assert/strict'
import { test } from 'node:test'
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

/** A transaction that stays open until it is told to end. */
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
  test('tells each change once, the codes of one transaction together', async () => {
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

  test('tells nothing of a transaction that was rolled back', async () => {
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

  test('tells of a thousand codes changed in one transaction', async () => {
    const db = await open()
    const feed = await openFeed(db)
    const codes = Array.from({ length: 1100 }, (_, index) => `C${String(index).padStart(4, '0')}`)
    await record(db, ...codes)
    assert.deepEqual([...(await feed.catchUp())].sort(), codes)
    await feed.close()
  })

  test('sees what was committed before the call, also when calls overlap', async () => {
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
  test('misses none that began first and committed last', async () => {
    const db = await open()
    const other = await open({ same: db })
    const feed = await openFeed(db)
    const commitFirst = await openTransaction(other, ['OLD'])
    await record(db, 'NEW')
    assert.deepEqual(await feed.catchUp(), ['NEW'])
    assert.deepEqual(await feed.catchUp(), [], 'the open transaction makes nothing come twice')
    await commitFirst()
    assert.deepEqual(await feed.catchUp(), ['OLD'])
    assert.deepEqual(await feed.catchUp(), [])
  })

  test('misses none and tells none twice in any order of commits', async () => {
    const db = await open()
    const writers = [await open({ same: db }), await open({ same: db })]
    const feed = await openFeed(db)
    const random = seededRandom()
    const running: { code: string; commit: () => Promise<void> }[] = []
    const committed: string[] = []
    const told: string[] = []
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
        told.push(...(await feed.catchUp()))
        assert.deepEqual([...told].sort(), [...committed].sort())
      }
    }
    for (const { commit } of running) await commit()
    told.push(...(await feed.catchUp()))
    assert.equal(new Set(told).size, told.length)
    assert.equal(told.length, committed.length + running.length)
  })

  test('forgets everything at first: it cannot know what was looked up before', async () => {
    const feed = openChangeFeed(await open())
    assert.deepEqual(await feed.catchUp(), [everyCode])
    assert.deepEqual(await feed.catchUp(), [])
  })
})

onSqlite('the change feed', (open) => {
  test('tells at once, without waiting', async () => {
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
