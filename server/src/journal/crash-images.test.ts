// Proof 3: after any crash, every acknowledged and synced scan is read, none twice, and none is
// invented.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasVariants } from '@everscan/contract/testing/variants.ts'
import {
  readAll,
  createRandom,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  scanOf,
  seed,
  send,
  soak,
  turn,
  type Chances,
  type Sent,
} from './testing/journal.ts'
import type { JournalFrame } from './reader.ts'
import { segmentPath } from './segments.ts'

const imagesPerKind = soak ? 400_000 : hasVariants ? 4_000 : 1_000
const framesInImage = 24

/**
 * Reads an image in the same way as the service after a start: the writer first, then the reader.
 */
async function recoverAndRead(disk: MemoryDisk): Promise<number[]> {
  const journal = openInMemory(disk)
  const sent: Sent = { ...noneSent(), count: 1000 }
  send(journal, sent, 2)
  await journal.close()
  assert.deepEqual([...sent.recorded], [1001, 1002])
  assert.equal(disk.openFiles, 0)
  const { frames } = await readAll(memoryDir, disk)
  return checked(frames)
}

/** Checks the scans in frames: none invented, none twice, in order. Returns their numbers. */
function checked(frames: readonly JournalFrame[]): number[] {
  let last = 0
  return frames.map(({ sequence, scan }) => {
    assert.ok(sequence > last, `sequence ${sequence} after ${last}`)
    last = sequence
    assert.deepEqual(scan, scanOf(scan.timeMs))
    return scan.timeMs
  })
}

async function writtenDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  const journal = openInMemory(disk)
  const sent = noneSent()
  for (let turns = 0; turns < framesInImage / 4; turns++) {
    send(journal, sent, 4)
    await turn()
  }
  await journal.close()
  assert.equal(sent.recorded.size, framesInImage)
  return disk
}

test('a segment cut at any byte gives the frames before the cut', async () => {
  const written = await writtenDisk()
  const path = segmentPath(memoryDir, 1)
  const ends = (await readAll(memoryDir, written)).frames.map(({ endOffset }) => endOffset)
  const whole = written.contents(path)
  for (let length = 0; length < whole.length; length++) {
    const disk = written.copy()
    disk.truncate(disk.open(path, 'r+'), length)
    const image = disk.copy()
    const expected = ends.filter((end) => end <= length).length
    assert.deepEqual(
      (await recoverAndRead(image)).filter((index) => index < 1000).length,
      expected,
      `cut at ${length}`,
    )
  }
})

test(`a flipped bit costs at most the frame it is in (SEED=${seed})`, async () => {
  const random = createRandom(seed)
  const written = await writtenDisk()
  for (const path of written.names.keys()) {
    const bits = written.contents(path).length * 8
    const share = Math.min(1, imagesPerKind / bits)
    for (let bit = 0; bit < bits; bit++) {
      if (!random.chance(share) && bits > 1024) continue
      const disk = written.copy()
      disk.contents(path).writeUInt8((disk.contents(path)[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3)
      const read = await recoverAndRead(disk)
      assert.deepEqual(read.slice(-2), [1001, 1002], `bit ${bit} of ${path}`)
      assert.ok(read.length >= framesInImage + 1, `bit ${bit} of ${path}: ${read.length} frames`)
    }
  }
})

test(`after a power loss everything acknowledged and synced is read once, also by a reader that was ahead (SEED=${seed})`, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (let images = 0, run = 0; images < imagesPerKind; run++) {
    const random = createRandom(seed + run)
    images += await crashRun(random, (ms) => t.mock.timers.tick(ms), seed + run)
  }
})

/** Runs a journal with crashes at random times, and checks each of them. Returns how many. */
async function crashRun(random: Chances, tick: (ms: number) => void, runSeed: number): Promise<number> {
  const disk = new MemoryDisk()
  const sync = random.chance(0.5) ? 'always' : 'interval'
  const sent = noneSent()
  let durable: number[] = []
  disk.onSync = () => {
    const acknowledged = [...sent.recorded]
    return () => {
      durable = acknowledged
    }
  }
  const journal = openInMemory(disk, { sync, segmentBytesMax: 2000 })
  let ahead = await readAll(memoryDir, disk)
  const given: number[] = []
  let images = 0
  for (let turns = 0; turns < 40; turns++) {
    send(journal, sent, random.int(6))
    await turn()
    if (random.chance(0.3)) tick(200)
    if (random.chance(0.3)) {
      ahead = await readAll(memoryDir, disk, ahead.position)
      given.push(...checked(ahead.frames))
    }
    if (!random.chance(0.5)) continue
    images++
    const promised = sync === 'always' ? [...sent.recorded] : durable
    const image = disk.crashed(random)
    const message = `run ${runSeed}, turn ${turns}, ${sync}`
    const after = await lifeAfter(image)
    const fresh = checked((await readAll(memoryDir, image)).frames)
    assert.equal(new Set(fresh).size, fresh.length, message)
    for (const index of [...promised, ...after]) assert.ok(fresh.includes(index), `${message}: lost ${index}`)
    const all = [...given, ...checked((await readAll(memoryDir, image, ahead.position)).frames)]
    assert.equal(new Set(all).size, all.length, `${message}: the reader ahead got one twice`)
    for (const index of [...promised, ...after])
      assert.ok(all.includes(index), `${message}: the reader ahead lost ${index}`)
  }
  await journal.close()
  return images
}

/** Starts the service again on what a crash left, and records some more scans. */
async function lifeAfter(image: MemoryDisk): Promise<number[]> {
  const sent: Sent = { ...noneSent(), count: 1_000_000 }
  const journal = openInMemory(image)
  send(journal, sent, 3)
  await journal.close()
  assert.equal(sent.recorded.size, 3)
  return [...sent.recorded]
}
