// Before a copy is made on one machine, it waits for scans that other machines acknowledged: on
// PostgreSQL, with workers that report on real journals.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { saveCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import {
  askForHeads,
  readHeadRequest,
  tellHeads,
  waitForOthers,
  type JournalHead,
} from '../db/feeds/journal-heads.ts'
import { forEachDatabase, onPostgres, onSqlite } from '../db/testing/databases.ts'
import { openJournal } from '../journal/journal.ts'
import { writerEnds } from '../journal/last-sequence.ts'
import { noneSent, send, turn } from '../journal/testing/journal.ts'
import { createHeadReporter, journalHeads } from './journal-heads.ts'

const machine = (letter: string) => `host-${letter}:/data`

const scratch = mkdtempSync(join(tmpdir(), 'everscan-heads-'))
after(() => rmSync(scratch, { recursive: true, force: true }))

function rootOf(): string {
  return join(mkdtempSync(join(scratch, 'data-')), 'journal')
}

/**
 * Starts a front in a journal. `record` returns its writer and the last sequence that it
 * acknowledged.
 */
function startFront(root: string) {
  const dir = join(root, 'front-0')
  const journal = openJournal({ dir, sync: 'always', bytesMax: 1e9, rootDir: root })
  const sent = noneSent()
  return {
    record: async (scans: number): Promise<JournalHead> => {
      send(journal, sent, scans)
      while (sent.recorded.size < sent.count) await turn()
      const writer = journal.writerId ?? ''
      return { writer, sequence: writerEnds(dir).find((end) => end.writer === writer)?.sequence ?? 0 }
    },
    stop: () => journal.close(),
  }
}

/** Runs a front that records scans and ends. */
async function record(root: string, scans = 20): Promise<JournalHead> {
  const front = startFront(root)
  const head = await front.record(scans)
  await front.stop()
  return head
}

const ingest = (db: Database, { writer, sequence }: JournalHead) =>
  saveCheckpoint(db, writer, { segment: 1, offset: 100, sequence })

/**
 * Runs workers that are live when `work` begins, and that check for requests every 20 ms instead of
 * every second until it ends.
 */
async function withWorkers<Result>(
  db: Database,
  places: Readonly<Record<string, string>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController()
  const reporters = Object.entries(places).map(([letter, journalRoot]) =>
    createHeadReporter({ journalRoot, machine: machine(letter) }),
  )
  for (const report of reporters) await report(db)
  const workers = reporters.map(async (report) => {
    while (!ending.signal.aborted) {
      await report(db)
      await sleep(20)
    }
  })
  try {
    return await work()
  } finally {
    ending.abort()
    await Promise.all(workers)
  }
}

const rowsOf = (db: Database) =>
  db.kysely
    .selectFrom('journal_heads')
    .select(['writer', 'machine', 'sequence', 'request'])
    .orderBy('writer')
    .execute()

forEachDatabase('journal heads', (open) => {
  test('requests are numbered', async () => {
    const db = await open()
    assert.equal(await readHeadRequest(db), 0)
    assert.equal(await askForHeads(db), 1)
    assert.equal(await askForHeads(db), 2)
    assert.equal(await readHeadRequest(db), 2)
  })

  test('a report of a machine replaces its previous one, and old reports are deleted', async () => {
    const db = await open()
    const report = (name: string, request: number, heads: { writer: string; sequence: number }[]) =>
      tellHeads(db, { machine: machine(name), request, heads })
    await report('a', 1, [
      { writer: 'w1', sequence: 10 },
      { writer: 'w2', sequence: 20 },
    ])
    await report('b', 1, [{ writer: 'w3', sequence: 30 }])
    await report('a', 2, [{ writer: 'w2', sequence: 25 }])
    const expected = [
      { writer: 'w2', machine: machine('a'), sequence: 25, request: 2 },
      { writer: 'w3', machine: machine('b'), sequence: 30, request: 1 },
    ]
    assert.deepEqual(await rowsOf(db), expected)
    // A clone of the machine may be behind.
    await report('c', 1, [{ writer: 'w2', sequence: 5 }])
    assert.deepEqual(await rowsOf(db), [{ ...expected[0], machine: machine('c') }, expected[1]])
    await db.kysely
      .updateTable('journal_heads')
      .set({ beat_at_ms: Date.now() - 11 * 60_000 })
      .execute()
    await report('d', 2, [])
    assert.deepEqual(await rowsOf(db), [])
  })

  test('a worker reports active writers, and ended ones that are not fully ingested', async () => {
    const db = await open()
    const root = rootOf()
    assert.deepEqual(await journalHeads(db, root), [])
    const writers = [await record(root), await record(root), await record(root)]
    const [first, second, last] = writers as [(typeof writers)[0], (typeof writers)[0], (typeof writers)[0]]
    assert.deepEqual(await journalHeads(db, root), writers)
    await ingest(db, first)
    await ingest(db, last)
    await ingest(db, { ...second, sequence: second.sequence - 1 })
    assert.deepEqual(await journalHeads(db, root), [second, last])
  })

  test('a worker reports once, again after a minute, and immediately on request', async () => {
    const db = await open()
    const root = rootOf()
    const head = await record(root)
    const options = { journalRoot: root, machine: machine('a') }
    const [report, reportOften] = [createHeadReporter(options), createHeadReporter({ ...options, beatMs: 1 })]
    const takeRows = async () => {
      const rows = await rowsOf(db)
      await db.kysely.deleteFrom('journal_heads').execute()
      return rows
    }
    await report(db)
    assert.deepEqual(await takeRows(), [{ ...head, machine: machine('a'), request: 0 }])
    await report(db)
    assert.deepEqual(await takeRows(), [])
    await askForHeads(db)
    await report(db)
    assert.deepEqual(await takeRows(), [{ ...head, machine: machine('a'), request: 1 }])
    for (let beat = 0; beat < 2; beat++) {
      await sleep(5)
      await reportOften(db)
      assert.equal((await takeRows()).length, 1)
    }
  })
})

