// Proof 21: after restoring copies of catalogue, scan store and journals in any combination, a
// start makes the figures exact or reports what is lost.
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startTestStore } from '../analytics/testing/store.ts'
import { createLagReader } from './ingest-lag.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { readInstallationNotes } from '../db/installation.ts'
import type { OrganizationScans } from '../db/scans/scan-counters.ts'
import { openDatabase } from '../db/open-database.ts'
import { markJournals, journalRefusal } from '../processes/journal-owners.ts'
import { dayOf, readScanDays, setScanDays } from '../db/scans/scan-days.ts'
import { readScanLosses } from '../db/scans/scan-losses.ts'
import type { RawScan } from '../journal/raw-scan.ts'
import { catalogueKinds, type CatalogueKind, type CatalogueSource } from '../db/testing/databases.ts'
import type { Found } from './ingest-context.ts'
import {
  countersOf,
  openTestJournal,
  record,
  silentLog,
  someScan,
  startTestIngest,
  stopTestIngests,
  storedOf,
  until,
} from './testing/ingest.ts'
import { insertCode } from '../db/testing/codes.ts'

const root = await mkdtemp(join(tmpdir(), 'everscan-orderings-'))
const { store, remove } = await startTestStore()
afterEach(stopTestIngests)
after(async () => {
  await remove()
  await rm(root, { recursive: true })
})

const organizationId = 'org_1'
const journalRoot = join(root, 'journal')
const storeTables = ['scans', 'first_scans'] as const

/** A copy of all parts at one moment. The store's part is a database beside the real one. */
type Copies = { catalogue: CatalogueSource; journal: string; store: string }

let visitors = 0
/** Returns scans of two codes around a midnight, each of a new visitor. */
function newScans(count: number): RawScan[] {
  return Array.from({ length: count }, (_, index) =>
    someScan({
      organizationId,
      qrCodeId: `qr_${index % 2}`,
      shortCode: `QR_${index % 2}`,
      visitor: ++visitors,
      timeMs: Date.UTC(2026, 2, 1, 23, 59, 59, 990) + (visitors % 20),
    }),
  )
}

async function insertCodes(db: Database): Promise<void> {
  for (const id of ['qr_0', 'qr_1']) await insertCode(db, organizationId, id)
}

/** Runs the service for a while: scans are ingested or remain in the journal. */
async function live(
  db: Database,
  { ingested, waiting = 0 }: { ingested: number; waiting?: number },
): Promise<void> {
  const journal = openTestJournal(journalRoot, 'front-0')
  const ingest = await startTestIngest({ journalRoot, db, store })
  await until(() => ingest.isChecked)
  if (ingested > 0) await record(journal, newScans(ingested))
  await until(async () => {
    if (ingest.stats.rows < ingested || !(await isQuiet(db))) return false
    const { hits } = await storedOf(store, organizationId)
    const rows = Object.values(await countersOf(db)).reduce((sum, [total]) => sum + total, 0)
    // Includes scans that were pending from an earlier run.
    const { bytes } = await createLagReader(db, journalRoot)()
    return rows === hits && bytes === 0
  })
  await ingest.stop()
  if (waiting > 0) await record(journal, newScans(waiting))
  await journal.close()
}

async function isQuiet(db: Database): Promise<boolean> {
  return (await db.kysely.selectFrom('ingest_intents').selectAll().execute()).length === 0
}

async function copyAll(kind: CatalogueKind, catalogue: CatalogueSource, name: string): Promise<Copies> {
  const copies: Copies = { catalogue: await kind.copy(catalogue), journal: join(root, name), store: name }
  await cp(journalRoot, copies.journal, { recursive: true })
  await store.command(`create database ${name}`)
  for (const table of storeTables) await store.command(`create table ${name}.${table} clone as ${table}`)
  return copies
}

async function removeCopies(kind: CatalogueKind, copies: Copies): Promise<void> {
  await kind.remove(copies.catalogue)
  await rm(copies.journal, { recursive: true })
  await store.command(`drop database ${copies.store} sync`)
}

