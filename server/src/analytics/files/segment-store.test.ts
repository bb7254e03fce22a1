import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateFiles, type Planted } from './testing/files-simulation.ts'

const firstSeed = testSeed()
const seedsCount = process.env['SOAK'] === '1' ? 100_000 : 500
/** The rarest takes some hundreds on average. */
const seedsUntilFound = 20_000

const planted: Record<string, Planted> = {
  'a file that is listed before it is durable': { losesSyncs: true },
  'a file that is adopted before it is durable': {
    awaitsJournals: 'never',
    files: () => ({ sync: async () => {} }),
  },
  'a batch that does not ask what the store has': { ignoresCoverage: true },
  'scans that are claimed though a journal no longer had them': { claimsUnread: true },
  'records that wait for a journal which no longer has their scans': { awaitsJournals: 'always' },
  'a checkpoint that moves without its files': {
    catalogue: (real) => ({
      change: (made, next, counts) => real.change({ ...made, added: [] }, next, counts),
    }),
  },
  'counters that an adoption does not move': {
    catalogue: (real) => ({ recount: (change, next) => real.recount(change, next, new Map()) }),
  },
  'a merge that forgets a file': {
    files: (real) => ({ combine: (id, stretches, ids) => real.combine(id, stretches, ids.slice(0, 1)) }),
  },
  'a file that is removed while the manifest lists it': {
    files: (real) => ({
      list: async () => {
        const [first, ...others] = await real.list()
        if (first !== undefined) await real.remove(first.id)
        return others
      },
    }),
  },
}

test('files and manifest agree to the scan after every order of kills, merges and older copies', async () => {
  let kills = 0
  for (let seed = firstSeed; seed < firstSeed + seedsCount; seed++) {
    const { problems, trace, kills: ofSeed } = await simulateFiles(seed)
    kills += ofSeed
    assert.deepEqual(problems, [], `SEED=${seed} npm test -- segment-store\n${trace.join('\n')}`)
  }
  console.log(`${seedsCount} orders, ${kills} kills`)
})

test('the same seed gives the same order of events', async () => {
  assert.deepEqual(await simulateFiles(firstSeed), await simulateFiles(firstSeed))
})

for (const [name, fault] of Object.entries(planted)) {
  test(`the simulation finds ${name}`, async () => {
    for (let tried = 0; tried < seedsUntilFound; tried++) {
      const { problems } = await simulateFiles(firstSeed + tried, fault)
      if (problems.length === 0) continue
      console.log(`${name}: found by seed ${tried + 1}: ${problems[0]}`)
      return
    }
    assert.fail(`not found in ${seedsUntilFound} seeds from ${firstSeed}`)
  })
}
