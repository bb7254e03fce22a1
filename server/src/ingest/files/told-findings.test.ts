// The findings of a recovery of scans in files are told once, wherever a worker is killed.
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parquetPath } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import type { Database } from '../../db/database.ts'
import { listReservedCodes } from '../../db/scans/reserved-codes.ts'
import { readScanLosses } from '../../db/scans/scan-losses.ts'
import { insertCode } from '../../db/testing/codes.ts'
import type { CatalogueKind, CatalogueSource } from '../../db/testing/databases.ts'
import { countersOf, openTestJournal, record, someScan } from '../testing/ingest.ts'
import {
  compareAndIngest,
  firstStep,
  stepsBetween,
  toldIn,
  toldKinds,
  withCatalogue,
  type Told,
} from '../testing/told.ts'
import { fileIngester } from './file-ingester.ts'
import { readListed } from './segment-catalogue.ts'
import { Killed, openWorker, Steps } from './testing/killed-worker.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-told-findings-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

const { signal } = new AbortController()
const journalIn = (folder: string) => join(folder, 'journal')

/** Does what a start does before it ingests, and then ingests everything. */
async function start(folder: string, db: Database, steps = new Steps(Infinity, false)): Promise<void> {
  const worker = await openWorker(folder, { engine, db, steps })
  try {
    await compareAndIngest({ journalRoot: journalIn(folder), db: worker.db }, fileIngester(worker.batches))
  } finally {
    await worker.close()
  }
}

/** Records 20 scans of each of two codes in two journals, a tenth of them by a program. */
async function live(folder: string, db: Database): Promise<void> {
  for (const [at, name] of ['front-0', 'front-1'].entries()) {
    const journal = openTestJournal(journalIn(folder), name)
    const scans = Array.from({ length: 20 }, (_, visitor) =>
      someScan({
        organizationId: `org_${at}`,
        qrCodeId: `qr_${at}`,
        shortCode: `QR_${at}`,
        visitor,
        ...(visitor % 10 === 0 && { userAgent: 'curl/8.5.0' }),
      }),
    )
    await record(journal, scans)
    await journal.close()
  }
  await start(folder, db)
}

async function loseJournals(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) rmSync(join(journalIn(folder), name), { recursive: true })
}

/** Merges all scans into one file, and returns its path. */
async function mergedFile(folder: string, db: Database): Promise<string> {
  const worker = await openWorker(folder, { engine, db, steps: new Steps(Infinity, false) })
  await worker.batches.recover({ signal })
  await worker.batches.merge((await readListed(db)).segments.map(({ id }) => id))
  await worker.close()
  const [merged] = (await readListed(db)).segments
  return parquetPath(join(folder, 'scans'), merged!)
}

async function loseFiles(folder: string, db: Database): Promise<void> {
  const path = await mergedFile(folder, db)
  renameSync(path, join(folder, 'away.parquet'))
  rmSync(join(folder, 'records'), { recursive: true })
}

type Ending = { told: Told; counters: unknown; lost: number; reserved: readonly string[] }
type Scenario = {
  /** Leaves a folder and a catalogue in which a start finds something. Returns that catalogue. */
  prepare: (folder: string, kind: CatalogueKind) => Promise<CatalogueSource>
  ending: Ending
  stepsMin: number
}

async function newCatalogue(kind: CatalogueKind): Promise<CatalogueSource> {
  const catalogue = await kind.empty()
  await withCatalogue(catalogue, async (db) => {
    for (const at of [0, 1]) await insertCode(db, `org_${at}`, `qr_${at}`, `QR_${at}`)
  })
  return catalogue
}

const both = { qr_0: [18, 18], qr_1: [18, 18] }
const nothing: Told = { notes: [], entries: [], epoch: 1, untold: 0 }

