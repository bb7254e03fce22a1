import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNearlyOneNetwork, readNetworkShare, saveNetworkShare } from './network-shares.ts'
import { forEachDatabase } from '../testing/databases.ts'

forEachDatabase('network shares', (open) => {
  test('are added up over the latest share of each journal, and ignored when they are old', async () => {
    const db = await open()
    const nowMs = Date.now()
    assert.equal(await readNetworkShare(db, nowMs), undefined)
    await saveNetworkShare(db, 'w1', { scans: 300, largest: 10 })
    await saveNetworkShare(db, 'w1', { scans: 1_000, largest: 400 })
    await saveNetworkShare(db, 'w2', { scans: 200, largest: 200 })
    assert.deepEqual(await readNetworkShare(db, nowMs), { scans: 1_200, largest: 600 })
    assert.equal(await readNetworkShare(db, nowMs + 31 * 24 * 3_600_000), undefined)
  })
})

test('95 % of 200 is nearly one network', () => {
  const cases = [
    [200, 190, true],
    [200, 189, false],
    [199, 199, false],
    [1_000, 1_000, true],
  ] as const
  for (const [scans, largest, expected] of cases)
    assert.equal(isNearlyOneNetwork({ scans, largest }), expected, `${largest} of ${scans}`)
})
