import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import type { Database } from '../../db/database.ts'
import { readRetention } from '../../db/scans/scan-counters.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createRetentionGrace, retentionBoundary } from '../retention.ts'
import { silentLog } from '../testing/ingest.ts'
import { deleteOldScansInFiles } from './delete-old-scans.ts'
import { segmentCatalogue } from './segment-catalogue.ts'
import { codes, expectedOf, retentionDays, same, World } from './testing/kept-world.ts'
import { Killed, Steps } from './testing/killed-worker.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-delete-old-scans-'))
// Each change of the list leaves a table of recent scans for two minutes.
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '256MB' })
const seed = testSeed()
const context = `SEED=${seed} npm test -- files/delete-old-scans`
const organizationId = 'org_1'
const dayMs = 86_400_000
/** Ends at every ninth step, from a random one on; `npm run soak` at every step. */
const stepsBetween = process.env['SOAK'] === '1' ? 1 : 9
const { signal } = new AbortController()
let cases = 0

after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

onEitherDatabase('retention of scans in files', (open) => {
  test('deletes old scans from every figure, wherever it is killed and while scans arrive', async () => {
    const random = randomFrom(seed)
    const world = await newWorld(open)
    let nowMs = Date.UTC(2026, 1, 6, 3)
    for (const writer of ['a', 'b', 'a', 'b', 'a'])
      await world.store(random, { writer, rows: 150, fromMs: Date.UTC(2026, 0, 14), toMs: nowMs })
    let ends = 1 + Math.floor(random() * stepsBetween)
    for (; ; ends += stepsBetween) {
      const today = { rows: 25, fromMs: nowMs - (nowMs % dayMs), toMs: nowMs }
      const yesterday = { fromMs: today.fromMs - dayMs, toMs: today.fromMs }
      const beforeMs = retentionBoundary(retentionDays, nowMs)
      const before = await world.figures()
      const dying = world.startDeletion(nowMs, new Steps(ends, random() < 0.5))
      if (ends % 2 === 0) await world.whileRuns(dying, () => world.store(random, { ...today, writer: 'b' }))
      else {
        const then = expectedOf(world.kept(beforeMs))
        await world.whileRuns(dying, async () => {
          const seen = await world.figures()
          assert.ok(same(seen, before) || same(seen, then), `readers see a state between two, ${context}`)
        })
      }
      await dying.ended
      const { isDead } = world.worker.steps
      await world.reopen()
      await world.delete(nowMs)
      world.forget(beforeMs)
      await world.check(`${ends}, ${context}`)
      if (!isDead) break
      if (random() < 0.3) await world.merge()
      await world.store(random, { ...today, writer: 'a' })
      // From a journal that was left behind: it counts until the next day.
      const late = { fromMs: beforeMs - 3 * dayMs, toMs: beforeMs }
      await world.store(random, { rows: 10, writer: 'b', ...(random() < 0.5 ? late : yesterday) })
      await world.check(`${ends}, late, ${context}`)
      nowMs += dayMs
    }
    console.log(`killed at steps up to ${ends}`)
    await world.close()
  })

  test('files that are put back, an older folder and an older catalogue bring nothing back', async () => {
    const random = randomFrom(seed)
    const world = await newWorld(open)
    const nowMs = Date.UTC(2026, 1, 6, 3)
    const beforeMs = retentionBoundary(retentionDays, nowMs)
    // A merge that was killed leaves a file of scans that are deleted, and of others.
    const before = beforeMs - dayMs
    await world.store(random, { writer: 'a', rows: 50, fromMs: before, toMs: beforeMs })
    await world.store(random, { writer: 'b', rows: 50, fromMs: beforeMs, toMs: beforeMs + dayMs })
    world.worker.steps.before = (step) => {
      if (step === 'combine') world.worker.steps.become(new Steps(1, true))
      return undefined
    }
    await assert.rejects(world.merge(), Killed)
    await world.reopen()
    for (const writer of ['a', 'b', 'a'])
      await world.store(random, { writer, rows: 200, fromMs: Date.UTC(2026, 0, 10), toMs: nowMs })
    const kept = (await segmentCatalogue(world.db).read()).segments.filter(({ rows }) => rows !== 50)
    assert.ok(await world.worker.batches.merge(idsOfMonth(kept)))
    await world.store(random, { writer: 'b', rows: 100, fromMs: beforeMs - dayMs, toMs: nowMs })
    await world.close()
    cpSync(world.folder, `${world.folder}-copy`, { recursive: true })
    await world.reopen()
    await world.delete(nowMs)
    world.forget(beforeMs)
    await world.check(context)

    const { revision } = await segmentCatalogue(world.db).read()
    for (const force of [false, true]) {
      await world.close()
      const bound = join('scans', 'deleted.json')
      assert.ok(existsSync(join(world.folder, bound)) && !existsSync(join(`${world.folder}-copy`, bound)))
      // The older folder has no bound: then the catalogue knows it.
      if (force) rmSync(join(world.folder, bound))
      cpSync(`${world.folder}-copy`, world.folder, { recursive: true, force })
      await world.reopen()
      await world.check(`${force}, ${context}`)
      assert.equal((await segmentCatalogue(world.db).read()).revision, revision, 'files are adopted')
    }

    await world.close()
    world.become(await openWithCodes(open))
    await world.reopen()
    await world.check(`older catalogue, ${context}`)
    assert.equal(await readRetention(world.db), undefined)
    await world.delete(nowMs, {})
    assert.deepEqual(await readRetention(world.db), { beforeMs, isDone: true })
    await world.check(`older catalogue, ${context}`)
    await world.close()
  })

  test('visitors who come during a deletion get the marks that they then have', async () => {
    const world = await newWorld(open)
    const [oldMs, beforeMs, newMs] = [1, 2, 3].map((day) => Date.UTC(2026, 0, day)) as [
      number,
      number,
      number,
    ]
    // The first scan of each is deleted: three come again at a moment of it, one does not.
    const visitors = ['combine', 'addFrom', 'visits', 'never']
    await world.storeVisits(visitors, oldMs)
    const coming = new Map<string, Promise<void>>()
    const before = (step: string): Promise<void> | undefined => {
      // Each step once: within a turn, the batch waits for the step.
      if (!visitors.includes(step) || coming.has(step)) return undefined
      const came = world.storeVisits([step], newMs)
      coming.set(step, came)
      return step === 'combine' ? came : undefined
    }
    // A scan of somebody else, so that a file is written.
    await world.storeVisits(['other'], newMs)
    await world.storeVisits(['other'], oldMs + 1)
    world.worker.steps.before = () => undefined
    await world.merge()
    world.worker.steps.before = before
    await world.worker.batches.setDeletedBefore(beforeMs)
    assert.ok(await world.worker.batches.deleteBefore(beforeMs))
    world.forget(beforeMs)
    await Promise.all(coming.values())
    assert.equal(coming.size, 3)
    await world.check(context)
    await world.storeVisits(visitors, newMs)
    await world.check(context)
    await world.close()
  })

  test('a deletion that only the folder knows is completed, without a retention too', async () => {
    const random = randomFrom(seed)
    const world = await newWorld(open)
    const [fromMs, toMs, beforeMs] = [Date.UTC(2026, 0, 10), Date.UTC(2026, 0, 20), Date.UTC(2026, 0, 15)]
    await world.store(random, { writer: 'a', rows: 100, fromMs, toMs })
    await world.delete(toMs, {})
    await world.check(context)
    await world.worker.batches.setDeletedBefore(beforeMs)
    await world.delete(toMs, {})
    world.forget(beforeMs)
    await world.check(context)
    // A larger retention moves the bound back: scans that come late are then kept.
    await world.delete(toMs, { days: 7 })
    await world.store(random, { writer: 'a', rows: 50, fromMs: Date.UTC(2026, 0, 13), toMs: beforeMs })
    await world.delete(toMs + 1, { days: 7 })
    await world.reopen()
    await world.check(context)
    assert.equal(world.worker.batches.deletedBeforeMs, Date.UTC(2026, 0, 13))
    await world.close()
  })

  test('more than the last days waits, and leaves folder and catalogue as they are', async () => {
    const world = await newWorld(open)
    const [fromMs, toMs] = [Date.UTC(2026, 0, 10), Date.UTC(2026, 0, 20)]
    await world.store(randomFrom(seed), { writer: 'a', rows: 50, fromMs, toMs })
    let elapsedMs = 0
    const grace = createRetentionGrace({ log: silentLog, elapsedMs: () => elapsedMs })
    const { batches } = world.worker
    const run = () => deleteOldScansInFiles(world.db, toMs, { batches, retentionDays: 5, signal, grace })
    await run()
    await world.check(context)
    assert.deepEqual([batches.deletedBeforeMs, await readRetention(world.db)], [0, undefined])
    elapsedMs += dayMs / 2
    await run()
    world.forget(Date.UTC(2026, 0, 15))
    await world.check(context)
    await world.close()
  })
})

async function openWithCodes(open: () => Promise<Database>): Promise<Database> {
  const db = await open()
  for (const id of codes) await insertCode(db, organizationId, id)
  return db
}

/** Returns the ids of the segments of January. */
function idsOfMonth(segments: readonly ScanSegment[]): string[] {
  return segments.filter(({ stretches }) => stretches[0]?.month === 202601).map(({ id }) => id)
}

async function newWorld(open: () => Promise<Database>): Promise<World> {
  const world = new World(join(root, String(cases++)), engine, await openWithCodes(open))
  await world.reopen()
  return world
}
