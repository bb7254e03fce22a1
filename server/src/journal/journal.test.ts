import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { crc32 } from 'node:zlib'
import { faultyIo } from './testing/faulty-io.ts'
import { encodeFrame, frameSeed } from './frames.ts'
import { journalBytes } from './journal-bytes.ts'
import { fileSystem, type JournalIo } from './journal-io.ts'
import { openJournal, type Journal } from './journal.ts'
import { prepareIds, prepareScan, type JournalBuffer, type RawScan } from './raw-scan.ts'
import { journalStart, readFrames, readWriters } from './reader.ts'
import { removeSegments } from './remove-segments.ts'
import { segmentBytesFor } from './quota.ts'
import { recoverDirectory } from './recovery.ts'
import { listSegments, segmentPath } from './segments.ts'
import {
  diskError,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  preparedScanOf,
  readAll,
  scanOf,
  send,
  turn,
  type Sent,
} from './testing/journal.ts'

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-journal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'front-0')
}

/** Returns an io that counts its calls by name. */
function counting(io: JournalIo): { io: JournalIo; counts: Record<string, number> } {
  const counts: Record<string, number> = {}
  const count =
    <Args extends unknown[], R>(name: string, call: (...args: Args) => R): ((...args: Args) => R) =>
    (...args) => {
      counts[name] = (counts[name] ?? 0) + 1
      return call(...args)
    }
  return {
    counts,
    io: {
      ...io,
      write: count('write', (...args) => io.write(...args)),
      syncData: count('sync', (...args) => io.syncData(...args)),
      sync: count('sync', (...args) => io.sync(...args)),
    },
  }
}

async function pause(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn()
}

async function recordAll(journal: Journal, scans: readonly RawScan[]): Promise<boolean[]> {
  const answers: boolean[] = []
  for (const scan of scans)
    journal.append(prepareScan(scan), { acknowledge: (recorded) => void answers.push(recorded) })
  while (answers.length < scans.length) await turn()
  return answers
}

test('every field of a scan comes back, whatever is in it', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9 })
  const plain = scanOf(1)
  const scans: RawScan[] = [
    plain,
    { ...plain, network: '', userAgent: '', referrerHost: '', language: '', hints: 255 },
    {
      ...plain,
      timeMs: 2 ** 48 - 1,
      userAgent: 'é'.repeat(256),
      referrerHost: 'ü'.repeat(127),
      language: 'zh-Hant-HK',
    },
    {
      ...plain,
      timeMs: 0,
      organizationId: 'o'.repeat(120),
      qrCodeId: 'q',
      shortCode: 's'.repeat(128),
      domain: 'd'.repeat(253),
      rule: 'r'.repeat(120),
      arm: 'é'.repeat(127),
      userAgent: '\u{1f600}'.repeat(128),
      network: 'ÿ',
    },
    {
      ...plain,
      visitor: Buffer.from(Array.from({ length: 16 }, (_, index) => 255 - index)).toString('hex'),
      userAgent: `${'\0'.repeat(500)}\n`,
    },
  ]
  assert.deepEqual(
    await recordAll(journal, scans),
    scans.map(() => true),
  )
  await journal.close()
  const { frames } = await readAll(dir)
  assert.deepEqual(
    frames.map(({ scan }) => scan),
    scans,
  )
  assert.deepEqual(
    frames.map(({ sequence }) => sequence),
    [1, 2, 3, 4, 5],
  )
})

test('text over its bound is cut at a whole character, a visitor of another length is fitted', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  const scan = {
    ...scanOf(1),
    userAgent: `x${'é'.repeat(300)}`,
    referrerHost: 'r'.repeat(300),
    language: 'l'.repeat(99),
    network: 'n'.repeat(99),
    visitor: '07'.repeat(20),
  }
  await recordAll(journal, [scan])
  await journal.close()
  const [frame] = (await readAll(dir)).frames
  assert.deepEqual(frame?.scan, {
    ...scan,
    userAgent: `x${'é'.repeat(255)}`,
    referrerHost: 'r'.repeat(255),
    language: 'l'.repeat(35),
    network: 'n'.repeat(45),
    visitor: '07'.repeat(16),
  })
  assert.throws(
    () => prepareIds({ ...scan, organizationId: '' }),
    /organizationId must have 1 to 120 bytes, got 0/,
  )
  assert.throws(() => prepareIds({ ...scan, qrCodeId: 'q'.repeat(121) }), RangeError)
  assert.throws(() => prepareIds({ ...scan, arm: 'é'.repeat(128) }), RangeError)
})

