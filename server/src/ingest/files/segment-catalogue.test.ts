import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSeed } from '@everscan/contract/testing/random.ts'
import {
  changeManifest,
  emptyManifest,
  ManifestConflict,
  type Manifest,
  type ManifestChange,
  type ScanSegment,
} from '../../analytics/files/manifest.ts'
import type { CodeCounts } from '../../analytics/files/code-counts.ts'
import { simulateFiles } from '../../analytics/files/testing/files-simulation.ts'
import type { CatalogueState, SimulatedCatalogue } from '../../analytics/files/testing/simulated-store.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { forEachDatabase, onPostgres } from '../../db/testing/databases.ts'
import { readCheckpoint } from '../../db/scans/ingest-checkpoints.ts'
import { segmentCatalogue } from './segment-catalogue.ts'

const organizationId = 'org_1'
const codes = ['code0', 'code1', 'code2']
const firstSeed = testSeed()
const seedsCount = process.env['SOAK'] === '1' ? 2_000 : 12

const segment: ScanSegment = {
  id: 'f1',
  level: 1,
  rows: 10,
  bytes: 2 ** 33,
  checksum: 2 ** 32 - 1,
  fromMs: 1,
  toMs: 2,
  stretches: [{ month: 202603, writer: 'a', from: 0, to: 10 }],
}
const end = { segment: 1, offset: 900 }
const batch: ManifestChange = {
  from: '',
  to: 'r1',
  added: [segment],
  removed: [],
  checkpoint: { writer: 'a', from: 0, after: 0, to: 10, end },
}
const counts: CodeCounts = new Map([[`${organizationId} code0`, { scans: 9, uniqueScans: 4 }]])

forEachDatabase('the manifest in the catalogue', (open) => {
  test('a batch lists its file, moves the checkpoint and the counters, and is read as it was', async () => {
    const db = await openWithCodes()
    const first = await make(db, emptyManifest, batch, counts)
    assert.deepEqual(await segmentCatalogue(db).read(), first)
    assert.deepEqual(await readCheckpoint(db, 'a'), { ...end, sequence: 10 })
    assert.deepEqual(await countersOf(db), counts)

    const merge = { from: 'r1', to: 'r2', added: [{ ...segment, id: 'f2', rows: 9 }], removed: ['f1'] }
    const less = new Map([[`${organizationId} code0`, { scans: -1, uniqueScans: -1 }]])
    const second = await make(db, first, merge, less)
    assert.deepEqual(await segmentCatalogue(db).read(), second)
    assert.deepEqual([...(await countersOf(db)).values()], [{ scans: 8, uniqueScans: 3 }])
  })

  const stale: Record<string, Partial<ManifestChange>> = {
    'for another revision': { from: 'r0', checkpoint: { ...batch.checkpoint!, from: 10, to: 12 } },
    'of a batch behind another checkpoint': {
      from: 'r1',
      checkpoint: { ...batch.checkpoint!, from: 9, to: 12 },
    },
  }
  for (const [name, made] of Object.entries(stale))
    test(`a change ${name} is refused, and nothing is changed`, async () => {
      const db = await openWithCodes()
      const first = await make(db, emptyManifest, batch, counts)
      const change = { ...batch, to: 'r2', added: [{ ...segment, id: 'f2' }], removed: ['f1'], ...made }
      await assert.rejects(segmentCatalogue(db).change(change, first, counts), ManifestConflict)
      assert.deepEqual(await segmentCatalogue(db).read(), first)
      assert.deepEqual(await countersOf(db), counts)
    })

  test('a recovery sets all counters, and journals of lost scans are read again', async () => {
    const db = await openWithCodes()
    const first = await make(db, emptyManifest, batch, counts)
    const change = { from: 'r1', to: 'r2', added: [], removed: ['f1'], lost: segment.stretches }
    const next = changeManifest(first, change)
    const recounted = new Map([[`${organizationId} code1`, { scans: 2, uniqueScans: 1 }]])
    await segmentCatalogue(db).recount(change, next, recounted)
    assert.deepEqual(await countersOf(db), recounted)
    assert.equal(await readCheckpoint(db, 'a'), undefined)
    assert.deepEqual((await segmentCatalogue(db).read()).lost, segment.stretches)
  })

  test('files and catalogue agree to the scan after every order of kills, merges and older copies', async () => {
    const db = await openWithCodes()
    for (let seed = firstSeed; seed < firstSeed + seedsCount; seed++) {
      const catalogue = simulated(db)
      await catalogue.putBack({ manifest: emptyManifest, counts: new Map() })
      const { problems, trace } = await simulateFiles(seed, {}, catalogue)
      assert.deepEqual(problems, [], `SEED=${seed} npm test -- segment-catalogue\n${trace.join('\n')}`)
    }
  })

  async function openWithCodes(): Promise<Database> {
    const db = await open()
    for (const id of codes) await insertCode(db, organizationId, id)
    return db
  }
})

onPostgres('the manifest in the catalogue', (open) => {
  test('who reads it after a lost answer of a commit waits for its outcome', async () => {
    const db = await open()
    const other = await open({ same: db })
    const [written, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const committing = inTransaction(db, async (tx) => {
      await make(tx, emptyManifest, batch, new Map())
      written.resolve()
      await committed.promise
    })
    await written.promise
    const reading = segmentCatalogue(other).read()
    const isWaiting = (await readCheckpoint(other, 'a')) === undefined
    committed.resolve()
    await committing
    assert.equal((await reading).revision, 'r1')
    assert.ok(isWaiting, 'the change was not visible before its end')
  })
})

async function make(
  db: Database,
  manifest: Manifest,
  change: ManifestChange,
  moved: CodeCounts,
): Promise<Manifest> {
  const next = changeManifest(manifest, change)
  await segmentCatalogue(db).change(change, next, moved)
  return next
}

const tables = ['scan_manifest', 'scan_segments', 'journal_checkpoints', 'scan_counters'] as const

/** A catalogue for the simulation. What it puts back are the rows as they were. */
function simulated(db: Database): SimulatedCatalogue {
  const copies = new WeakMap<CatalogueState, readonly (readonly object[])[]>()
  return {
    state: async () => {
      const state = { manifest: await segmentCatalogue(db).read(), counts: await countersOf(db) }
      copies.set(
        state,
        await Promise.all(tables.map((table) => db.kysely.selectFrom(table).selectAll().execute())),
      )
      return state
    },
    putBack: async (state) => {
      const rows = copies.get(state)
      await db.kysely.transaction().execute(async (tx) => {
        for (const [at, table] of tables.entries()) {
          if (table === 'scan_counters' && rows === undefined) {
            await tx.updateTable(table).set({ total_scans: 0, unique_scans: 0 }).execute()
            continue
          }
          await tx.deleteFrom(table).execute()
          for (const row of rows?.[at] ?? []) await tx.insertInto(table).values(row).execute()
        }
      })
    },
    asCatalogue: () => {
      const catalogue = segmentCatalogue(db)
      // Changes of the simulation are no part of larger transactions.
      return {
        read: () => catalogue.read(),
        change: (change, next, moved) => catalogue.change(change, next, moved),
        recount: (change, next, all) => catalogue.recount(change, next, all),
      }
    },
  }
}

/** Returns the counters of codes that have scans. */
async function countersOf(db: Database): Promise<CodeCounts> {
  const rows = await db.kysely.selectFrom('scan_counters').selectAll().where('total_scans', '<>', 0).execute()
  return new Map(
    rows.map((row) => [
      `${row.organization_id} ${row.qr_code_id}`,
      { scans: row.total_scans, uniqueScans: row.unique_scans },
    ]),
  )
}