async function putStoreBack(name: string | undefined): Promise<void> {
  for (const table of storeTables) {
    await store.command(`truncate table ${table}`)
    if (name !== undefined)
      await store.command(`alter table ${table} attach partition all from ${name}.${table}`)
  }
}

async function putJournalBack(from: string | undefined): Promise<void> {
  await rm(journalRoot, { recursive: true, force: true })
  if (from !== undefined) await cp(from, journalRoot, { recursive: true })
}

async function checkExact(db: Database, expected: number, message: string): Promise<void> {
  const stored = await storedOf(store, organizationId)
  assert.deepEqual([stored.rows, stored.hits], [expected, expected], message)
  assert.deepEqual(await countersOf(db), stored.codes, message)
  const [first] = await store.select<{ firsts: number }>('select count() as firsts from first_scans final')
  assert.equal(first?.firsts, expected, `${message}: each scan is its visitor's first`)
}

function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

async function withCatalogue(source: CatalogueSource, work: (db: Database) => Promise<void>): Promise<void> {
  const db = await openDatabase({ ...source, role: 'writer', log: silentLog })
  try {
    await work(db)
  } finally {
    await db.close()
  }
}

type State = 'current' | 'older' | 'missing'
const states: readonly State[] = ['current', 'older', 'missing']

/** Returns a `test` function that starts with only two codes. */
function testFor(kind: CatalogueKind): (title: string, work: (db: Database) => Promise<void>) => void {
  return (title, work) =>
    void test(title, async () => {
      await putStoreBack(undefined)
      await putJournalBack(undefined)
      const catalogue = await kind.empty()
      await withCatalogue(catalogue, async (db) => {
        await insertCodes(db)
        await work(db)
      })
      await kind.remove(catalogue)
    })
}

const bySize = (rows: readonly OrganizationScans[]) => rows.toSorted((a, b) => b.scans - a.scans)
const refusalOf = (dir: string) => journalRefusal(dir, 'ins_own')
const isOwn = (dir: string) => refusalOf(dir) === undefined