test('all scans of one turn are one write, and none is answered before it', async (t) => {
  const { io, counts } = counting(fileSystem)
  const journal = openJournal({ dir: folder(t), sync: 'never', bytesMax: 1e9, io })
  const sent = noneSent()
  for (const perTurn of [1, 64, 3000]) {
    counts['write'] = 0
    send(journal, sent, perTurn)
    assert.ok(!sent.recorded.has(sent.count))
    await turn()
    assert.equal(counts['write'], 1)
    assert.equal(sent.recorded.size, sent.count)
  }
  await journal.close()
})

test('with sync always one sync serves all that wait for it, and comes before their answers', async (t) => {
  let release: (() => void)[] = []
  const { io, counts } = counting({
    ...fileSystem,
    syncData: (fd, done) => fileSystem.syncData(fd, (error) => void release.push(() => done(error))),
  })
  const journal = openJournal({ dir: folder(t), sync: 'always', bytesMax: 1e9, io })
  const sent = noneSent()
  await recordAll(journal, [scanOf(1)])
  counts['sync'] = 0
  for (let turns = 0; turns < 10; turns++) {
    send(journal, sent, 10)
    await turn()
  }
  for (const expected of [10, 100]) {
    while (release.length === 0) await turn()
    for (const go of release.splice(0)) go()
    assert.equal(sent.recorded.size, expected)
  }
  assert.equal(counts['sync'], 2)
  release = []
  await journal.close()
})

test('with sync interval scans are answered at once and synced soon after', async (t) => {
  const { io, counts } = counting(fileSystem)
  const journal = openJournal({ dir: folder(t), sync: 'interval', bytesMax: 1e9, io })
  const sent = noneSent()
  send(journal, sent, 5)
  await turn()
  assert.deepEqual([sent.recorded.size, counts['sync'] ?? 0], [5, 0])
  // The first sync of a segment is two syncs: of its bytes and of its name.
  for (const startMs = Date.now(); (counts['sync'] ?? 0) < 2 && Date.now() - startMs < 5000;) await turn()
  assert.equal(counts['sync'], 2)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(counts['sync'], 2, 'nothing new, nothing to sync')
  await journal.close()
})

test('a callback that throws keeps no other from its answer', async (t) => {
  const problems: string[] = []
  const journal = openJournal({
    dir: folder(t),
    sync: 'never',
    bytesMax: 1e9,
    onProblem: (error, what) => problems.push(`${what}: ${error.message}`),
  })
  const sent = noneSent()
  journal.append(preparedScanOf(99), { acknowledge: () => assert.fail('socket gone') })
  send(journal, sent, 2)
  await turn()
  assert.equal(sent.recorded.size, 2)
  assert.deepEqual(problems, ['answering: socket gone'])
  await journal.close()
})

test('a closed journal has everything on disk and refuses what comes later', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'interval', bytesMax: 1e9 })
  const sent = noneSent()
  send(journal, sent, 3)
  await journal.close()
  assert.equal(sent.recorded.size, 3)
  send(journal, sent, 2)
  await turn()
  assert.deepEqual([...sent.refused], [4, 5])
  assert.equal((await readAll(dir)).frames.length, 3)
})

test('every start is a writer of its own, whose frames can be read apart; sequences go up in a folder', async (t) => {
  const dir = folder(t)
  assert.deepEqual(readWriters(dir), [])
  assert.deepEqual(await readFrames(dir, journalStart), {
    frames: [],
    position: journalStart,
    more: false,
    damaged: [],
  })
  const ids: (string | undefined)[] = []
  for (let start = 0; start < 4; start++) {
    const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
    if (start !== 1) await recordAll(journal, [scanOf(start), scanOf(start + 10)])
    ids.push(journal.writerId)
    await journal.close()
    if (start === 2) rmSync(join(dir, 'writer'))
  }
  assert.equal(new Set(ids).size, 4)
  // The segment of the second start had no frames and was replaced. After the third start, the file
  // that named its writer was removed.
  assert.deepEqual(
    readWriters(dir),
    [ids[0], ids[2], ids[3]].map((writer, index) => ({
      writer,
      firstSegment: index + 1,
      isLast: index === 2,
    })),
  )
  const { frames } = await readAll(dir)
  assert.deepEqual(
    frames.map(({ scan }) => scan.timeMs),
    [0, 10, 2, 12, 3, 13],
  )
  assert.ok(
    frames.every(({ sequence }, index) => index === 0 || sequence > (frames[index - 1]?.sequence ?? 0)),
  )
  for (const [start, writer] of ids.entries()) {
    if (writer === undefined) assert.fail('no writer')
    const own = await readFrames(dir, journalStart, { writer })
    assert.deepEqual(
      own.frames.map(({ scan }) => scan.timeMs),
      start === 1 ? [] : [start, start + 10],
    )
  }
})

