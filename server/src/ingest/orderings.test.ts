// Proof 21: copies of catalogue, scan store and journals that were put back in any combination are exact after a start, or what is gone is told.
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startTestStore } from '../analytics/store-testing.ts'
import { migrateScanStore } from '../analytics/migrations.ts'
import { createLagReader } from './ingest-lag.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { readInstallationNotes } from '../db/installation.ts'
import { openDatabase } from '../db/open-database.ts'
import { dayOf, readScanDays, setScanDays } from '../db/scan-days.ts'
import type { RawScan } from '../journal/raw-scan.ts'
import { migrateDatabase } from '../db/migrate.ts'
import {
  countersOf,
  insertCode,
  openTestJournal,
  record,
  silentLog,
  someScan,
  startTestIngest,
  stopTestIngests,
  storedOf,
  until,
} from './ingest-testing.ts'

const root = await mkdtemp(join(tmpdir(), 'everscan-orderings-'))
const { engine, store, remove } = await startTestStore()
afterEach(stopTestIngests)
after(async () => {
  await remove()
  await rm(root, { recursive: true })
})

const organizationId = 'org_1'
const dirs = { catalogue: join(root, 'catalogue'), journal: join(root, 'journal'), store: engine.dir }
type Part = keyof typeof dirs
const parts: readonly Part[] = ['catalogue', 'store', 'journal']
const copyOf = (part: Part) => `${root}-copy/${part}`
after(() => rm(`${root}-copy`, { recursive: true, force: true }))

async function openCatalogue(): Promise<Database> {
  const db = await openDatabase({ dataDir: dirs.catalogue, role: 'writer', log: silentLog })
  await migrateDatabase(db)
  return db
}

let visitors = 0
/** Scans of two codes around a midnight, each of a new visitor. */
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

/** The service runs for a while: scans come in, and are ingested or stay in the journal. */
async function live(
  work: (db: Database) => Promise<void>,
  { ingested, waiting = 0 }: { ingested: number; waiting?: number },
): Promise<Database> {
  const db = await openCatalogue()
  await work(db)
  const journal = openTestJournal(dirs.journal, 'front-0')
  const ingest = await startTestIngest({ journalRoot: dirs.journal, db, store })
  await until(() => ingest.isChecked)
  if (ingested > 0) await record(journal, newScans(ingested))
  await until(async () => {
    const { hits } = await storedOf(store, organizationId)
    const rows = Object.values(await countersOf(db)).reduce((sum, [total]) => sum + total, 0)
    // Also those that waited from an earlier run.
    const { bytes } = await createLagReader(db, dirs.journal)()
    return rows === hits && ingest.stats.rows >= ingested && bytes === 0 && (await isQuiet(db))
  })
  await ingest.stop()
  if (waiting > 0) await record(journal, newScans(waiting))
  await journal.close()
  return db
}

async function isQuiet(db: Database): Promise<boolean> {
  return (await db.kysely.selectFrom('ingest_intents').selectAll().execute()).length === 0
}

async function copyParts(from: (part: Part) => string, to: (part: Part) => string, which: readonly Part[]) {
  for (const part of which) {
    await rm(to(part), { recursive: true, force: true })
    await cp(from(part), to(part), { recursive: true })
  }
}

async function checkExact(db: Database, expected: number, message: string): Promise<void> {
  const stored = await storedOf(store, organizationId)
  assert.deepEqual([stored.rows, stored.hits], [expected, expected], message)
  assert.deepEqual(await countersOf(db), stored.codes, message)
  const [first] = await store.select<{ firsts: number }>('select count() as firsts from first_scans final')
  assert.equal(first?.firsts, expected, `${message}: each scan is its visitor's first`)
}

async function dropStore(): Promise<void> {
  await store.command('drop database everscan sync')
  await migrateScanStore(store)
}

/** Copies of the store are made and put back while the engine does not run. */
async function stopped(copied: readonly Part[], work: () => Promise<void>): Promise<void> {
  if (!copied.includes('store')) return await work()
  await engine.stop()
  await work()
  await engine.start()
}

