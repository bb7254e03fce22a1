import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectGarbage, IdleMemory } from './idle-memory.ts'

const mib = 1024 ** 2
const minuteMs = 60_000

test('an idle process collects once it has grown, and a busy one does not', async () => {
  const at = { nowMs: 0, cpuMs: 1_000, heldBytes: 40 * mib, collected: 0 }
  const parts = {
    cpuMs: () => at.cpuMs,
    heldBytes: () => at.heldBytes,
    collect: async () => {
      at.collected++
      at.heldBytes = 30 * mib
      // A collection is no work.
      at.cpuMs += 10_000
    },
  }
  const idle = new IdleMemory(parts, at.nowMs)
  const afterMinute = async (cpuMs: number, grownBytes: number): Promise<number> => {
    at.nowMs += minuteMs
    at.cpuMs += cpuMs
    at.heldBytes += grownBytes
    await idle.look(at.nowMs)
    return at.collected
  }
  assert.equal(await afterMinute(20_000, 50 * mib), 0, 'busy')
  assert.equal(await afterMinute(1_000, 0), 1, 'idle')
  assert.equal(await afterMinute(1_000, 2 * mib), 1, 'hardly grown')
  assert.equal(await afterMinute(1_000, 7 * mib), 2, 'idle again, and grown')
  assert.equal(await afterMinute(4_000, 20 * mib), 2, 'busy again')
  assert.equal(await afterMinute(1_000, 0), 3)
})

test('a collection frees what nothing refers to', async () => {
  assert.equal(Array.from({ length: 1_000_000 }, (_, at) => ({ at })).length, 1_000_000)
  const { heapUsed } = process.memoryUsage()
  await collectGarbage()
  assert.ok(process.memoryUsage().heapUsed < heapUsed)
})