test('a writer is known by its frames where the headers of all its segments are damaged', async (t) => {
  const dir = folder(t)
  const writers: (string | undefined)[] = []
  for (let start = 0; start < 3; start++) {
    const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
    await recordAll(journal, [scanOf(start)])
    writers.push(journal.writerId)
    await journal.close()
  }
  for (const number of [1, 2]) {
    const bytes = readFileSync(segmentPath(dir, number))
    bytes.fill(0, 0, 64)
    writeFileSync(segmentPath(dir, number), bytes)
  }
  assert.deepEqual(
    readWriters(dir).map(({ writer }) => writer),
    writers,
  )
  for (const [start, writer] of writers.entries()) {
    const own = await readFrames(dir, journalStart, { writer: writer ?? '' })
    assert.deepEqual(
      own.frames.map(({ scan }) => scan.timeMs),
      [start],
    )
  }
})

test('a copy of a folder and the folder itself give their scans different names', async (t) => {
  const dir = folder(t)
  const first = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  await recordAll(first, [scanOf(1)])
  await first.close()
  cpSync(dir, `${dir}-copy`, { recursive: true })
  const names = new Set<string>()
  for (const one of [dir, `${dir}-copy`]) {
    const journal = openJournal({ dir: one, sync: 'never', bytesMax: 1e9 })
    await recordAll(journal, [scanOf(2)])
    await journal.close()
    for (const { writer } of readWriters(one))
      for (const { sequence } of (await readFrames(one, journalStart, { writer })).frames)
        names.add(`${writer} ${sequence}`)
  }
  assert.equal(names.size, 3, 'one that both have, and one of each')
})

test('a segment of a later release is neither read as damage nor written over', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  await recordAll(journal, [scanOf(1)])
  await journal.close()
  const path = segmentPath(dir, 1)
  const bytes = readFileSync(path)
  bytes.writeUInt16LE(3, 8)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 60)), 60)
  writeFileSync(path, bytes)
  await assert.rejects(readFrames(dir, journalStart), /a later release wrote this segment/)
  const again = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  assert.deepEqual(await recordAll(again, [scanOf(2)]), [true], 'scans go on being recorded')
  await again.close()
  assert.deepEqual(readFileSync(path), bytes)
  await assert.rejects(readFrames(dir, journalStart), /a later release wrote this segment/)
})

test('segments are changed at their size and at 10 minutes', async (t) => {
  const dir = folder(t)
  let nowMs = 1e12
  const journal = openJournal({
    dir,
    sync: 'always',
    bytesMax: 1e9,
    segmentBytesMax: 3000,
    clock: () => nowMs,
  })
  for (let index = 0; index < 30; index++) await recordAll(journal, [scanOf(index)])
  const bySize = readdirSync(dir).filter((name) => name.endsWith('.seg')).length
  assert.ok(bySize >= 2 && bySize <= 4, `${bySize} segments`)
  nowMs += 10 * 60 * 1000
  await recordAll(journal, [scanOf(30)])
  assert.equal(readdirSync(dir).filter((name) => name.endsWith('.seg')).length, bySize + 1)
  await journal.close()
  assert.deepEqual(
    (await readAll(dir)).frames.map(({ scan }) => scan.timeMs),
    Array.from({ length: 31 }, (_, index) => index),
  )
})

