// A segment is removed, renamed or replaced while it is written: no acknowledged scan is lost.
import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultyIo, type Fault } from './testing/faulty-io.ts'
import { fileSystem } from './journal-io.ts'
import { openJournal, type Journal } from './journal.ts'
import { journalStart, readWriters } from './reader.ts'
import { listSegments, segmentPath } from './segments.ts'
import {
  createRandom,
  diskError,
  MemoryDisk,
  memoryDir,
  noneSent,
  openInMemory,
  readAll,
  scanOf,
  seed,
  send,
  turn,
  type Sent,
} from './testing/journal.ts'

const syncs = ['always', 'interval', 'never'] as const

/** Accidents of the newest segment of a directory. */
const losses: Readonly<Record<string, (dir: string, path: string) => void>> = {
  'its file is removed': (_dir, path) => unlinkSync(path),
  'its file is renamed': (_dir, path) => renameSync(path, `${path}.old`),
  'a copy takes its place': (_dir, path) => {
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  },
  'its directory is removed': (dir) => rmSync(dir, { recursive: true }),
  'its directory is renamed': (dir) => renameSync(dir, `${dir}.old`),
  'an empty directory takes the place of its own': (dir) => {
    rmSync(dir, { recursive: true })
    mkdirSync(dir)
  },
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-journal-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'journal', 'front-0')
}

function newestPath(dir: string): string {
  return segmentPath(dir, listSegments(fileSystem, dir).at(-1) ?? 0)
}

async function sendTurns(journal: Journal, sent: Sent, turns: number): Promise<void> {
  for (let count = 0; count < turns; count++) {
    send(journal, sent, 5)
    await turn()
  }
}

async function pause(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn()
}

async function settle(sent: Sent): Promise<void> {
  while (sent.recorded.size + sent.refused.size < sent.count) await turn()
}

for (const sync of syncs)
  for (const [name, lose] of Object.entries(losses))
    test(`with sync ${sync}, ${name}: all is written again under its sequences, and said`, async (t) => {
      const dir = folder(t)
      const problems: string[] = []
      const options = { dir, rootDir: dirname(dir), sync, bytesMax: 1e9 }
      const onProblem = ({ message }: Error): void => void problems.push(message)
      const journal = openJournal({ ...options, onProblem })
      const sent = noneSent()
      await sendTurns(journal, sent, 20)
      await settle(sent)
      const before = await readAll(dir)
      const writer = journal.writerId
      const path = newestPath(dir)
      lose(dir, path)
      await sendTurns(journal, sent, 20)
      for (const endMs = Date.now() + 20_000; journal.stats().segmentsLost === 0 && Date.now() < endMs;)
        await sleep(20)
      await sendTurns(journal, sent, 5)
      await settle(sent)
      for (const endMs = Date.now() + 20_000; journal.stats().degraded && Date.now() < endMs;) await sleep(20)
      assert.equal(sent.recorded.size, 225)
      assert.equal(journal.stats().segmentsLost, 1)
      assert.equal(problems.filter((text) => text.includes(`${path} was removed or renamed`)).length, 1)
      assert.equal(journal.stats().degraded, false)
      // A reader from before the loss continues at its position and gets no scan twice.
      const beside = [...before.frames, ...(await readAll(dir, fileSystem, before.position)).frames]
      const fresh = (await readAll(dir)).frames
      for (const frames of [beside, fresh])
        assert.deepEqual(
          frames.map(({ scan }) => scan.timeMs),
          Array.from({ length: 225 }, (_, index) => index + 1),
        )
      assert.deepEqual(
        beside.map(({ sequence }) => sequence),
        fresh.map(({ sequence }) => sequence),
      )
      await journal.close()
      assert.equal(readWriters(dir).at(-1)?.writer, writer)
      const again = openJournal({ ...options, sync: 'always' })
      await sendTurns(again, sent, 1)
      await settle(sent)
      await again.close()
      const all = (await readAll(dir)).frames
      assert.deepEqual([all.length, all.at(-1)?.scan.timeMs], [230, 230])
    })

test('a directory that is made again is for its owner alone', async (t) => {
  const dir = folder(t)
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9 })
  const sent = noneSent()
  await sendTurns(journal, sent, 1)
  await settle(sent)
  rmSync(dirname(dir), { recursive: true })
  await sendTurns(journal, sent, 1)
  await settle(sent)
  for (const path of [dir, dirname(dir)]) assert.equal(statSync(path).mode & 0o777, 0o700)
  assert.ok(existsSync(join(dir, 'writer')))
  await journal.close()
  assert.equal((await readAll(dir)).frames.length, 10)
})

