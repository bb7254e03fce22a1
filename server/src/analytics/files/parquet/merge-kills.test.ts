import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { sendSignal } from '../../../processes/testing/signals.ts'
import { ScanStoreUnavailable } from '../../scan-store.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import { SegmentBlock } from '../segment-block.ts'
import { engineClient } from '../socket/engine-client.ts'
import { startEngineProcess } from '../testing/engine-process.ts'
import { ParquetFiles } from './parquet-files.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-merge-kills-'))
const folder = join(root, 'segments')
const socketPath = join(root, 'engine.sock')
const rowsOfFile = 40_000
const stretch = (from: number, to: number) => [{ month: 202603, writer: 'a', from, to }]
const contents = (): string[] => readdirSync(join(folder, '202603')).toSorted()

after(() => rmSync(root, { recursive: true }))

test('an engine that is killed at any step of a merge leaves the files as they were', async (t) => {
  const client = engineClient(socketPath)
  let engine: ChildProcess
  const kill = async (): Promise<void> => {
    const ended = once(engine, 'exit')
    sendSignal(engine.pid ?? 0, 'SIGKILL')
    await ended
  }
  t.after(() => kill())
  engine = await startEngineProcess(root, socketPath)
  const files = await ParquetFiles.open({ folder, engine: client })
  for (const [at, id] of ['f1', 'f2'].entries())
    await files.write(id, stretch(at * rowsOfFile, (at + 1) * rowsOfFile), blockAfter(at * rowsOfFile))
  const before = contents()

  const isWriting = async (): Promise<void> => {
    while (contents().length === before.length) await nextTurn()
  }
  type Merge = Parameters<typeof client.writeMerged>
  const steps: Record<string, Partial<typeof client>> = {
    'before it begins': {
      writeMerged: async (...merge: Merge) => {
        await kill()
        await client.writeMerged(...merge)
      },
    },
    'while it writes': {
      writeMerged: async (...merge: Merge) => {
        await Promise.all([client.writeMerged(...merge), isWriting().then(kill)])
      },
    },
    'before the file is read back': {
      rows: async (sql) => {
        await kill()
        return await client.rows(sql)
      },
    },
  }
  for (const [step, dying] of Object.entries(steps)) {
    let calls: Partial<typeof client> = {}
    const engineOfStep = new Proxy(client, {
      get: (target, name) => Reflect.get({ ...target, ...calls }, name) as unknown,
    })
    const opened = await ParquetFiles.open({ folder, engine: engineOfStep })
    await opened.list()
    calls = dying
    const merged = opened.combine('f3', stretch(0, 2 * rowsOfFile), ['f1', 'f2'])
    await assert.rejects(merged, ScanStoreUnavailable, step)
    assert.deepEqual(contents(), before, step)
    engine = await startEngineProcess(root, socketPath)
  }
  const { rows } = await files.combine('f3', stretch(0, 2 * rowsOfFile), ['f1', 'f2'])
  assert.equal(rows, 2 * rowsOfFile)
})

function blockAfter(from: number): SegmentBlock {
  const block = new SegmentBlock(rowsOfFile)
  const range = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) }
  const drawn = randomScans(randomFrom(testSeed()), { organizationId: 'org_1', rows: rowsOfFile, ...range })
  for (const [at, row] of drawn.entries()) block.add({ ...row, writer: 'a', sequence: from + at + 1 }, false)
  return block
}
