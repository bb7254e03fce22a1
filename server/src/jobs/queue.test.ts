import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import { cancelImport, startImport } from '../catalogue/imports/imports.ts'
import type { ImportInput } from '../catalogue/rows/import-row.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { LeaseLost } from '../db/lease.ts'
import { forEachDatabase, onPostgres } from '../db/testing/databases.ts'
import { createId } from '../ids.ts'
import { advanceJob, claimJob, endJob, holdJob, postponeJob, type Claim } from './queue.ts'

const leaseMs = 10_000
const startMs = 1_770_000_000_000
const input: ImportInput = {
  type: 'URL',
  dryRun: false,
  fileName: null,
  header: [],
  columns: [],
  totalRows: 1,
}

async function someJob(db: Database, organizationId: string): Promise<string> {
  const { id } = await startImport(
    db,
    { organizationId, id: createId('job') },
    { preset: 'import', input, origin: someOrigin, nowMs: startMs },
  )
  return id
}

function claimAt(db: Database, nowMs: number): Promise<Claim | undefined> {
  return claimJob(db, 'import', { nowMs, leaseMs })
}

function claimed(claim: Claim | undefined): Claim {
  assert.ok(claim)
  return claim
}

onPostgres('the queue of jobs', (open) => {
  test('a worker takes no job that another one is just claiming, and does not wait for it', async () => {
    const db = await open()
    const other = await open({ same: db })
    for (const name of ['A', 'B']) await someJob(db, (await someOrganization(db, name)).id)
    await inTransaction(db, async (tx) => {
      const first = claimed(await claimAt(tx, startMs))
      assert.notEqual(claimed(await claimAt(other, startMs)).id, first.id)
      assert.equal(await claimAt(other, startMs), undefined)
    })
    assert.equal(await claimAt(other, startMs), undefined)
  })
})

forEachDatabase('the queue of jobs', (open) => {
  test('gives a job to one worker only', async () => {
    const db = await open()
    const others = [await open({ same: db }), await open({ same: db })]
    const { id: organizationId } = await someOrganization(db)
    const id = await someJob(db, organizationId)
    const claims = await Promise.all([db, ...others, db].map((each) => claimAt(each, startMs)))
    assert.deepEqual(
      claims.flatMap((claim) => claim?.id ?? []),
      [id],
    )
  })

  test('jobs of an organization run one after another, those of others do not wait', async () => {
    const db = await open()
    const [mine, theirs] = [await someOrganization(db, 'Mine'), await someOrganization(db, 'Theirs')]
    const first = await someJob(db, mine.id)
    const second = await someJob(db, mine.id)
    const other = await someJob(db, theirs.id)
    const one = claimed(await claimAt(db, startMs))
    const two = claimed(await claimAt(db, startMs))
    assert.deepEqual([one.id, two.id], [first, other])
    assert.equal(await claimAt(db, startMs), undefined)
    await endJob(db, one, { status: 'COMPLETED', progress: {}, nowMs: startMs })
    assert.equal((await claimAt(db, startMs))?.id, second)
  })

  test('organizations take turns, step by step', async () => {
    const db = await open()
    const organizations = []
    for (const name of ['A', 'B', 'C']) organizations.push(await someOrganization(db, name))
    for (const { id } of organizations) await someJob(db, id)
    const turns: string[] = []
    for (let step = 0; step < 9; step++) {
      const claim = claimed(await claimAt(db, startMs + 1 + step))
      turns.push(claim.organizationId)
      await advanceJob(db, claim, { progress: {}, nowMs: startMs + 1 + step })
    }
    const ids = organizations.map(({ id }) => id)
    assert.deepEqual(turns, [...ids, ...ids, ...ids])
  })

  test('a lease that ran out goes to another, and the first can write nothing any more', async () => {
    const db = await open()
    await someJob(db, (await someOrganization(db)).id)
    const first = claimed(await claimAt(db, startMs))
    assert.equal(await claimAt(db, startMs + leaseMs - 1), undefined)
    const second = claimed(await claimAt(db, startMs + leaseMs))
    assert.deepEqual([first.attempts, second.attempts], [1, 2])
    const at = { nowMs: startMs + leaseMs }
    await assert.rejects(holdJob(db, first), LeaseLost)
    await assert.rejects(advanceJob(db, first, { progress: {}, ...at }), LeaseLost)
    await assert.rejects(endJob(db, first, { status: 'COMPLETED', progress: {}, ...at }), LeaseLost)
    await assert.rejects(postponeJob(db, first, { runAtMs: 0, ...at }), LeaseLost)
    await holdJob(db, second)
    await advanceJob(db, second, { progress: { processedRows: 1 }, ...at })
    const third = claimed(await claimAt(db, startMs + leaseMs))
    assert.deepEqual([third.attempts, third.progress], [1, '{"processedRows":1}'], 'attempts since it got on')
  })

  test('a job that got on is not claimed by who found it before that', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    await someJob(db, organizationId)
    const claim = claimed(await claimAt(db, startMs))
    await advanceJob(db, claim, { progress: {}, nowMs: startMs })
    await assert.rejects(advanceJob(db, claim, { progress: {}, nowMs: startMs }), LeaseLost)
    const { lease_number } = await db.kysely
      .selectFrom('jobs')
      .select('lease_number')
      .executeTakeFirstOrThrow()
    assert.equal(lease_number, claim.leaseNumber + 1)
  })

  test('a job that was cancelled is lost to the worker that has it', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const id = await someJob(db, organizationId)
    const claim = claimed(await claimAt(db, startMs))
    assert.equal(
      (
        await cancelImport(
          db,
          { organizationId, id },
          { preset: 'import', origin: someOrigin, nowMs: startMs },
        )
      )?.status,
      'CANCELLED',
    )
    await assert.rejects(advanceJob(db, claim, { progress: {}, nowMs: startMs }), LeaseLost)
    assert.equal(await claimAt(db, startMs + 10 * leaseMs), undefined)
  })

  test('a job that is put off holds up its organization until then', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const id = await someJob(db, organizationId)
    await someJob(db, organizationId)
    const claim = claimed(await claimAt(db, startMs))
    await postponeJob(db, claim, { runAtMs: startMs + 5_000, nowMs: startMs })
    assert.equal(await claimAt(db, startMs + 4_999), undefined)
    assert.equal((await claimAt(db, startMs + 5_000))?.id, id)
  })

  test('a clock that is set back by a day keeps no job waiting', async () => {
    const db = await open()
    const [mine, theirs] = [await someOrganization(db, 'Mine'), await someOrganization(db, 'Theirs')]
    await someJob(db, mine.id)
    await someJob(db, theirs.id)
    const dayMs = 86_400_000
    await claimAt(db, startMs + dayMs)
    const claim = claimed(await claimAt(db, startMs + dayMs))
    await postponeJob(db, claim, { runAtMs: startMs + dayMs, nowMs: startMs + dayMs })
    assert.ok(await claimAt(db, startMs))
    assert.ok(await claimAt(db, startMs))
  })
})
