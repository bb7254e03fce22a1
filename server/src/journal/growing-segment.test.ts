import assert from 'node:assert/strict'
import { test } from 'node:test'
import { journalStart } from './reader.ts'
import { segmentHeaderBytes } from './segments.ts'
import {
  createRandom,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  readAll,
  seed,
  send,
} from './testing/journal.ts'

const scansCount = 60
const writings = 60

/** A disk whose files are there up to a size, which grows whenever it is asked for. */
class WritingDisk extends MemoryDisk {
  writtenBytes = Infinity
  growth = (): number => 0

  override size(fd: number): number {
    this.writtenBytes += this.growth()
    return Math.min(super.size(fd), this.writtenBytes)
  }

  override read(fd: number, bytes: Uint8Array, from: number, length: number, position: number): number {
    const there = Math.max(0, this.writtenBytes - position)
    return super.read(fd, bytes, from, Math.min(length, there), position)
  }
}

test('no frame of a segment that grows while it is read counts as damaged', async () => {
  const disk = new WritingDisk()
  const sent = noneSent()
  const journal = openInMemory(disk)
  send(journal, sent, scansCount)
  await journal.close()
  assert.equal(sent.recorded.size, scansCount)
  const random = createRandom(seed)
  for (let writing = 0; writing < writings; writing++) {
    // In steps of some bytes, or of some frames at once.
    const stepBytes = 1 + random.int(writing % 2 === 0 ? 40 : 1500)
    // A segment has its name only when its header is written.
    disk.writtenBytes = segmentHeaderBytes
    disk.growth = () => 1 + random.int(stepBytes)
    const times: number[] = []
    let position = journalStart
    while (times.length < scansCount) {
      const read = await readAll(memoryDir, disk, position)
      assert.equal(read.damagedBytes, 0, `writing ${writing}, after ${times.length} scans`)
      times.push(...read.frames.map(({ scan }) => scan.timeMs))
      position = read.position
    }
    assert.deepEqual(times, [...sent.recorded])
  }
})
