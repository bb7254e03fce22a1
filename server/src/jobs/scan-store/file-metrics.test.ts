import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import { createMetrics } from '../../processes/metrics.ts'
import { addFileMetrics, type ListedFacts } from './file-metrics.ts'

test('metrics tell files, records that wait, and when all were read', async () => {
  let facts: ListedFacts | undefined
  const metrics = createMetrics('worker-0')
  addFileMetrics(metrics, () => facts)
  const values = async () =>
    Object.fromEntries(
      (await metrics.collect()).flatMap(({ name, values: of }) =>
        name.startsWith('everscan_scan_files')
          ? of.map(({ labels, value }) => [`${name} ${String(labels['state'] ?? '')}`.trim(), value])
          : [],
      ),
    )
  assert.deepEqual(await values(), {})
  const segment = { id: 's', rows: 1, checksum: 1, fromMs: 1, toMs: 2, stretches: [] }
  const segments: ScanSegment[] = [
    { ...segment, level: 0, bytes: 10 },
    { ...segment, level: 1, bytes: 100 },
    { ...segment, level: 2, bytes: 1_000 },
  ]
  facts = { segments, readAtMs: Date.now() - 5_000 }
  const { everscan_scan_files_read_age_seconds: age, ...others } = await values()
  assert.ok(Number(age) >= 5 && Number(age) < 60)
  assert.deepEqual(others, {
    'everscan_scan_files merged': 2,
    'everscan_scan_files waiting': 1,
    'everscan_scan_files_bytes merged': 1_100,
    'everscan_scan_files_bytes waiting': 10,
  })
  facts = { segments: [], readAtMs: Date.now() + 9_000 }
  assert.deepEqual(Object.values(await values()), [0, 0, 0, 0, 0])
})
