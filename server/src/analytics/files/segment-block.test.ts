import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pick, randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { countRows } from './records/record-files.ts'
import { SegmentBlock } from './segment-block.ts'
import { codeKey } from './code-counts.ts'

const random = randomFrom(testSeed())

/** Rows of which many have the same code, and some the same time. */
function someRows(): ScanRow[] {
  const options = { organizationId: '', rows: 500, fromMs: 0, toMs: 50 }
  return randomScans(random, options).map((row, sequence) => ({
    ...row,
    organizationId: pick(random, ['org_b', 'org_a', 'org_c']),
    qrCodeId: `qr_${Math.floor(random() ** 2 * 40)}`,
    writer: pick(random, ['w_b', 'w_a']),
    sequence,
  }))
}

function blockOf(rows: readonly ScanRow[]): SegmentBlock {
  const block = new SegmentBlock()
  for (const row of rows) block.add(row, row.class === 'human' && Number(row.sequence) % 3 === 0)
  return block
}

test('the order of a block is by organization, code, time, writer and sequence', () => {
  const rows = someRows()
  const expected = rows.toSorted(
    (a, b) =>
      compare(a.organizationId, b.organizationId) ||
      compare(a.qrCodeId, b.qrCodeId) ||
      a.timeMs - b.timeMs ||
      compare(a.writer, b.writer) ||
      Number(a.sequence) - Number(b.sequence),
  )
  assert.deepEqual(
    [...blockOf(rows).order()],
    expected.map(({ sequence }) => Number(sequence)),
  )
  assert.deepEqual([...new SegmentBlock().order()], [])
})

test('the scans of a block are counted by code', () => {
  const rows = someRows()
  const expected = new Map<string, { scans: number; uniqueScans: number }>()
  for (const row of rows) {
    if (row.class !== 'human') continue
    const { scans, uniqueScans } = expected.get(codeKey(row)) ?? { scans: 0, uniqueScans: 0 }
    const isUnique = Number(row.sequence) % 3 === 0
    expected.set(codeKey(row), { scans: scans + 1, uniqueScans: uniqueScans + Number(isUnique) })
  }
  assert.deepEqual(countRows(blockOf(rows)), expected)
  assert.deepEqual(countRows(new SegmentBlock()), new Map())
})

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}