onSqlite('a copy', (open) => {
  test('waits for no other machine', async () => {
    const db = await open()
    await tellHeads(db, { machine: machine('b'), request: 0, heads: [{ writer: 'w', sequence: 10 }] })
    const startedMs = performance.now()
    assert.deepEqual(await waitForOthers(db, { ownWriters: [] }), {
      isComplete: true,
      behind: [],
      silent: [],
    })
    assert.ok(performance.now() - startedMs < 1000)
    assert.equal(await readHeadRequest(db), 0)
  })
})

onPostgres('a copy', (open) => {
  const quick = { leastMs: 100, pollMs: 10, timeoutMs: 30_000 }

  test('waits until scans that others acknowledged before are ingested, and for no later ones', async (t) => {
    const db = await open()
    const [own, other, third] = [rootOf(), rootOf(), rootOf()]
    const mine = await record(own)
    const former = await record(other)
    const front = startFront(other)
    t.after(() => front.stop())
    const head = await front.record(20)
    let state: unknown
    await withWorkers(db, { a: own, b: other, c: third }, async () => {
      const waiting = waitForOthers(db, { ...quick, ownWriters: [mine.writer] }).then(
        (others) => (state = others),
      )
      while ((await rowsOf(db)).filter(({ request }) => request === 1).length < 3) await sleep(20)
      await sleep(150)
      assert.equal(state, undefined)
      await ingest(db, former)
      // Recorded later, and reported when another copy asks: this copy does not wait for it.
      const later = await front.record(10)
      await askForHeads(db)
      while (!(await rowsOf(db)).some(({ sequence }) => sequence === later.sequence)) await sleep(20)
      await sleep(100)
      assert.equal(state, undefined)
      await ingest(db, head)
      assert.deepEqual(await waiting, { isComplete: true, behind: [], silent: [] })
    })
  })

  test('names machines that are behind or silent after the timeout', async () => {
    const db = await open()
    const [behind, silent, gone] = [rootOf(), rootOf(), rootOf()]
    const head = await record(behind)
    await ingest(db, { ...head, sequence: 3 })
    // Both were live a moment ago; for one of them, the report is then made older.
    for (const [root, letter] of [
      [silent, 's'],
      [gone, 'g'],
    ] as const) {
      await record(root)
      await createHeadReporter({ journalRoot: root, machine: machine(letter) })(db)
    }
    await db.kysely
      .updateTable('journal_heads')
      .set({ beat_at_ms: Date.now() - 4 * 60_000 })
      .where('machine', '=', machine('g'))
      .execute()
    const others = await withWorkers(db, { b: behind }, () =>
      waitForOthers(db, { ...quick, timeoutMs: 3000, ownWriters: [] }),
    )
    assert.deepEqual(others, {
      isComplete: false,
      behind: [{ ...head, machine: machine('b'), checkpoint: 3 }],
      silent: [machine('s')],
    })
  })

  test('a restarted front is not a silent machine', async () => {
    const db = await open()
    const root = rootOf()
    const former = await record(root)
    await createHeadReporter({ journalRoot: root, machine: machine('b') })(db)
    await ingest(db, former)
    await ingest(db, await record(root))
    const others = await withWorkers(db, { b: root }, () => waitForOthers(db, { ...quick, ownWriters: [] }))
    assert.deepEqual(others, { isComplete: true, behind: [], silent: [] })
  })

  test('a clone of a machine only answers for itself', async () => {
    const db = await open()
    const [root, clone] = [rootOf(), rootOf()]
    const head = await record(root)
    cpSync(root, clone, { recursive: true })
    const ofClone = await record(clone)
    await ingest(db, { ...head, sequence: 2 })
    const others = await withWorkers(db, { a: root, b: clone }, () =>
      waitForOthers(db, { ...quick, timeoutMs: 3000, ownWriters: [head.writer] }),
    )
    assert.deepEqual(others, {
      isComplete: false,
      behind: [{ ...ofClone, machine: machine('b'), checkpoint: 0 }],
      silent: [],
    })
  })

  test('stops when aborted, and waits a moment for machines that are just starting', async () => {
    const db = await open()
    const root = rootOf()
    const head = await record(root)
    await assert.rejects(
      waitForOthers(db, { ...quick, leastMs: 20_000, ownWriters: [], signal: AbortSignal.timeout(200) }),
      {
        name: 'AbortError',
      },
    )
    const waiting = waitForOthers(db, { ...quick, leastMs: 2000, timeoutMs: 3000, ownWriters: [] })
    await sleep(300)
    await createHeadReporter({ journalRoot: root, machine: machine('b') })(db)
    assert.deepEqual((await waiting).behind, [{ ...head, machine: machine('b'), checkpoint: 0 }])
  })
})
