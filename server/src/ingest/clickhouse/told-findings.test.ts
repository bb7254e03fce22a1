// The findings of a comparison with ClickHouse are told once, wherever a worker is killed.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { startTestStore } from '../../analytics/testing/store.ts'
import type { Database } from '../../db/database.ts'
import { readScanLosses } from '../../db/scans/scan-losses.ts'
import { insertCode } from '../../db/testing/codes.ts'
import type { CatalogueKind, CatalogueSource } from '../../db/testing/databases.ts'
import { Killed, Steps } from '../files/testing/killed-worker.ts'
import type { Ingester } from '../ingest-context.ts'
import { countersOf, openTestJournal, record, someScan, storedOf } from '../testing/ingest.ts'
import {
  compareAndIngest,
  firstStep,
  stepsBetween,
  toldIn,
  toldKinds,
  withCatalogue,
  type Told,
} from '../testing/told.ts'
import { clickHouseIngester } from './clickhouse-ingester.ts'
import { keptRowsName } from './kept-rows.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-told-clickhouse-'))
const { store, remove } = await startTestStore()
after(async () => {
  await remove()
  rmSync(root, { recursive: true })
})

const storeTables = ['scans', 'first_scans'] as const

/** Does what a start does before it ingests, and then ingests everything. */
async function start(
  journalRoot: string,
  whole: Database,
  steps = new Steps(Infinity, false),
): Promise<void> {
  const db: Database = {
    ...whole,
    beforeCommit: async () => {
      steps.begin()
      steps.end()
    },
  }
  let ingester: Ingester | undefined
  try {
    await compareAndIngest({ journalRoot, db }, (base) => {
      ingester = clickHouseIngester({ store: steps.of(store), isAlone: true })(base, () => undefined)
      return ingester
    })
  } finally {
    await ingester?.close()
  }
}

/** Records 20 scans of each of two codes, a tenth of them by a program. */
async function live(journalRoot: string, db: Database): Promise<void> {
  const journal = openTestJournal(journalRoot, 'front-0')
  for (const at of [0, 1])
    await record(
      journal,
      Array.from({ length: 20 }, (_, visitor) =>
        someScan({
          organizationId: `org_${at}`,
          qrCodeId: `qr_${at}`,
          shortCode: `QR_${at}`,
          visitor,
          ...(visitor % 10 === 0 && { userAgent: 'curl/8.5.0' }),
        }),
      ),
    )
  await journal.close()
  await start(journalRoot, db)
}

/** Removes what killed workers left beside the tables, too. */
async function emptyStore(): Promise<void> {
  for (const table of storeTables) await store.command(`truncate table ${table}`)
  const rows = await store.select<{ name: string }>(
    `select name from system.tables
     where database = currentDatabase() and (name like 'kept\\_rows\\_%' or name like 'doubled\\_rows\\_%')`,
  )
  for (const { name } of rows) await store.command(`drop table ${name} sync`)
}

async function copyStore(to: string): Promise<void> {
  // A test that failed leaves its own.
  await store.command(`drop database if exists ${to} sync`)
  await store.command(`create database ${to}`)
  for (const table of storeTables) await store.command(`create table ${to}.${table} clone as ${table}`)
}

async function putStoreBack(from: string): Promise<void> {
  await emptyStore()
  for (const table of storeTables)
    await store.command(`alter table ${table} attach partition all from ${from}.${table}`)
}

async function newCatalogue(kind: CatalogueKind): Promise<CatalogueSource> {
  const catalogue = await kind.empty()
  await withCatalogue(catalogue, async (db) => {
    for (const at of [0, 1]) await insertCode(db, `org_${at}`, `qr_${at}`, `QR_${at}`)
  })
  return catalogue
}

type Scenario = {
  /** Leaves journals, a store and a catalogue that differ. Returns the catalogue. */
  prepare: (journalRoot: string, kind: CatalogueKind) => Promise<CatalogueSource>
  told: Told
  counters: unknown
  stored: readonly [number, number]
  lost?: number
}

const both = { qr_0: [18, 18], qr_1: [18, 18] }

async function lived(journalRoot: string, kind: CatalogueKind): Promise<CatalogueSource> {
  const catalogue = await newCatalogue(kind)
  await withCatalogue(catalogue, (db) => live(journalRoot, db))
  return catalogue
}

