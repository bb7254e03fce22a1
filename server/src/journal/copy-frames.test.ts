// Copies take every frame after the fence from the journals, once and unchanged, and restore them
// elsewhere.
import assert from 'node:assert/strict'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { restoredCheckpoint, restoreFrames, type FramesToRestore } from './copy-frames.ts'
import { encodeFrame, frameSeed, frameSequence } from './frames.ts'
import { holdSegments, type HeldSegments } from './hold-segments.ts'
import { closeQuietly, fileSystem, type JournalIo } from './journal-io.ts'
import { openJournal, type Journal } from './journal.ts'
import type { JournalBuffer } from './raw-scan.ts'
import { journalStart, readFrames, readWriters, type JournalFrame, type JournalPosition } from './reader.ts'
import { removeSegments } from './remove-segments.ts'
import { createSegment, decodeHeader, listSegments, segmentHeaderBytes, segmentPath } from './segments.ts'
import {
  createRandom,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  preparedScanOf,
  seed,
  send,
  turn,
  type Sent,
} from './testing/journal.ts'
import { readWriterFile, saveWriterFile } from './writers.ts'

const random = createRandom(seed)

const scratch = mkdtempSync(join(tmpdir(), 'everscan-copy-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function folder(): string {
  return mkdtempSync(join(scratch, 'data-'))
}

function open(dir: string, segmentBytesMax = 8_000): Journal {
  return openJournal({ dir, sync: 'always', bytesMax: 1e9, segmentBytesMax })
}

async function record(journal: Journal, sent: Sent, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) {
    send(journal, sent, Math.min(10, left))
    while (sent.recorded.size + sent.refused.size < sent.count) await turn()
  }
  assert.equal(sent.refused.size, 0)
}

/** Reads all frames of a writer after a position. */
async function read(
  dir: string,
  {
    writer,
    position = journalStart,
    io = fileSystem,
  }: { writer: string; position?: JournalPosition; io?: JournalIo },
): Promise<JournalFrame[]> {
  const frames: JournalFrame[] = []
  for (let more = true; more;) {
    const part = await readFrames(dir, position, { writer, io, bytesMax: 100_000 })
    frames.push(...part.frames)
    ;({ position, more } = part)
  }
  return frames
}

const named = (frames: readonly JournalFrame[]) => frames.map(({ sequence, scan }) => ({ sequence, scan }))

/** Returns the frames of every writer after its checkpoint, as a copy contains them. */
async function copied(
  held: HeldSegments,
  checkpoints: ReadonlyMap<string, JournalPosition> = new Map(),
): Promise<FramesToRestore[]> {
  const pieces: FramesToRestore[] = []
  for (const writer of held.writers())
    for await (const { bytes } of held.framesBehind(writer, checkpoints.get(writer.writer)))
      pieces.push({ writer: writer.writer, bytes })
  return pieces
}

