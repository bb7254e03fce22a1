import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { openNewSqlite } from '../../db/testing/databases.ts'
import type { BatchCommit } from '../../db/scans/ingest-checkpoints.ts'
import { simulate, type Planted } from './simulation.ts'

const firstSeed = testSeed()
const seedsCount = process.env['SOAK'] === '1' ? 2000 : 40
const seedsUntilFound = 400
const root = mkdtempSync(join(tmpdir(), 'everscan-simulation-'))
const db = await openNewSqlite(root)
// Kills and loss of power are those of the simulation: the catalogue is on another machine.
await sql`pragma synchronous = off`.execute(db.kysely)
after(async () => {
  await db.close()
  rmSync(root, { recursive: true, force: true })
})

const planted: Record<string, Planted> = {
  'a checkpoint without its insert': {
    calls: () => ({
      insertBatch: async () => {},
      countBatch: async () => 4,
      settleBatch: async () => 'stored',
    }),
  },
  'a batch inserted again after a lost answer': {
    calls: (_calls, store) => ({
      settleBatch: async (_store, block) => {
        store.insert(block)
        return 'inserted'
      },
    }),
  },
  'an intent that is not saved': { calls: () => ({ saveIntents: async () => true }) },
  'open intents that are forgotten': { calls: () => ({ openIntents: async () => [] }) },
  'counters moved twice': {
    calls: (calls) => ({
      commitBatch: (database, change) =>
        calls.commitBatch(database, {
          ...change,
          counters: change.counters.map((code) => ({ ...code, scans: code.scans * 2 })),
        }),
    }),
  },
  'a batch that two workers count': {
    calls: (calls) => ({
      commitBatch: async (database, change) => {
        const reserved = await calls.commitBatch(database, change)
        if (reserved === undefined) await countAgain(database, change)
        return reserved
      },
    }),
  },
  'a checkpoint of another writer': {
    calls: (calls) => {
      let latest: string | undefined
      return {
        readCheckpoint: (database, writer) => calls.readCheckpoint(database, latest ?? writer),
        commitBatch: (database, change) => {
          latest = change.writer
          return calls.commitBatch(database, change)
        },
      }
    },
  },
  'scans counted for another owner of a code with the same id': {
    calls: (calls, _store, { organizations: [first = ''] }) => ({
      commitBatch: (database, change) =>
        calls.commitBatch(database, {
          ...change,
          counters: change.counters.map((code) => ({ ...code, organizationId: first })),
        }),
    }),
  },
  'an answer before the journal is written': { answersEarly: true },
  'a sync that the disk did not make': { losesSyncs: true },
  'a lease that is not counted': {
    counters: (counters) => ({
      take: async (key, want) => {
        const lease = await counters.take(key, want)
        if (lease !== undefined) await counters.giveBack(key, { left: lease.granted, resets: lease.resets })
        return lease
      },
    }),
  },
  'a lease that is given back with answers that were given': {
    counters: (counters) => ({
      giveBack: async (key, { left, resets }) => counters.giveBack(key, { left: left + 1, resets }),
      take: async (key, want) => counters.take(key, want + 2),
    }),
  },
}

async function countAgain(database: Database, { counters }: BatchCommit): Promise<void> {
  for (const { organizationId, qrCodeId, scans } of counters)
    await database.kysely
      .updateTable('scan_counters')
      .set((set) => ({ total_scans: set('total_scans', '+', scans) }))
      .where('organization_id', '=', organizationId)
      .where('qr_code_id', '=', qrCodeId)
      .execute()
}

test('every answered scan is counted once in every order of kills and lost answers', async () => {
  let kills = 0
  const startMs = performance.now()
  for (let seed = firstSeed; seed < firstSeed + seedsCount; seed++) {
    const outcome = await simulate(db, seed)
    kills += outcome.kills
    assert.deepEqual(outcome.problems, [], `SEED=${seed} npm test -- simulation\n${outcome.trace.join('\n')}`)
  }
  const minutes = (performance.now() - startMs) / 60_000
  console.log(`${seedsCount} orders, ${kills} kills; ${Math.round(seedsCount / minutes)} orders a minute`)
})

test('the same seed gives the same order of events', async () => {
  assert.deepEqual(await simulate(db, firstSeed), await simulate(db, firstSeed))
})

for (const [name, fault] of Object.entries(planted)) {
  test(`the simulation finds ${name}`, async () => {
    for (let tried = 0; tried < seedsUntilFound; tried++) {
      const { problems } = await simulate(db, firstSeed + tried, fault)
      if (problems.length === 0) continue
      console.log(`${name}: found by SEED=${firstSeed + tried}, seed ${tried + 1}: ${problems[0]}`)
      return
    }
    assert.fail(`not found in ${seedsUntilFound} seeds from ${firstSeed}`)
  })
}
