import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DuckDBAppender } from '@duckdb/node-api'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import { SegmentBlock } from '../segment-block.ts'
import type { ScanWriter } from './scan-engine.ts'
import { withBlock } from './write-segment.ts'

test('the event loop goes on between the vectors of a block', async () => {
  const rows = 5 * 2_048
  const block = new SegmentBlock(rows)
  const options = { organizationId: 'org_1', rows, fromMs: 0, toMs: 1 }
  for (const row of randomScans(randomFrom(testSeed()), options)) block.add(row)
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  const turnsOfVectors: number[] = []
  const appender = {
    appendDataChunk: () => void turnsOfVectors.push(turns),
    closeSync: () => {},
  } as unknown as DuckDBAppender
  const writer = {
    run: async () => {},
    connection: { createAppender: async () => appender },
  } as unknown as ScanWriter
  setImmediate(turn)
  await withBlock(writer, block, async () => {})
  isDone = true
  assert.equal(new Set(turnsOfVectors).size, 5)
})
