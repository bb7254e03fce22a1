import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { randomScans } from '../testing/scan-rows.ts'
import { ListedFiles } from './listed-files.ts'
import type { ScanSegment } from './manifest.ts'
import { ScanEngine } from './parquet/scan-engine.ts'
import { SegmentBlock } from './segment-block.ts'

const folder = mkdtempSync(join(tmpdir(), 'everscan-listed-'))
const engine = await ScanEngine.open({ folders: [folder], spillTo: join(folder, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(folder, { recursive: true })
})

test('readers have the scans of each record once, of few and of many, small and large', async () => {
  const random = randomFrom(testSeed())
  const [fromMs, toMs] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)]
  const scans = randomScans(random, { organizationId: 'org_1', rows: 15_000, fromMs, toMs })
  const rowsOf = new Map<string, number>()
  const segments: ScanSegment[] = []
  const add = (rows: number): void => {
    const id = `seg_${segments.length}`
    rowsOf.set(id, rows)
    segments.push({ id, level: 0, rows, bytes: 0, checksum: 0, fromMs, toMs, stretches: [] })
  }
  const listed = new ListedFiles({
    engine,
    folder,
    records: {
      read: async function* (ids) {
        for (const [at, id] of ids.entries()) {
          const block = new SegmentBlock()
          for (let row = 0; row < (rowsOf.get(id) ?? 0); row++) block.add(scans[row % scans.length]!)
          yield [id, block] satisfies [string, SegmentBlock]
          assert.equal(ids.indexOf(id), at)
        }
      },
    },
    readManifest: async () => ({ revision: `r${segments.length}`, segments: [...segments] }),
  })
  for (const added of [[], [1], [15_000, 15_000, 15_000], Array.from({ length: 2_000 }, () => 2), [20_000]]) {
    for (const rows of added) add(rows)
    const fromMsNow = performance.now()
    const { recent } = await listed.read()
    assert.ok(performance.now() - fromMsNow < 5_000, 'many small records take no longer than a large one')
    const total = [...rowsOf.values()].reduce((sum, rows) => sum + rows, 0)
    const [[count] = []] =
      recent === undefined ? [[0]] : await engine.recent.rows(`select count(*) from ${recent}`)
    assert.equal(Number(count), total)
  }
})
