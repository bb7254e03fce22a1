import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { fileSystem, type JournalIo } from './journal-io.ts'
import { openJournal } from './journal.ts'
import { writerEnds } from './last-sequence.ts'
import { journalStart, readFrames, readWriters } from './reader.ts'
import { createSegment, listSegments, segmentPath } from './segments.ts'
import { createRandom, noneSent, seed, send, turn } from './testing/journal.ts'

console.log(`SEED=${seed}`)

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-last-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'front-0')
}

/** Runs a front once and returns its writer. */
async function run(dir: string, scans: number, segmentBytesMax = 1e9): Promise<string> {
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9, segmentBytesMax })
  const sent = noneSent()
  while (sent.count < scans) {
    send(journal, sent, Math.min(500, scans - sent.count))
    while (sent.recorded.size < sent.count) await turn()
  }
  await journal.close()
  return journal.writerId ?? ''
}

function endOf(dir: string, writer: string, io?: JournalIo): number | undefined {
  return writerEnds(dir, io).find((end) => end.writer === writer)?.sequence
}

/** Returns the last sequence as the worker finds it: by reading everything. */
async function read(dir: string, writer: string): Promise<number> {
  let last = 0
  for (let position = journalStart, more = true; more;) {
    const part = await readFrames(dir, position, { writer, io: readOnly })
    last = part.frames.at(-1)?.sequence ?? last
    ;({ position, more } = part)
  }
  return last
}

const readOnly: JournalIo = {
  ...fileSystem,
  open: (path, flags) => {
    if (flags !== 'r') throw new Error('only read here')
    return fileSystem.open(path, flags)
  },
}

test('the last sequence of each writer is the one that reading it to its end gives', async (t) => {
  const random = createRandom(seed)
  const dir = folder(t)
  const writers = [await run(dir, 40 + random.int(50), 4000), await run(dir, 0), await run(dir, 3000)]
  const check = async () => {
    const runs = readWriters(dir).filter(({ firstSegment }) => firstSegment !== undefined)
    const ends = writerEnds(dir)
    assert.deepEqual(
      ends.map(({ writer, isLast }) => ({ writer, isLast })),
      runs.map(({ writer, isLast }) => ({ writer, isLast })),
    )
    for (const { writer, sequence } of ends) assert.equal(sequence, await read(dir, writer))
  }
  await check()
  assert.equal(endOf(dir, writers[1] ?? ''), undefined)
  assert.ok((endOf(dir, writers[2] ?? '') ?? 0) > 0)
  const last = segmentPath(dir, listSegments(fileSystem, dir).at(-1) ?? 0)
  // A frame that is still being written, then many bytes that are no frame.
  const whole = readFileSync(last)
  for (const bytes of [1, 15, 40, 100]) {
    writeFileSync(last, whole.subarray(0, whole.length - bytes))
    await check()
  }
  writeFileSync(last, whole)
  appendFileSync(last, Buffer.alloc(700_000, 0xca))
  await check()
  // Damage in the header of the segment, and before its last frames.
  const bytes = readFileSync(last)
  bytes.fill(0, 0, 60)
  bytes.fill(0xff, whole.length - 3000, whole.length - 1000)
  writeFileSync(last, bytes)
  await check()
})

test('behind a segment that lost its frames, those that stand before it and count are the last', async (t) => {
  const dir = folder(t)
  const writer = await run(dir, 30)
  const all = (await readFrames(dir, journalStart)).frames
  // The segment began with the last frames of the one before it, and a power loss came before a
  // sync.
  const header = { number: 2, writerId: writer, firstSequence: all[20]?.sequence ?? 0, createdMs: 0 }
  fileSystem.close(createSegment(fileSystem, dir, header, []).fd)
  assert.equal(await read(dir, writer), all[19]?.sequence)
  assert.equal(endOf(dir, writer), all[19]?.sequence)
})

test('only the end of a segment is read', async (t) => {
  const dir = folder(t)
  const writer = await run(dir, 12_000)
  let bytes = 0
  const counting: JournalIo = {
    ...fileSystem,
    read: (fd, into, from, length, position) => {
      const count = fileSystem.read(fd, into, from, length, position)
      bytes += count
      return count
    },
  }
  assert.equal(endOf(dir, writer, counting), await read(dir, writer))
  assert.ok(bytes < 300_000, `${bytes} bytes`)
  assert.ok(readFileSync(segmentPath(dir, 1)).length > 1_500_000)
})