/** Returns the times of the scans of a copy, in their order. */
async function timesOf(pieces: readonly FramesToRestore[]): Promise<number[]> {
  const dir = join(folder(), 'front-0')
  const times: number[] = []
  for (const { writer } of await restoreFrames(dir, pieces))
    times.push(...(await read(dir, { writer })).map(({ scan }) => scan.timeMs))
  return times
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** Returns a frame of the first version: without short code, domain, rule, arm and app. */
function firstVersion(sequence: number, writer: string): Buffer {
  const bytes = Buffer.alloc(4096) as JournalBuffer
  const end = encodeFrame(bytes, 0, { sequence, seed: frameSeed(writer), scan: preparedScanOf(sequence) })
  let at = 16 + 7 + 16
  for (let id = 0; id < 2; id++) at += 1 + (bytes[at] ?? 0)
  let rest = at
  for (let id = 0; id < 4; id++) rest += 1 + (bytes[rest] ?? 0)
  let app = rest
  for (let text = 0; text < 3; text++) app += 1 + (bytes[app] ?? 0)
  const afterApp = app + 1 + (bytes[app] ?? 0)
  const frame = Buffer.concat([
    bytes.subarray(0, at),
    bytes.subarray(rest, app),
    bytes.subarray(afterApp, end),
  ])
  frame[5] = 0xe5
  frame.writeUInt16LE(frame.length - 16, 6)
  frame.writeUInt32LE(crc32(frame.subarray(4), frameSeed(writer)), 0)
  return frame
}

/** Creates a folder as the first release left it. */
function makeFirstFolder(dir: string, writer: string, frames: number): void {
  fileSystem.makeDirectory(dir)
  const pieces = upTo(frames).map((sequence) => {
    const bytes = firstVersion(sequence, writer)
    return { bytes, from: 0, to: bytes.length }
  })
  const header = { number: 1, writerId: writer, firstSequence: 1, createdMs: 0 }
  closeQuietly(fileSystem, createSegment(fileSystem, dir, header, pieces).fd)
  saveWriterFile(fileSystem, dir, { writerIds: [writer], sequence: frames })
}

test('frames behind the fence go from the journals of several fronts into one, and nothing else does', async () => {
  const root = join(folder(), 'journal')
  const first = 'ab'.repeat(16)
  makeFirstFolder(join(root, 'front-0'), first, 30)
  for (const [dir, starts] of [
    ['front-0', 3],
    ['front-1', 2],
  ] as const)
    for (let start = 0; start < starts; start++) {
      const journal = open(join(root, dir))
      await record(journal, noneSent(), 60 + random.int(100))
      await journal.close()
    }
  const before = new Map<string, JournalFrame[]>()
  const fence = new Map<string, JournalPosition>()
  for (const dir of ['front-0', 'front-1'].map((name) => join(root, name)))
    for (const { writer } of readWriters(dir)) {
      const frames = await read(dir, { writer })
      before.set(writer, frames)
      const last = frames[random.int(frames.length - 10)]
      if (last === undefined || random.chance(0.2)) continue
      fence.set(writer, { segment: last.segment, offset: last.endOffset, sequence: last.sequence })
    }
  const held = holdSegments(root)
  const pieces = await copied(held, fence)
  held.release()
  assert.equal(held.damagedBytes, 0)
  assert.equal(before.size, 6)

  const dir = join(folder(), 'journal', 'front-0')
  const runs = await restoreFrames(dir, pieces, { segmentBytesMax: 6_000 })
  assert.deepEqual(
    readWriters(dir).map(({ writer, firstSegment }) => ({ writer, firstSegment })),
    runs.map(({ writer, firstSegment }) => ({ writer, firstSegment })),
  )
  assert.deepEqual(
    readdirSync(dir).filter((name) => !/^(\d{8}\.seg|writer)$/.test(name)),
    [],
  )
  for (const number of listSegments(fileSystem, dir))
    assert.ok(statSync(segmentPath(dir, number)).size < 6_000 + 2_000)
  const check = async (): Promise<void> => {
    for (const run of runs) {
      const { writer } = run
      const sequence = fence.get(writer)?.sequence
      const position = restoredCheckpoint(run, sequence)
      const expected = (before.get(writer) ?? []).filter((frame) => frame.sequence > (sequence ?? 0))
      assert.equal(run.frames, expected.length)
      assert.equal(run.lastSequence, expected.at(-1)?.sequence)
      assert.deepEqual(position, { segment: run.firstSegment, offset: 0, sequence: sequence ?? 0 })
      assert.deepEqual(named(await read(dir, { writer, position })), named(expected))
      // Frames that the worker has already taken are not returned again.
      const [, second] = await read(dir, { writer, position })
      const later = {
        segment: second?.segment ?? 0,
        offset: second?.endOffset ?? 0,
        sequence: second?.sequence ?? 0,
      }
      assert.deepEqual(named(await read(dir, { writer, position: later })), named(expected.slice(2)))
    }
  }
  await check()
  const highest = Math.max(...runs.map(({ lastSequence }) => lastSequence))
  assert.equal(readWriterFile(fileSystem, dir)?.sequence, highest)
  for (const number of listSegments(fileSystem, dir)) {
    const bytes = readFileSync(segmentPath(dir, number))
    assert.equal(decodeHeader(bytes)?.firstSequence, frameSequence(bytes, segmentHeaderBytes))
  }
  assert.ok(runs.some(({ writer }) => writer === first))

  const journal = open(dir)
  const sent = noneSent()
  await record(journal, sent, 50)
  await journal.close()
  await check()
  const own = await read(dir, { writer: journal.writerId ?? '' })
  assert.deepEqual(
    own.map(({ scan }) => scan.timeMs),
    upTo(50),
  )
  assert.ok((own[0]?.sequence ?? 0) > highest, 'sequences go up in a folder')
  assert.equal(readWriters(dir).at(-1)?.writer, journal.writerId)
})

test('a writer that goes on meanwhile is copied up to where it was, whole frames only', async (t) => {
  const root = join(folder(), 'journal')
  const journal = open(join(root, 'front-0'))
  t.after(() => journal.close())
  const sent = noneSent()
  await record(journal, sent, 100)
  const held = holdSegments(root)
  t.after(() => held.release())
  // Scans that arrive before the call of `writers` may be included. They are, even where segments
  // changed.
  await record(journal, sent, 100)
  held.writers()
  const count = sent.count
  const first = await copied(held)
  await record(journal, sent, 150)
  assert.deepEqual(await timesOf(first), upTo(count))
  assert.deepEqual(await timesOf(await copied(held)), upTo(count))
})

for (const lookMs of [5, 1e6])
  test(`segments that the worker removes meanwhile are copied all the same, with looks every ${lookMs} ms`, async (t) => {
    const root = join(folder(), 'journal')
    const dir = join(root, 'front-0')
    const journal = open(dir)
    t.after(() => journal.close())
    const sent = noneSent()
    await record(journal, sent, 400)
    const held = holdSegments(root, { lookMs })
    t.after(() => held.release())
    // As in a full journal: all segments but the newest are removed as soon as they are ingested.
    const removeAll = () => removeSegments(dir, Infinity, 0, { clock: () => Date.now() + 1000 })
    await sleep(20)
    assert.ok((await removeAll()) > 3)
    await record(journal, sent, 100)
    if (lookMs === 5) {
      await sleep(100)
      assert.ok((await removeAll()) > 0)
    }
    assert.deepEqual(await timesOf(await copied(held)), upTo(500))
    const writer = journal.writerId ?? ''
    assert.ok((await read(dir, { writer })).length < 300, 'the folder itself has them no more')
  })

test('a segment that came and went unseen ends the copy of its writer: there is no hole', async (t) => {
  const root = join(folder(), 'journal')
  const dir = join(root, 'front-0')
  const journal = open(dir)
  t.after(() => journal.close())
  const sent = noneSent()
  await record(journal, sent, 100)
  const last = listSegments(fileSystem, dir).at(-1) ?? 0
  const held = holdSegments(root, { lookMs: 1e6 })
  t.after(() => held.release())
  await record(journal, sent, 200)
  assert.ok(listSegments(fileSystem, dir).includes(last + 3))
  unlinkSync(segmentPath(dir, last + 2))
  const times = await timesOf(await copied(held))
  assert.deepEqual(times, upTo(times.length))
  assert.ok(times.length >= 100 && times.length < 300, `${times.length}`)
})

test('scans of a segment that was lost under its front before the copy began are in it', async (t) => {
  const root = join(folder(), 'journal')
  const dir = join(root, 'front-0')
  const journal = open(dir, 1e6)
  t.after(() => journal.close())
  const sent = noneSent()
  await record(journal, sent, 100)
  await journal.close()
  const next = open(dir, 1e6)
  t.after(() => next.close())
  await record(next, sent, 50)
  unlinkSync(segmentPath(dir, 2))
  const held = holdSegments(root)
  t.after(() => held.release())
  while (listSegments(fileSystem, dir).at(-1) !== 3) await sleep(20)
  assert.deepEqual(await timesOf(await copied(held)), upTo(150))
})

test('an empty segment that the next start replaces is held as the one that took its place', async (t) => {
  const root = join(folder(), 'journal')
  const dir = join(root, 'front-0')
  await open(dir).close()
  const held = holdSegments(root, { lookMs: 1e6 })
  t.after(() => held.release())
  const journal = open(dir, 1e6)
  t.after(() => journal.close())
  await record(journal, noneSent(), 20)
  assert.deepEqual(listSegments(fileSystem, dir), [1])
  assert.deepEqual(await timesOf(await copied(held)), upTo(20))
})

test('damaged places are passed over and counted, and nothing is written beside them', async () => {
  const root = join(folder(), 'journal')
  const dir = join(root, 'front-0')
  const journal = open(dir, 20_000)
  await record(journal, noneSent(), 300)
  await journal.close()
  const path = segmentPath(dir, 2)
  const bytes = readFileSync(path)
  bytes.fill(0xca, 3000, 4000)
  writeFileSync(path, bytes)
  const files = readdirSync(dir)
  const held = holdSegments(root)
  const times = await timesOf(await copied(held))
  held.release()
  assert.deepEqual(readdirSync(dir), files)
  assert.ok(held.damagedBytes >= 1000 && held.damagedBytes < 2000, `${held.damagedBytes} bytes`)
  assert.ok(times.length < 300 && times.length > 285)
  assert.deepEqual(
    times,
    (await read(dir, { writer: journal.writerId ?? '' })).map(({ scan }) => scan.timeMs),
  )
})

test('a folder that was copied by hand gives no frame twice', async (t) => {
  const root = join(folder(), 'journal')
  const journal = open(join(root, 'front-0'))
  const sent = noneSent()
  await record(journal, sent, 100)
  cpSync(join(root, 'front-0'), join(root, 'front-1'), { recursive: true })
  await record(journal, sent, 50)
  await journal.close()
  const held = holdSegments(root)
  t.after(() => held.release())
  assert.deepEqual(await timesOf(await copied(held)), upTo(150))
})

test('pieces are bounded, however much there is', async (t) => {
  const root = join(folder(), 'journal')
  const journal = open(join(root, 'front-0'), 1e9)
  const sent = noneSent()
  send(journal, sent, 40_000)
  while (sent.recorded.size < sent.count) await turn()
  await journal.close()
  const held = holdSegments(root)
  t.after(() => held.release())
  const pieces = await copied(held)
  assert.ok(pieces.length > 1)
  for (const { bytes } of pieces) assert.ok(bytes.length < 4 * 1024 * 1024 + 4096, `${bytes.length} bytes`)
  const dir = join(folder(), 'front-0')
  const [run] = await restoreFrames(dir, pieces, { segmentBytesMax: 1e6 })
  assert.equal(run?.frames, 40_000)
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes.length, 0)
  assert.equal(listSegments(fileSystem, dir).length, Math.ceil(bytes / 1e6))
})