test('a segment is changed at 10 minutes also when no more scans come, an empty one is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new MemoryDisk()
  let nowMs = 1e12
  const journal = openInMemory(disk, { clock: () => nowMs })
  const segments = (): number => listSegments(disk, memoryDir).length
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms
    t.mock.timers.tick(1000)
    await pause()
  }
  const minuteMs = 60_000
  await pass(60 * minuteMs)
  assert.equal(segments(), 1, 'nothing is in it')
  const sent = noneSent()
  send(journal, sent, 3)
  await pass(1000)
  assert.equal(segments(), 1, 'its age is that of its first scan')
  await pass(10 * minuteMs - 2001)
  assert.equal(segments(), 1)
  await pass(2001)
  assert.equal(segments(), 2)
  await pass(60 * minuteMs)
  assert.equal(segments(), 2)
  send(journal, sent, 1)
  await pass(1)
  assert.equal((await readAll(memoryDir, disk)).frames.at(-1)?.segment, 2)
  await journal.close()
  await pass(60 * minuteMs)
  assert.equal(segments(), 2, 'a closed journal does nothing')
  assert.equal(disk.openFiles, 0)
  assert.deepEqual(
    (await readAll(memoryDir, disk)).frames.map(({ scan }) => scan.timeMs),
    [1, 2, 3, 4],
  )
})

test('reading goes on from any position, in pieces of any size', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9, segmentBytesMax: 3000 })
  for (let index = 0; index < 20; index++) await recordAll(journal, [scanOf(index), scanOf(index + 100)])
  await journal.close()
  const { frames } = await readAll(dir)
  assert.equal(frames.length, 40)
  for (const framesMax of [1, 3, 39]) {
    const read: unknown[] = []
    for (let position = journalStart, more = true; more;) {
      const piece = await readFrames(dir, position, { framesMax })
      assert.ok(piece.frames.length <= framesMax)
      read.push(...piece.frames)
      ;({ position, more } = piece)
    }
    assert.deepEqual(read, frames)
  }
  for (const [index, { segment, endOffset, sequence }] of frames.entries()) {
    const rest = await readFrames(dir, { segment, offset: endOffset, sequence })
    assert.deepEqual(rest.frames, frames.slice(index + 1))
  }
})

test('damage in a finished segment is set aside, and everything behind it is read', async (t) => {
  const dir = folder(t)
  const write = async (from: number): Promise<void> => {
    const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
    await recordAll(
      journal,
      Array.from({ length: 50 }, (_, index) => scanOf(from + index)),
    )
    await journal.close()
  }
  await write(0)
  await write(50)
  const path = segmentPath(dir, 1)
  const bytes = readFileSync(path)
  // A frame created without the writer's seed is garbage like the rest.
  const forged = Buffer.alloc(2048) as JournalBuffer
  const end = encodeFrame(forged, 0, {
    sequence: 7,
    seed: frameSeed('00'.repeat(16)),
    scan: preparedScanOf(7),
  })
  bytes.fill(0xca, 1000, 2000)
  forged.copy(bytes, 1500, 0, end)
  writeFileSync(path, bytes)
  appendFileSync(path, 'and a tail that is nothing')
  const { frames, damaged } = await readFrames(dir, journalStart)
  const read = frames.map(({ scan }) => scan.timeMs)
  assert.ok(read.length > 85 && read.length < 100)
  assert.deepEqual(
    read.slice(-50),
    Array.from({ length: 50 }, (_, index) => 50 + index),
  )
  assert.equal(damaged.length, 2)
  for (const { segment, offset, bytes: length, problem } of damaged) {
    assert.equal(problem, undefined)
    const kept = readFileSync(join(dir, `${String(segment).padStart(8, '0')}-${offset}.bad`))
    assert.deepEqual(kept, readFileSync(path).subarray(offset, offset + length))
  }
})

test('a journal that is nothing but garbage starts, and is read', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  await recordAll(journal, [scanOf(1)])
  await journal.close()
  for (const name of readdirSync(dir)) writeFileSync(join(dir, name), 'garbage'.repeat(100))
  writeFileSync(segmentPath(dir, 2), '')
  writeFileSync(join(dir, 'next.tmp'), 'left over')
  const again = openJournal({ dir, sync: 'always', bytesMax: 1e9 })
  assert.deepEqual(await recordAll(again, [scanOf(2)]), [true])
  await again.close()
  const { frames, damagedBytes } = await readAll(dir)
  assert.deepEqual(
    frames.map(({ scan }) => scan.timeMs),
    [2],
  )
  assert.equal(damagedBytes, 700)
})