const scenarios: Record<string, Scenario> = {
  'lost rows that were kept': {
    prepare: async (journalRoot, kind) => {
      const catalogue = await lived(journalRoot, kind)
      await emptyStore()
      return catalogue
    },
    told: {
      notes: [['scans-put-back', { hits: 40 }]],
      entries: [
        ['org_0', 'scans.put-back', '20'],
        ['org_1', 'scans.put-back', '20'],
      ],
      epoch: 1,
      untold: 0,
    },
    counters: both,
    stored: [20, 20],
  },
  'rows that are lost for good': {
    prepare: async (journalRoot, kind) => {
      const catalogue = await lived(journalRoot, kind)
      await emptyStore()
      for (const name of ['front-0', keptRowsName]) rmSync(join(journalRoot, name), { recursive: true })
      return catalogue
    },
    told: {
      notes: [['scans-lost', { days: [{ day: '2026-03-01', hits: 40 }] }]],
      entries: [
        ['org_0', 'scans.lost', '18'],
        ['org_1', 'scans.lost', '18'],
      ],
      epoch: 1,
      untold: 0,
    },
    counters: { qr_0: [0, 0], qr_1: [0, 0] },
    stored: [0, 0],
    lost: 40,
  },
  'rows of an older catalogue': {
    prepare: async (journalRoot, kind) => {
      const catalogue = await kind.empty()
      await withCatalogue(catalogue, async (db) => {
        await insertCode(db, 'org_0', 'qr_0', 'QR_0')
        // The first comparison begins the ledger.
        await start(journalRoot, db)
      })
      const newer = await kind.copy(catalogue)
      await withCatalogue(newer, (db) => live(journalRoot, db))
      await kind.remove(newer)
      return catalogue
    },
    told: {
      notes: [['catalogue-behind', { hits: 40, reserved: ['QR_1'] }]],
      entries: [
        ['org_0', 'catalogue.restore', 'Acme'],
        ['org_0', 'scans.recount', '+18'],
      ],
      epoch: 2,
      untold: 0,
    },
    counters: { qr_0: [18, 18] },
    stored: [20, 20],
  },
  'rows that are in the store twice': {
    prepare: async (journalRoot, kind) => {
      const catalogue = await lived(journalRoot, kind)
      await copyStore('twice')
      await store.command('alter table scans attach partition all from twice.scans')
      await store.command('drop database twice sync')
      return catalogue
    },
    told: { notes: [['scans-doubled', { hits: 40 }]], entries: [], epoch: 1, untold: 0 },
    counters: both,
    stored: [20, 20],
  },
}

for (const kind of toldKinds)
  describe(`findings of a comparison, with a catalogue on ${kind.title}`, () => {
    for (const [name, { prepare, told, counters, stored, lost = 0 }] of Object.entries(scenarios))
      test(`${name}: told once, at whichever step a worker is killed`, async () => {
        await emptyStore()
        const origin = mkdtempSync(join(root, 'origin-'))
        const catalogue = await prepare(origin, kind)
        await copyStore('origin')
        let steps = firstStep()
        for (let isOver = false; !isOver; steps += stepsBetween) {
          const journalRoot = mkdtempSync(join(root, 'copy-'))
          cpSync(origin, journalRoot, { recursive: true })
          await putStoreBack('origin')
          const copy = await kind.copy(catalogue)
          isOver = await withCatalogue(copy, async (db) => {
            const isKilled = await start(journalRoot, db, new Steps(steps, false)).then(
              () => false,
              (error: unknown) => error instanceof Killed || Promise.reject(error as Error),
            )
            await start(journalRoot, db)
            const rows = [(await storedOf(store, 'org_0')).rows, (await storedOf(store, 'org_1')).rows]
            const losses = (await readScanLosses(db)).reduce((sum, { hits }) => sum + hits, 0)
            assert.deepEqual(
              [await toldIn(db), await countersOf(db), rows, losses],
              [told, counters, stored, lost],
              `killed at step ${steps}`,
            )
            return !isKilled
          })
          await kind.remove(copy)
          rmSync(journalRoot, { recursive: true })
        }
        assert.ok(steps > 15, `only ${steps} steps`)
        await store.command('drop database origin sync')
        await kind.remove(catalogue)
      })
  })