test('without journals, or without frames behind the fence, nothing is held and nothing is made', async () => {
  const root = join(folder(), 'journal')
  const held = holdSegments(root)
  assert.deepEqual(held.writers(), [])
  held.release()
  const dir = join(root, 'front-0')
  assert.deepEqual(await restoreFrames(dir, []), [])
  assert.throws(() => readdirSync(dir))
})

test('no descriptor stays open, also when opening fails half-way', async () => {
  const disk = new MemoryDisk()
  const journal = openInMemory(disk, { segmentBytesMax: 3000 })
  const sent = noneSent()
  await record(journal, sent, 60)
  await journal.close()
  const held = holdSegments('/journal', { io: asIo(disk) })
  await copied(held)
  assert.ok(disk.openFiles > 3)
  held.release()
  assert.equal(disk.openFiles, 0)
  let opens = 0
  const failing: JournalIo = {
    ...asIo(disk),
    open: (path, flags) => {
      if (++opens > 3) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      return disk.open(path, flags)
    },
  }
  assert.throws(() => holdSegments('/journal', { io: failing }), /too many open files/)
  assert.equal(disk.openFiles, 0)
})

test('restored frames survive a power loss', async () => {
  const disk = new MemoryDisk()
  const journal = openInMemory(disk)
  const sent = noneSent()
  await record(journal, sent, 100)
  await journal.close()
  const held = holdSegments('/journal', { io: asIo(disk) })
  const pieces = await copied(held)
  held.release()
  for (let crash = 0; crash < 20; crash++) {
    const empty = new MemoryDisk()
    const runs = await restoreFrames(memoryDir, pieces, { io: empty, segmentBytesMax: 1000 })
    const crashed = empty.crashed(random)
    assert.deepEqual(
      readWriters(memoryDir, crashed).map(({ writer }) => writer),
      [journal.writerId],
    )
    assert.equal((await read(memoryDir, { writer: runs[0]?.writer ?? '', io: crashed })).length, 100)
  }
})