type State = 'current' | 'older' | 'missing'
const states: readonly State[] = ['current', 'older', 'missing']
for (const catalogue of states.slice(0, 2))
  for (const storeIs of states)
    for (const journal of states) {
      const state: Record<Part, State> = { catalogue, store: storeIs, journal }
      const name = parts.map((part) => `${part} ${state[part]}`).join(', ')
      test(`${name}: exact, or told`, async () => {
        await dropStore()
        for (const part of ['catalogue', 'journal'] as const)
          await rm(dirs[part], { recursive: true, force: true })
        await (await live(insertCodes, { ingested: 6, waiting: 4 })).close()
        const copied = parts.filter((part) => state[part] === 'older')
        await stopped(copied, () => copyParts((part) => dirs[part], copyOf, copied))
        await (await live(async () => {}, { ingested: 8, waiting: 6 })).close()
        await stopped(copied, () => copyParts(copyOf, (part) => dirs[part], copied))
        if (journal === 'missing') await rm(dirs.journal, { recursive: true })
        if (storeIs === 'missing') await dropStore()
        const db = await live(async () => {}, { ingested: 10 })

        // 6 + 4 + 8 were ingested, 6 waited, 10 came after: with the journal the waiting ones go, and what only it kept.
        const hasJournal = journal === 'current'
        const before = {
          current: 18,
          older: journal === 'older' ? 10 : 6,
          missing: journal === 'older' ? 10 : 0,
        }
        const kept = hasJournal ? 24 : before[storeIs]
        await checkExact(db, kept + 10, name)
        const notes = await readInstallationNotes(db)
        const told = notes.flatMap(({ kind, detail }) =>
          kind === 'scans-lost' ? (detail['days'] as { hits: number }[]) : [],
        )
        const lost = told.reduce((sum, { hits }) => sum + hits, 0)
        const known = catalogue === 'current' ? 18 : 6
        assert.equal(lost, Math.max(0, hasJournal ? 0 : known - kept), `${name}: what is gone is told`)
        await db.close()
      })
    }

function dayText(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10)
}

test('what the store lacks of another machine is left to that machine while it can put it back', async () => {
  await dropStore()
  for (const part of ['catalogue', 'journal'] as const) await rm(dirs[part], { recursive: true, force: true })
  const today = dayOf(Date.now())
  const db = await live(insertCodes, { ingested: 2 })
  await setScanDays(db, [
    { writer: 'of another machine', day: today, hits: 5 },
    { writer: 'of another machine', day: today - 9, hits: 7 },
  ])
  const told = async () => (await readInstallationNotes(db)).map(({ kind, detail }) => [kind, detail['days']])
  const check = async (isAlone: boolean) => {
    const ingest = await startTestIngest({ journalRoot: dirs.journal, db, store, isAlone })
    await until(() => ingest.isChecked)
    await ingest.stop()
  }
  const old = ['scans-lost', [{ day: dayText(today - 9), hits: 7 }]]
  await check(false)
  assert.deepEqual(await told(), [old])
  await check(true)
  assert.deepEqual(await told(), [['scans-lost', [{ day: dayText(today), hits: 5 }]], old])
  await check(true)
  assert.equal((await told()).length, 2, 'it is told once')
  await db.close()
})

test('hits that an earlier release counted beside this one are no older catalogue', async () => {
  await dropStore()
  for (const part of ['catalogue', 'journal'] as const) await rm(dirs[part], { recursive: true, force: true })
  const db = await live(insertCodes, { ingested: 6 })
  await db.kysely.deleteFrom('scan_days').execute()
  const ingest = await startTestIngest({ journalRoot: dirs.journal, db, store })
  await until(() => ingest.isChecked)
  await ingest.stop()
  assert.deepEqual([ingest.stats.unknownHits, await readInstallationNotes(db)], [0, []])
  assert.equal(
    (await readScanDays(db)).reduce((sum, { hits }) => sum + hits, 0),
    6,
  )
  await checkExact(db, 6, 'as before')
  await db.close()
})

test('a fail-over that loses seconds under a running worker is exact, and told', async () => {
  await dropStore()
  for (const part of ['catalogue', 'journal'] as const) await rm(dirs[part], { recursive: true, force: true })
  const db = await openCatalogue()
  await insertCodes(db)
  const journal = openTestJournal(dirs.journal, 'front-0')
  const ingest = await startTestIngest({ journalRoot: dirs.journal, db, store })
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
  const before = await Promise.all(
    tables.map(async (table) => ({ table, rows: await db.kysely.selectFrom(table).selectAll().execute() })),
  )
  await scan(5)
  await until(isCounted)
  await inTransaction(db, async (tx) => {
    for (const { table, rows } of before) {
      await tx.kysely.deleteFrom(table).execute()
      await tx.kysely.insertInto(table).values(rows).execute()
    }
  })
  await scan(3)
  await until(isCounted, 15_000)
  await checkExact(db, 14, 'after the fail-over')
  assert.deepEqual(
    (await readInstallationNotes(db)).map(({ kind, detail }) => [kind, detail['hits']]),
    [['catalogue-behind', 5]],
  )
  await ingest.stop()
  await journal.close()
  await db.close()
})