test('a torn frame at the end of the newest segment is waited for, and cut at the next start', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  await recordAll(journal, [scanOf(1), scanOf(2)])
  await journal.close()
  truncateSync(segmentPath(dir, 1), statSync(segmentPath(dir, 1)).size - 1)
  const { frames, damaged, more, position } = await readFrames(dir, journalStart)
  assert.deepEqual([frames.length, damaged.length, more], [1, 0, false])
  const again = openJournal({ dir, sync: 'never', bytesMax: 1e9 })
  assert.ok(again.stats().cutBytes > 0)
  await recordAll(again, [scanOf(3)])
  await again.close()
  assert.deepEqual(
    (await readAll(dir, fileSystem, position)).frames.map(({ scan }) => scan.timeMs),
    [3],
  )
  assert.ok(!readdirSync(dir).some((name) => name.endsWith('.bad')))
})

test('over its bytes a journal refuses, and takes scans again when the worker has made room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const dir = folder(t)
  const rootDir = join(dir, '..')
  const journal = openJournal({ dir, rootDir, sync: 'always', bytesMax: 20_000, segmentBytesMax: 4000 })
  // After this the first measurement is over: scans written during it would count twice until the
  // next.
  await recordAll(journal, [scanOf(999)])
  while (journal.stats().segments === 0) await turn()
  const answers: boolean[] = []
  for (let index = 0; index < 200; index++) answers.push(...(await recordAll(journal, [scanOf(index)])))
  const recorded = answers.lastIndexOf(true) + 1
  assert.deepEqual(
    answers.slice(0, recorded),
    Array.from({ length: recorded }, () => true),
    'refused from one scan on',
  )
  assert.ok(recorded > 50 && recorded < 200)
  assert.deepEqual([journal.stats().degraded, journal.stats().unrecorded], [true, 200 - recorded])
  assert.ok((await journalBytes(rootDir)).bytes <= 20_000)
  const { position } = await readAll(dir)
  assert.ok((await removeSegments(dir, position.segment, 0)) > 2)
  // The journal measures once per second of its clock. How long the disk takes to answer depends on
  // the machine.
  for (const untilMs = Date.now() + 20_000; journal.stats().degraded && Date.now() < untilMs;) {
    t.mock.timers.tick(1000)
    for (let turns = 0; turns < 50; turns++) await turn()
    await journalBytes(rootDir)
  }
  assert.equal(journal.stats().degraded, false)
  assert.deepEqual(await recordAll(journal, [scanOf(300)]), [true])
  await journal.close()
})

for (const sync of ['always', 'interval', 'never'] as const)
  test(`with sync ${sync}, a journal that one segment fills is used again when the worker has read it`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const disk = new MemoryDisk()
    const journal = openInMemory(disk, { sync, bytesMax: 20_000, segmentBytesMax: 1e9 })
    const sent = noneSent()
    const bytes = async (): Promise<number> => (await journalBytes(memoryDir, disk)).bytes
    const pass = async (): Promise<void> => {
      for (let ms = 0; ms < 1000; ms += 200) {
        t.mock.timers.tick(200)
        await pause()
      }
    }
    let position = journalStart
    for (let fills = 0; fills < 20; fills++) {
      const before = sent.refused.size
      // The turns have another size each time, so that the room left when one does not fit differs.
      for (let turns = 0; turns < 50; turns++) {
        send(journal, sent, 4 + fills)
        await pass()
      }
      assert.ok(sent.refused.size > before + 50, 'it is full')
      assert.ok((await bytes()) < 20_200)
      const recorded = sent.recorded.size
      position = (await readAll(memoryDir, disk, position)).position
      assert.ok((await removeSegments(memoryDir, position.segment, 0, { io: disk })) > 0)
      assert.ok((await bytes()) < 5000)
      for (let seconds = 0; seconds < 2; seconds++) await pass()
      send(journal, sent, 5)
      await pass()
      assert.equal(sent.recorded.size, recorded + 5)
      assert.equal(journal.stats().degraded, false)
    }
    await journal.close()
    assert.equal(sent.recorded.size + sent.refused.size, sent.count)
  })

