// Proof 2: every call to the file system fails in turn, once, for a while, or forever.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { faultyIo, type Fault } from './testing/faulty-io.ts'
import type { JournalSync } from '../settings/settings.ts'
import type { JournalIo } from './journal-io.ts'
import { journalStart, readFrames, type JournalPosition } from './reader.ts'
import {
  soak,
  diskError,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  readAll,
  scanOf,
  send,
  turn,
  type Sent,
} from './testing/journal.ts'

const syncs = ['always', 'interval', 'never'] as const
const kinds = ['before', 'after', 'short'] as const
const codes = ['EIO', 'ENOSPC', 'EFBIG'] as const
type Life = { t: TestContext; sync: JournalSync; disk: MemoryDisk; fault: Fault | undefined }
type Lived = {
  sent: Sent
  /** The scans that a reader beside the writer got, and its position. */
  given: number[]
  position: JournalPosition
  lastRecorded: boolean
  callsBefore: number
  calls: number
  degraded: boolean
  names: string[]
}

/** Runs a journal for ten seconds: scans, syncs, rotations, and time to recover. */
async function live({ t, sync, disk, fault }: Life): Promise<Lived> {
  const { io, count, names } = faultyIo(disk, fault)
  const sent = noneSent()
  const given: number[] = []
  let position = journalStart
  const journal = openInMemory(io, { sync, segmentBytesMax: 1500 })
  const pass = async (ms: number): Promise<void> => {
    for (let turns = 0; turns < 6; turns++) await turn()
    t.mock.timers.tick(ms)
    for (let turns = 0; turns < 6; turns++) await turn()
    const read = await readAll(memoryDir, disk, position)
    given.push(...read.frames.map(({ scan }) => scan.timeMs))
    position = read.position
  }
  for (let turns = 0; turns < 10; turns++) {
    send(journal, sent, 3)
    await pass(turns % 2 === 0 ? 200 : 1)
  }
  for (let seconds = 0; seconds < 6; seconds++) await pass(1000)
  const before = sent.count
  const callsBefore = count()
  send(journal, sent, 2)
  for (let waits = 0; waits < 3; waits++) await pass(1000)
  const { degraded } = journal.stats()
  const calls = count()
  await journal.close()
  assert.equal(sent.recorded.size + sent.refused.size, sent.count, 'each scan is answered, and once')
  const { appended, unrecorded } = journal.stats()
  assert.deepEqual([appended, unrecorded], [sent.recorded.size, sent.refused.size])
  const lastRecorded = sent.recorded.has(before + 1) && sent.recorded.has(before + 2)
  return { sent, given, position, lastRecorded, callsBefore, calls, degraded, names }
}

/**
 * Checks what the next start reads: all recorded scans, in order, once, and no scan that was not
 * sent.
 */
async function check(disk: MemoryDisk, { sent, given, position }: Lived, message: string): Promise<void> {
  const after: Sent = { ...noneSent(), count: 1000 }
  const journal = openInMemory(disk)
  send(journal, after, 2)
  await journal.close()
  const rest = await readAll(memoryDir, disk, position)
  const { frames } = await readAll(memoryDir, disk)
  for (const { scan } of frames) assert.deepEqual(scan, scanOf(scan.timeMs), message)
  const fromStart = frames.map(({ scan }) => scan.timeMs)
  const beside = [...given, ...rest.frames.map(({ scan }) => scan.timeMs)]
  for (const read of [fromStart, beside]) {
    const ordered = [...new Set(read)].sort((a, b) => a - b)
    assert.deepEqual(read, ordered, message)
    for (const index of sent.recorded) assert.ok(read.includes(index), `${message}: lost ${index}`)
    assert.deepEqual(read.slice(-2), [1001, 1002], message)
    assert.ok((read.at(-3) ?? 0) <= sent.count, message)
  }
}

for (const sync of syncs) {
  test(`with sync ${sync}, any one call that fails loses nothing acknowledged and is over in seconds`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { calls, callsBefore, names } = await live({ t, sync, disk: new MemoryDisk(), fault: undefined })
    for (let at = 0; at < calls; at++) {
      for (const kind of kinds) {
        for (const code of codes) {
          if (kind === 'short' && (names[at] !== 'write' || code !== 'EIO')) continue
          const disk = new MemoryDisk()
          const message = `${kind} ${code} at call ${at} (${names[at]})`
          const lived = await live({
            t,
            sync,
            disk,
            fault: { at, calls: 1, kind, code },
          })
          assert.equal(lived.degraded, false, message)
          assert.ok(lived.lastRecorded || at >= callsBefore, message)
          // Only a failed close, or an open that hid its descriptor, may leave a file open.
          const leavesOne = names[at] === (kind === 'before' ? 'close' : 'open')
          assert.ok(disk.openFiles <= (leavesOne ? 1 : 0), `${message}: ${disk.openFiles} files left open`)
          await check(disk, lived, message)
        }
      }
    }
  })

  test(`with sync ${sync}, calls that fail for a while, or for good, or a kill, lose nothing acknowledged`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    const { calls } = await live({ t, sync, disk: new MemoryDisk(), fault: undefined })
    for (let at = 0; at < calls; at++) {
      for (const many of soak ? [2, 3, 5, 7, 11, Infinity] : [2 + (at % 6), Infinity]) {
        for (const kind of ['before', 'after'] as const) {
          const code = codes[at % 3] ?? 'EIO'
          const disk = new MemoryDisk()
          const lived = await live({ t, sync, disk, fault: { at, calls: many, kind, code } })
          await check(disk, lived, `${kind} ${code} at call ${at}, ${many} times`)
        }
      }
    }
  })
}

test('a reader whose calls fail loses nothing by asking again', async () => {
  const disk = new MemoryDisk()
  const journal = openInMemory(disk, { segmentBytesMax: 1000 })
  const sent = noneSent()
  for (let turns = 0; turns < 6; turns++) {
    send(journal, sent, 3)
    for (let waits = 0; waits < 4; waits++) await turn()
  }
  await journal.close()
  const healthy = faultyIo(disk, undefined)
  await readAll(memoryDir, healthy.io)
  for (let at = 0; at < healthy.count(); at++) {
    const { io } = faultyIo(disk, { at, calls: 1, kind: 'before', code: 'EIO' })
    const read: number[] = []
    let position = journalStart
    for (let tries = 0; tries < 8; tries++) {
      try {
        const { frames, position: next } = await readFrames(memoryDir, position, { io, framesMax: 5 })
        read.push(...frames.map(({ scan }) => scan.timeMs))
        position = next
      } catch (error) {
        assert.match(String(error), /EIO/)
      }
    }
    assert.deepEqual(read, [...sent.recorded], `call ${at}`)
  }
})

test('places that the disk cannot read are skipped when that is asked for', async () => {
  const disk = new MemoryDisk()
  const journal = openInMemory(disk)
  const sent = noneSent()
  send(journal, sent, 200)
  await journal.close()
  const io: JournalIo = {
    ...faultyIo(disk, undefined).io,
    read: (fd, bytes, from, length, position) => {
      if (position < 12_288 && position + length > 8192) throw diskError('EIO')
      return disk.read(fd, bytes, from, length, position)
    },
  }
  await assert.rejects(readFrames(memoryDir, journalStart, { io }), /EIO/)
  const { frames, damaged } = await readFrames(memoryDir, journalStart, { io, unreadable: 'skip' })
  assert.equal(damaged.length, 1)
  assert.ok((damaged[0]?.bytes ?? 0) < 4096 + 2 * 400)
  assert.ok(frames.length > 150 && frames.length < 200)
})
