import assert from 'node:assert/strict'
import { readdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { Bloom } from './bloom.ts'
import { FaultyDisk } from './testing/visit-faults.ts'
import { RecentVisits } from './recent-visits.ts'
import { keyBytes, placeBytes } from './visit-record.ts'
import { VisitRuns } from './visit-runs.ts'
import { nothingCovered } from './visit-state.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-visit-runs-'))
const seed = testSeed()
const context = `SEED=${seed} npm test -- visit-runs`
const stepsCount = process.env['SOAK'] === '1' ? 500_000 : 10_000

after(() => rmSync(root, { recursive: true }))

test('keys have their last places after any sequence of changes, runs and merges', async () => {
  const random = randomFrom(seed)
  const options = { folder: join(root, 'runs'), recentMax: 100, runsMax: 3, disk: new FaultyDisk() }
  let runs = await VisitRuns.open(options)
  const judge = new Map<number, Buffer>()
  let levels = 0
  const check = (number: number): void =>
    assert.deepEqual(copied(runs.get(keyOf(number))), judge.get(number), `${number}: ${context}`)
  for (let step = 0; step < stepsCount; step++) {
    const number = Math.floor(random() ** 2 * 8_000)
    const event = random()
    if (runs.isFullWith(1)) await runs.flush(nothingCovered)
    if (event < 0.45) {
      const place = hash('sha256', `${step}`, 'buffer').subarray(0, placeBytes)
      runs.put(keyOf(number), place)
      judge.set(number, place)
    } else if (event < 0.6) {
      runs.remove(keyOf(number))
      judge.delete(number)
    } else if (event < 0.9999) check(number)
    else {
      await runs.flush(nothingCovered)
      await runs.close()
      runs = await VisitRuns.open(options)
    }
    levels = Math.max(levels, runs.runCounts.length)
  }
  for (let number = 0; number < 8_000; number++) check(number)
  await runs.settle()
  for (let number = 0; number < 8_000; number += 7) check(number)
  assert.ok(levels > 3, `${levels} levels`)
  await runs.close()
})

test('removed keys are gone from the files when all runs were merged', async () => {
  const folder = join(root, 'removed')
  const runs = await VisitRuns.open({ folder, recentMax: 1_000, runsMax: 2 })
  for (const change of ['put', 'remove'] as const) {
    for (let number = 0; number < 1_000; number++)
      if (change === 'put') runs.put(keyOf(number), keyOf(number))
      else runs.remove(keyOf(number))
    await runs.flush(nothingCovered)
  }
  await runs.settle()
  assert.deepEqual(runs.runCounts, [0, 1])
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.run'))
  // The filter of the keys that could have been there is left, and no page.
  assert.ok(statSync(join(folder, name)).size < 4096)
  await runs.close()
})

test('a record in files takes less than 20 bytes', async () => {
  const folder = join(root, 'bytes')
  const runs = await VisitRuns.open({ folder, recentMax: 20_000 })
  for (let number = 0; number < 20_000; number++) runs.put(keyOf(number), keyOf(number))
  await runs.flush(nothingCovered)
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  assert.ok(bytes / 20_000 < 20, `${bytes / 20_000}`)
  await runs.close()
})

test('a filter has its keys, and few others', () => {
  const filter = Bloom.for(5_000)
  for (let number = 0; number < 5_000; number++) filter.add(keyOf(number), 0)
  let others = 0
  for (let number = 0; number < 5_000; number++) {
    assert.ok(filter.has(keyOf(number)))
    if (filter.has(keyOf(number + 5_000))) others++
  }
  assert.ok(others < 100, `${others} of 5,000 others pass`)
})

test('keys with the same beginnings are found in memory and in files, in order', async () => {
  const alike = Array.from({ length: 600 }, (_, number) => {
    const key = Buffer.alloc(keyBytes, 7)
    key.writeUInt16BE((number * 7919) % 600, 8)
    return key
  })
  const recent = new RecentVisits(1)
  for (const key of alike) recent.put(key, keyOf(1))
  const ordered = [...recent.pieces()]
    .flatMap((piece) => [...piece])
    .map((at) => recent.records.readUInt16BE(at + 8))
  assert.deepEqual(
    ordered,
    alike.map((_, number) => number),
  )
  const runs = await VisitRuns.open({ folder: join(root, 'alike'), recentMax: 1_000 })
  for (const key of alike) runs.put(key, key)
  await runs.flush(nothingCovered)
  for (const key of alike) assert.deepEqual(copied(runs.get(key)), key.subarray(0, placeBytes))
  await runs.close()
})

function keyOf(number: number): Buffer {
  return hash('sha256', `key ${number}`, 'buffer').subarray(0, keyBytes)
}

function copied(bytes: Buffer | undefined): Buffer | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes)
}