function framesOf(writer: string, ...sequences: number[]): FramesToRestore {
  return { writer, bytes: Buffer.concat(sequences.map((sequence) => firstVersion(sequence, writer))) }
}

test('what is no whole frame of its writer, or comes out of order, is refused', async () => {
  const [one, other] = ['1a'.repeat(16), '2b'.repeat(16)] as [string, string]
  const refused: readonly [RegExp, FramesToRestore[]][] = [
    [
      /damaged or out of order behind sequence 2/,
      [{ writer: one, bytes: framesOf(one, 1, 2, 3).bytes.subarray(0, -1) }],
    ],
    [/damaged or out of order behind sequence 0/, [{ writer: one, bytes: framesOf(other, 1).bytes }]],
    [/damaged or out of order behind sequence 4/, [framesOf(one, 3, 4), framesOf(one, 4)]],
    [/do not follow each other/, [framesOf(one, 1), framesOf(other, 1), framesOf(one, 2)]],
    [/is not the id of a writer/, [{ writer: '../../etc', bytes: Buffer.alloc(10) }]],
  ]
  for (const [problem, pieces] of refused)
    await assert.rejects(restoreFrames(join(folder(), 'front-0'), pieces), problem)
  const dir = join(folder(), 'front-0')
  await restoreFrames(dir, [framesOf(one, 1)])
  await assert.rejects(restoreFrames(dir, [framesOf(one, 2)]), /holds a journal already/)
})

/** Returns a disk with its methods as own properties. */
function asIo(disk: MemoryDisk): JournalIo {
  return {
    open: (path, flags) => disk.open(path, flags),
    write: (...args) => disk.write(...args),
    read: (...args) => disk.read(...args),
    truncate: (fd, length) => disk.truncate(fd, length),
    size: (fd) => disk.size(fd),
    isNamed: (fd, path) => disk.isNamed(fd, path),
    close: (fd) => disk.close(fd),
    syncNow: (fd) => disk.syncNow(fd),
    syncData: (fd, done) => disk.syncData(fd, done),
    sync: (fd, done) => disk.sync(fd, done),
    rename: (from, to) => disk.rename(from, to),
    unlink: (path) => disk.unlink(path),
    makeDirectory: (path) => disk.makeDirectory(path),
    list: (path) => disk.list(path),
    stat: (path) => disk.stat(path),
    listLater: (path) => disk.listLater(path),
  }
}