const scenarios: Record<string, Scenario> = {
  'lost scans of which one journal has the half': {
    prepare: async (folder, kind) => {
      const catalogue = await newCatalogue(kind)
      await withCatalogue(catalogue, async (db) => {
        await live(folder, db)
        await loseFiles(folder, db)
      })
      await loseJournals(folder, ['front-1'])
      return catalogue
    },
    ending: {
      told: {
        ...nothing,
        notes: [['scans-lost', { days: [{ day: '2026-03-01', hits: 20 }] }]],
        entries: [['org_1', 'scans.lost', '18']],
      },
      counters: { qr_0: [18, 18], qr_1: [0, 0] },
      lost: 20,
      reserved: [],
    },
    stepsMin: 8,
  },
  'lost files whose scans the journals have': {
    prepare: async (folder, kind) => {
      const catalogue = await newCatalogue(kind)
      await withCatalogue(catalogue, async (db) => {
        await live(folder, db)
        await loseFiles(folder, db)
      })
      return catalogue
    },
    ending: { told: nothing, counters: both, lost: 0, reserved: [] },
    stepsMin: 8,
  },
  'a file that comes back after its scans were told as lost': {
    prepare: async (folder, kind) => {
      const catalogue = await newCatalogue(kind)
      await withCatalogue(catalogue, async (db) => {
        await live(folder, db)
        const path = await mergedFile(folder, db)
        renameSync(path, join(folder, 'away.parquet'))
        rmSync(join(folder, 'records'), { recursive: true })
        await loseJournals(folder, ['front-0', 'front-1'])
        await start(folder, db)
        renameSync(join(folder, 'away.parquet'), path)
      })
      return catalogue
    },
    ending: {
      told: {
        ...nothing,
        notes: [
          ['scans-lost', { days: [{ day: '2026-03-01', hits: 40 }] }],
          ['scans-put-back', { hits: 40 }],
        ],
        entries: [
          ['org_0', 'scans.lost', '18'],
          ['org_0', 'scans.put-back', '18'],
          ['org_1', 'scans.lost', '18'],
          ['org_1', 'scans.put-back', '18'],
        ],
      },
      counters: both,
      lost: 0,
      reserved: [],
    },
    stepsMin: 5,
  },
  'files of an older catalogue': {
    prepare: async (folder, kind) => {
      const catalogue = await kind.empty()
      await withCatalogue(catalogue, (db) => insertCode(db, 'org_0', 'qr_0', 'QR_0'))
      const newer = await kind.copy(catalogue)
      await withCatalogue(newer, (db) => live(folder, db))
      await kind.remove(newer)
      await loseJournals(folder, ['front-0', 'front-1'])
      return catalogue
    },
    ending: {
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
      lost: 0,
      reserved: ['QR_1'],
    },
    stepsMin: 8,
  },
}

for (const kind of toldKinds)
  describe(`findings of a recovery, with a catalogue on ${kind.title}`, () => {
    for (const [name, { prepare, ending, stepsMin }] of Object.entries(scenarios))
      test(`${name}: told once, at whichever step a worker is killed`, async () => {
        const origin = mkdtempSync(join(root, 'origin-'))
        const catalogue = await prepare(origin, kind)
        let steps = firstStep()
        for (let isOver = false; !isOver; steps += stepsBetween) {
          const folder = mkdtempSync(join(root, 'copy-'))
          cpSync(origin, folder, { recursive: true })
          const copy = await kind.copy(catalogue)
          isOver = await withCatalogue(copy, async (db) => {
            const isKilled = await start(folder, db, new Steps(steps, false)).then(
              () => false,
              (error: unknown) => error instanceof Killed || Promise.reject(error as Error),
            )
            await start(folder, db)
            const is = {
              told: await toldIn(db),
              counters: await countersOf(db),
              lost: (await readScanLosses(db)).reduce((sum, { hits }) => sum + hits, 0),
              reserved: (await listReservedCodes(db, 10)).codes,
            }
            assert.deepEqual(is, ending, `killed at step ${steps}`)
            return !isKilled
          })
          await kind.remove(copy)
          rmSync(folder, { recursive: true })
        }
        assert.ok(steps > stepsMin, `only ${steps} steps`)
        await kind.remove(catalogue)
      })
  })