test('a segment that is lost right before the end, or while no scans come, is written again', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const sync of syncs)
    for (const end of ['close', 'wait']) {
      const disk = new MemoryDisk()
      const journal = openInMemory(disk, { sync })
      const sent = noneSent()
      await sendTurns(journal, sent, 5)
      t.mock.timers.tick(200)
      await pause()
      disk.unlink(segmentPath(memoryDir, 1))
      if (end === 'wait') t.mock.timers.tick(1000)
      else await journal.close()
      await pause()
      assert.equal(journal.stats().segmentsLost, 1)
      const { frames } = await readAll(memoryDir, disk)
      assert.equal(frames.length, 25, `${sync}, ${end}`)
      await journal.close()
      assert.equal(disk.openFiles, 0)
    }
})

test(`with sync always, an answer after a loss waits until the copy survives a power loss (SEED=${seed})`, async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (let run = 0; run < 200; run++) {
    const random = createRandom(seed + run)
    const disk = new MemoryDisk()
    const journal = openInMemory(disk)
    const sent = noneSent()
    await sendTurns(journal, sent, 1 + random.int(8))
    await pause()
    if (random.chance(0.5)) disk.unlink(segmentPath(memoryDir, 1))
    else disk.removeDirectory(memoryDir)
    // The journal notices the loss at the first answer after it. The scans in `before` were
    // acknowledged while the file had its name.
    const before = new Set(sent.recorded)
    for (let turns = 0; turns < 12; turns++) {
      if (turns < 4) send(journal, sent, random.int(4))
      await turn()
      if (sent.recorded.size === before.size) continue
      const { frames } = await readAll(memoryDir, disk.crashed(random))
      const read = new Set(frames.map(({ scan }) => scan.timeMs))
      for (const index of sent.recorded) assert.ok(read.has(index), `run ${run}: lost ${index}`)
    }
    await journal.close()
  }
})

type Failing = { sync: (typeof syncs)[number]; at: number; kind: Fault['kind']; code: Fault['code'] }

/**
 * Runs a journal that loses its directory, with one failing call after that. Returns the number of
 * calls after the loss.
 */
async function loseWithFault(t: TestContext, { sync, at, kind, code }: Failing): Promise<number> {
  const disk = new MemoryDisk()
  const fault = { at: Infinity, calls: 1, kind, code }
  const { io, count } = faultyIo(disk, fault)
  const journal = openInMemory(io, { sync })
  const sent = noneSent()
  const pass = async (ms: number): Promise<void> => {
    await pause()
    t.mock.timers.tick(ms)
    await pause()
  }
  for (let turns = 0; turns < 2; turns++) {
    send(journal, sent, 5)
    await pass(200)
  }
  disk.removeDirectory(memoryDir)
  const before = count()
  fault.at = before + at
  for (let seconds = 0; seconds < 8; seconds++) {
    send(journal, sent, 2)
    await pass(200)
    await pass(800)
  }
  const message = `${kind} ${code} at ${at}`
  const { degraded, segmentsLost } = journal.stats()
  assert.deepEqual({ degraded, segmentsLost }, { degraded: false, segmentsLost: 1 }, message)
  assert.equal(sent.recorded.size + sent.refused.size, sent.count, message)
  const { frames } = await readAll(memoryDir, disk, journalStart)
  const read = frames.map(({ scan }) => scan.timeMs)
  for (const { scan } of frames) assert.deepEqual(scan, scanOf(scan.timeMs), message)
  assert.equal(new Set(read).size, read.length, message)
  for (const index of sent.recorded) assert.ok(read.includes(index), `${message}: lost ${index}`)
  const calls = count() - before
  await journal.close()
  return calls
}

for (const sync of syncs)
  test(`with sync ${sync}, a loss and any one call that fails after it: nothing acknowledged is lost`, async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    for (const code of ['EIO', 'ENOSPC'] as const)
      for (const kind of ['before', 'after'] as const)
        for (let at = 0, calls = 1; at < calls; at++) calls = await loseWithFault(t, { sync, at, kind, code })
  })

test('a full disk in the middle of a loss refuses, and what the open file has is written when there is room', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const disk = new MemoryDisk()
  let isFull = false
  const io = {
    ...faultyIo(disk, undefined).io,
    write: (...args: Parameters<MemoryDisk['write']>) => {
      if (isFull) throw diskError('ENOSPC')
      return disk.write(...args)
    },
  }
  const journal = openInMemory(io)
  const sent = noneSent()
  await sendTurns(journal, sent, 5)
  await settle(sent)
  disk.unlink(segmentPath(memoryDir, 1))
  isFull = true
  for (let seconds = 0; seconds < 5; seconds++) {
    await sendTurns(journal, sent, 1)
    t.mock.timers.tick(1000)
  }
  await settle(sent)
  assert.deepEqual([sent.recorded.size, sent.refused.size], [25, 25])
  assert.equal(journal.stats().degraded, true)
  isFull = false
  for (let seconds = 0; seconds < 3; seconds++) {
    t.mock.timers.tick(1000)
    await pause()
  }
  assert.equal(journal.stats().degraded, false)
  await sendTurns(journal, sent, 1)
  await settle(sent)
  await journal.close()
  const read = (await readAll(memoryDir, disk)).frames.map(({ scan }) => scan.timeMs)
  assert.deepEqual(read, [...sent.recorded])
})