test('frames that no sync has covered are not written twice where there is no room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new MemoryDisk()
  const journal = openInMemory(disk, { sync: 'interval', bytesMax: 100_000, segmentBytesMax: 6000 })
  const sent = noneSent()
  await pause()
  while (journal.stats().bytes < 98_000) {
    send(journal, sent, 5)
    await turn()
  }
  t.mock.timers.tick(200)
  // Written during the sync, which is followed by a new segment as soon as there is room for it.
  send(journal, sent, 7)
  await pause()
  const { bytes } = await journalBytes(memoryDir, disk)
  assert.ok(bytes <= 100_000, `${bytes}`)
  await journal.close()
})

test('a full journal begins another segment at once, and stays full until something was removed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new MemoryDisk()
  const journal = openInMemory(disk, { bytesMax: 20_000, segmentBytesMax: 1e9 })
  const sent = noneSent()
  await pause()
  while (journal.stats().bytes < 19_750) {
    send(journal, sent, 1)
    await pause()
  }
  send(journal, sent, 20)
  await turn()
  assert.equal(sent.refused.size, 20)
  assert.deepEqual(listSegments(disk, memoryDir), [1, 2])
  for (let seconds = 0; seconds < 7; seconds++) {
    t.mock.timers.tick(1000)
    await pause()
  }
  assert.equal(journal.stats().degraded, true, 'what is left is too little to be room')
  await journal.close()
})

test('segments are small against the bound, whatever the number of writers', async (t) => {
  const mebibyte = 2 ** 20
  assert.equal(segmentBytesFor(10 * 1024 * mebibyte), 64 * mebibyte)
  assert.equal(segmentBytesFor(8 * mebibyte), mebibyte)
  assert.equal(segmentBytesFor(32 * mebibyte, 4), mebibyte)
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'always', bytesMax: 64_000, writers: 2 })
  for (let index = 0; index < 60; index++) await recordAll(journal, [scanOf(index)])
  await journal.close()
  const sizes = readdirSync(dir)
    .filter((name) => name.endsWith('.seg'))
    .map((name) => statSync(join(dir, name)).size)
  assert.ok(sizes.length > 1 && Math.max(...sizes) < 4500, sizes.join())
})

test('a full disk refuses what does not fit, keeps what does, and is used again when there is room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new MemoryDisk()
  let roomBytes = 5000
  const io: JournalIo = {
    ...faultyIo(disk, undefined).io,
    write: (fd, bytes, from, length, position) => {
      const fitting = Math.min(length, roomBytes)
      if (fitting === 0) throw diskError('ENOSPC')
      roomBytes -= fitting
      return disk.write(fd, bytes, from, fitting, position)
    },
  }
  const journal = openInMemory(io, { sync: 'never' })
  const sent = noneSent()
  for (let turns = 0; turns < 10; turns++) {
    send(journal, sent, 10)
    await turn()
  }
  assert.ok(sent.recorded.size > 10 && sent.refused.size > 10)
  assert.equal(journal.stats().degraded, true)
  roomBytes = 1e6
  t.mock.timers.tick(1000)
  assert.equal(journal.stats().degraded, false)
  const before = sent.recorded.size
  send(journal, sent, 5)
  await journal.close()
  assert.equal(sent.recorded.size, before + 5)
  const { frames, damagedBytes } = await readAll(memoryDir, disk)
  assert.deepEqual(
    frames.map(({ scan }) => scan.timeMs),
    [...sent.recorded],
  )
  assert.equal(damagedBytes, 0)
})

test('only old, ingested segments are removed, never the newest', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9, segmentBytesMax: 2000 })
  for (let index = 0; index < 60; index++) await recordAll(journal, [scanOf(index)])
  await journal.close()
  const segments = (): number[] =>
    readdirSync(dir)
      .filter((name) => name.endsWith('.seg'))
      .map(Number.parseFloat)
      .sort((a, b) => a - b)
  const all = segments()
  assert.ok(all.length > 4)
  assert.equal(await removeSegments(dir, 100, 60_000), 0)
  assert.equal(await removeSegments(dir, 2, 60_000, { clock: () => Date.now() + 61_000 }), 1)
  assert.ok(!existsSync(segmentPath(dir, 1)))
  const bytes = (await journalBytes(dir)).bytes
  assert.equal(await removeSegments(dir, 100, 60_000, { bytesMax: bytes - 1 }), 1)
  await removeSegments(dir, 100, 0)
  assert.deepEqual(segments(), all.slice(-1))
  const position = { segment: 2, offset: 500, sequence: 15 }
  assert.ok((await readAll(dir, fileSystem, position)).frames.every(({ segment }) => segment === all.at(-1)))
})