for (const kind of catalogueKinds)
  describe(`catalogue on ${kind.title}`, () => {
    /** `older`: 6 scans ingested, 4 pending. `current`: those and 8 more ingested, 6 pending. */
    const copies = {} as Record<'older' | 'current', Copies>
    before(async () => {
      await putStoreBack(undefined)
      await putJournalBack(undefined)
      const catalogue = await kind.empty()
      await withCatalogue(catalogue, async (db) => {
        await insertCodes(db)
        await live(db, { ingested: 6, waiting: 4 })
      })
      copies.older = await copyAll(kind, catalogue, 'older')
      await withCatalogue(catalogue, (db) => live(db, { ingested: 8, waiting: 6 }))
      copies.current = await copyAll(kind, catalogue, 'current')
      await kind.remove(catalogue)
    })
    after(async () => {
      for (const one of Object.values(copies)) await removeCopies(kind, one)
    })

    for (const catalogueIs of ['current', 'older'] as const)
      for (const storeIs of states)
        for (const journalIs of states) {
          const name = `catalogue ${catalogueIs}, store ${storeIs}, journal ${journalIs}`
          test(`${name}: exact, or reported`, async () => {
            await putStoreBack(storeIs === 'missing' ? undefined : copies[storeIs].store)
            await putJournalBack(journalIs === 'missing' ? undefined : copies[journalIs].journal)
            const catalogue = await kind.copy(copies[catalogueIs].catalogue)
            await withCatalogue(catalogue, async (db) => {
              await live(db, { ingested: 10 })

              // 6 + 4 + 8 were ingested, 6 were pending, 10 came later. Without the journal,
              // pending scans are lost, and rows that only the journal folder kept.
              const hasJournal = journalIs === 'current'
              const withoutWaiting = {
                current: 18,
                older: journalIs === 'older' ? 10 : 6,
                missing: journalIs === 'older' ? 10 : 0,
              }
              const kept = hasJournal ? 24 : withoutWaiting[storeIs]
              await checkExact(db, kept + 10, name)
              const notes = await readInstallationNotes(db)
              const reported = notes.flatMap((note) =>
                note.kind === 'scans-lost' ? (note.detail['days'] as { hits: number }[]) : [],
              )
              const lost = reported.reduce((sum, { hits }) => sum + hits, 0)
              const known = catalogueIs === 'current' ? 18 : 6
              assert.equal(lost, Math.max(0, hasJournal ? 0 : known - kept), `${name}: losses are reported`)
              const losses = await readScanLosses(db)
              const lostHits = losses.reduce((sum, { hits }) => sum + hits, 0)
              assert.equal(lostHits, lost, `${name}: losses stay known`)
            })
            await kind.remove(catalogue)
          })
        }

    const testFresh = testFor(kind)

    testFresh(
      'hits of another machine that the store lacks are left to that machine while it can restore them',
      async (db) => {
        const today = dayOf(Date.now())
        await live(db, { ingested: 2 })
        await setScanDays(db, [
          { writer: 'of another machine', day: today, hits: 5 },
          { writer: 'of another machine', day: today - 9, hits: 7 },
        ])
        const reported = async () =>
          (await readInstallationNotes(db)).map((note) => [note.kind, note.detail['days']])
        const check = async (isAlone: boolean) => {
          const ingest = await startTestIngest({ journalRoot, db, store, isAlone })
          await until(() => ingest.isChecked)
          await ingest.stop()
        }
        const old = ['scans-lost', [{ day: dayText(today - 9), hits: 7 }]]
        await check(false)
        assert.deepEqual(await reported(), [old])
        await check(true)
        assert.deepEqual(await reported(), [['scans-lost', [{ day: dayText(today), hits: 5 }]], old])
        await check(true)
        assert.equal((await reported()).length, 2, 'it is reported once')
      },
    )

    testFresh('hits counted by a parallel earlier release do not imply an older catalogue', async (db) => {
      await live(db, { ingested: 6 })
      await db.kysely.deleteFrom('scan_days').execute()
      const ingest = await startTestIngest({ journalRoot, db, store })
      await until(() => ingest.isChecked)
      await ingest.stop()
      assert.deepEqual([ingest.stats.unknownHits, await readInstallationNotes(db)], [0, []])
      assert.equal(
        (await readScanDays(db)).reduce((sum, { hits }) => sum + hits, 0),
        6,
      )
      await checkExact(db, 6, 'as before')
    })

    testFresh('a fail-over that loses seconds under a running worker is exact and reported', async (db) => {
      const journal = openTestJournal(journalRoot, 'front-0')
      const ingest = await startTestIngest({ journalRoot, db, store })
      const isCounted = async () => {
        const { hits, codes } = await storedOf(store, organizationId)
        return hits === recorded && isDeepStrictEqual(await countersOf(db), codes)
      }
      let recorded = 0
      const scan = async (count: number) => {
        await record(journal, newScans(count))
        recorded += count
      }
      await scan(6)
      await until(isCounted)
      const tables = ['journal_checkpoints', 'scan_counters', 'scan_days'] as const
      const copied = await Promise.all(
        tables.map(async (table) => ({
          table,
          rows: await db.kysely.selectFrom(table).selectAll().execute(),
        })),
      )
      await scan(5)
      await until(isCounted)
      await inTransaction(db, async (tx) => {
        for (const { table, rows } of copied) {
          await tx.kysely.deleteFrom(table).execute()
          await tx.kysely.insertInto(table).values(rows).execute()
        }
      })
      await scan(3)
      await until(isCounted, 15_000)
      await checkExact(db, 14, 'after the fail-over')
      assert.deepEqual(
        (await readInstallationNotes(db)).map((note) => [note.kind, note.detail['hits']]),
        [['catalogue-behind', 5]],
      )
      await ingest.stop()
      await journal.close()
    })

    testFresh('folders of another installation are reported, and unread until adopted', async (db) => {
      const start = () => startTestIngest({ journalRoot, db, store, refusalOf })
      const foreign = openTestJournal(journalRoot, 'front-1')
      await record(foreign, newScans(5))
      await foreign.close()
      markJournals(journalRoot, 'ins_another')
      const journal = openTestJournal(journalRoot, 'front-0')
      const ingest = await start()
      await record(journal, newScans(4))
      await until(async () => ingest.stats.rows === 4 && (await isQuiet(db)))
      assert.match(
        ingest.stats.refusedFolder?.message ?? '',
        /front-1 belong to installation ins_another: move .* adopt data-dir/,
      )
      await checkExact(db, 4, 'without the foreign folder')
      assert.equal((await createLagReader(db, journalRoot, isOwn)()).bytes, 0)
      markJournals(journalRoot, 'ins_own')
      await until(async () => ingest.stats.rows === 9 && (await isQuiet(db)))
      assert.equal(ingest.stats.refusedFolder, undefined)
      await checkExact(db, 9, 'with the adopted folder')
      await ingest.stop()
      await journal.close()

      // From the kept rows only.
      markJournals(journalRoot, 'ins_another')
      for (const name of ['front-0', 'front-1']) await rm(join(journalRoot, name), { recursive: true })
      await putStoreBack(undefined)
      const other = await start()
      await until(() => other.isChecked)
      assert.deepEqual([other.stats.putBackHits, other.stats.lostHits], [0, 9])
      await other.stop()
    })

    testFresh(
      'reports to each organization its own scans that were restored, lost or recounted',
      async (db) => {
        await insertCode(db, 'org_2', 'qr_9')
        const found: Found['organizations'][] = []
        const onFound = async (_: Database, { organizations }: Found) => void found.push(organizations)
        const start = () => startTestIngest({ journalRoot, db, store, onFound })
        const compare = async () => {
          const ingest = await start()
          await until(() => ingest.isChecked)
          await ingest.stop()
          return found.splice(0)
        }
        const journal = openTestJournal(journalRoot, 'front-0')
        const ingest = await start()
        const other = { organizationId: 'org_2', qrCodeId: 'qr_9', shortCode: 'QR_9' }
        await record(journal, [
          ...newScans(4),
          ...[1, 2, 3].map((visitor) => someScan({ ...other, visitor })),
        ])
        await until(async () => ingest.stats.rows === 7 && (await isQuiet(db)))
        await ingest.stop()
        await journal.close()
        const both = [
          { organizationId: 'org_1', scans: 4 },
          { organizationId: 'org_2', scans: 3 },
        ]

        await putStoreBack(undefined)
        const [first] = await compare()
        assert.deepEqual([first?.recounted, bySize(first?.putBack ?? []), first?.lost], [[], both, []])

        await db.kysely.updateTable('scan_counters').set({ total_scans: 1, unique_scans: 1 }).execute()
        await db.kysely.deleteFrom('scan_days').execute()
        const [second] = await compare()
        const missing = both.map((row) => ({
          ...row,
          scans: row.scans - (row.organizationId === 'org_1' ? 2 : 1),
        }))
        assert.deepEqual([bySize(second?.recounted ?? []), second?.putBack, second?.lost], [missing, [], []])

        await putStoreBack(undefined)
        await putJournalBack(undefined)
        const [third] = await compare()
        assert.deepEqual([third?.recounted, third?.putBack, bySize(third?.lost ?? [])], [[], [], both])
        assert.deepEqual(await compare(), [])
      },
    )

    testFresh(
      'a detached part that is attached after its rows were restored is in the store once, and reported',
      async (db) => {
        await live(db, { ingested: 6 })
        await store.command(`alter table scans detach partition 202603`)
        await live(db, { ingested: 4 })
        await checkExact(db, 10, 'put back')
        await store.command(`alter table scans attach partition 202603`)
        assert.equal((await storedOf(store, organizationId)).rows, 16)
        // The result of an earlier release in this situation.
        await db.kysely.updateTable('scan_counters').set({ total_scans: 8 }).execute()
        await live(db, { ingested: 3 })
        await checkExact(db, 13, 'with the attached part')
        const notes = (await readInstallationNotes(db)).map((note) => [note.kind, note.detail['hits']])
        assert.deepEqual(notes, [
          ['scans-doubled', 6],
          ['scans-put-back', 6],
        ])
      },
    )
  })