test('a segment whose sync failed is never synced again, whatever else fails', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const sync of ['always', 'interval'] as const) {
    const disk = new MemoryDisk()
    const synced: number[] = []
    let isBroken = false
    const failing =
      (call: JournalIo['sync']): JournalIo['sync'] =>
      (fd, done) => {
        synced.push(fd)
        if (isBroken) setImmediate(done, diskError('EIO'))
        else call(fd, done)
      }
    const io: JournalIo = {
      ...faultyIo(disk, undefined).io,
      sync: failing((fd, done) => disk.sync(fd, done)),
      syncData: failing((fd, done) => disk.syncData(fd, done)),
      open: (path, flags) => {
        if (isBroken && flags === 'w+') throw diskError('EIO')
        return disk.open(path, flags)
      },
    }
    const journal = openInMemory(io, { sync })
    const sent = noneSent()
    send(journal, sent, 3)
    await pause()
    t.mock.timers.tick(200)
    await pause()
    isBroken = true
    synced.length = 0
    for (let seconds = 0; seconds < 12; seconds++) {
      send(journal, sent, 3)
      await pause()
      t.mock.timers.tick(1000)
      await pause()
    }
    assert.equal(synced.length, 1, `${sync}: ${synced.join()}`)
    const poisoned = synced[0]
    isBroken = false
    for (let seconds = 0; seconds < 8; seconds++) {
      t.mock.timers.tick(1000)
      await pause()
    }
    send(journal, sent, 3)
    await pause()
    t.mock.timers.tick(200)
    await pause()
    assert.equal(journal.stats().degraded, false)
    assert.ok(synced.length > 1)
    assert.equal(synced.indexOf(poisoned ?? 0, 1), -1, 'a new file is synced')
    await journal.close()
  }
})

test('recovery syncs the last segment, after it has cut a torn tail', async () => {
  for (const torn of [true, false]) {
    const disk = new MemoryDisk()
    const journal = openInMemory(disk)
    send(journal, noneSent(), 3)
    await journal.close()
    const path = segmentPath(memoryDir, 1)
    const fd = disk.open(path, 'r+')
    if (torn) disk.write(fd, Buffer.from('torn'), 0, 4, disk.size(fd))
    disk.close(fd)
    const paths = new Map<number, string>()
    const calls: string[] = []
    const note = (name: string, of: number): void => {
      if (paths.get(of) === path) calls.push(name)
    }
    const { io } = faultyIo(disk, undefined)
    recoverDirectory(
      {
        ...io,
        open: (name, flags) => {
          const opened = io.open(name, flags)
          paths.set(opened, name)
          return opened
        },
        truncate: (of, bytes) => (note('truncate', of), io.truncate(of, bytes)),
        syncNow: (of) => (note('sync', of), io.syncNow(of)),
      },
      memoryDir,
      () => {},
    )
    assert.deepEqual(calls, torn ? ['truncate', 'sync'] : ['sync'])
  }
})

test('a position beyond all segments gives what is recorded after it was taken, and none twice', async () => {
  const disk = new MemoryDisk()
  const record = async (count: number): Promise<void> => {
    const journal = openInMemory(disk)
    const sent: Sent = { ...noneSent(), count: recorded }
    send(journal, sent, count)
    await journal.close()
    recorded = sent.count
  }
  let recorded = 0
  for (let start = 0; start < 4; start++) await record(3)
  const { position, frames } = await readAll(memoryDir, disk)
  assert.deepEqual([frames.length, position.segment], [12, 4])
  // The last two were lost in a power loss, or an older state of the folder was restored.
  for (const number of [3, 4]) disk.unlink(segmentPath(memoryDir, number))
  assert.deepEqual((await readAll(memoryDir, disk, position)).frames, [])
  await record(2)
  const rest = await readAll(memoryDir, disk, position)
  assert.equal(rest.frames.at(0)?.segment, 3)
  assert.deepEqual(
    rest.frames.map(({ scan }) => scan.timeMs),
    [13, 14],
  )
  assert.deepEqual((await readAll(memoryDir, disk, rest.position)).frames, [])
  await record(1)
  const last = (await readAll(memoryDir, disk, rest.position)).frames
  assert.deepEqual(
    last.map(({ scan }) => scan.timeMs),
    [15],
  )
})
