import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { LeaseLost } from '../../db/lease.ts'
import { keepEvents } from '../../db/feeds/event-pages.ts'
import { someOrganization } from '../testing/catalogue.ts'
import {
  claimCopy,
  copiesMax,
  forgetUnfinishedCopies,
  readCopies,
  recordCopyFailed,
  recordCopyMade,
  recordCopyVerified,
  releaseCopy,
  renewCopy,
  type CopyClaim,
} from './copies.ts'
import { markOperator } from './operator.ts'
import type { CopyRow } from '../rows/copy-row.ts'
import type { CopyTask } from './copy-schedule.ts'

const startMs = 1_770_000_000_000
const leaseMs = 60_000
const counts = { organizations: 1, codes: 2, scans: 3, frames: 4 }
const made = { path: '/backup/everscan.copy', bytes: 5, counts }
const makeTask: CopyTask = { doing: 'make', keep: 7 }

function claimAt(
  db: Database,
  nowMs: number,
  dueTask: (copies: readonly CopyRow[]) => CopyTask | undefined = () => makeTask,
): Promise<CopyClaim | undefined> {
  return claimCopy(db, { machine: 'one', dir: '/backup', nowMs, leaseMs, dueTask })
}

async function claimed(claim: Promise<CopyClaim | undefined>): Promise<CopyClaim> {
  const found = await claim
  assert.ok(found)
  return found
}

const verifyLast = (copies: readonly CopyRow[]): CopyTask | undefined => {
  const [copy] = copies
  return copy && { doing: 'verify', copy }
}

const eventsOf = async (db: Database): Promise<[string, string, unknown][]> => {
  const pages = await db.kysely
    .selectFrom('event_pages')
    .select(['organization_id', 'events'])
    .orderBy('id')
    .execute()
  return pages.flatMap(({ organization_id, events }) =>
    (JSON.parse(events) as { event: string; data: { problem: unknown } }[]).map(
      ({ event, data }): [string, string, unknown] => [organization_id, event, data.problem],
    ),
  )
}

const failure = (reason: string) => problem('copyCommandFailed', { reason })

forEachDatabase('copies', (open) => {
  test('one of all workers claims a copy that is due', async () => {
    const db = await open()
    const others = [await open({ same: db }), await open({ same: db })]
    const claims = await Promise.all([db, ...others, db].map((each) => claimAt(each, startMs)))
    assert.equal(claims.filter((claim) => claim !== undefined).length, 1)
    assert.deepEqual(
      (await readCopies(db)).map(({ state, path, machine }) => ({ state, path, machine })),
      [{ state: 'MAKING', path: '/backup', machine: 'one' }],
    )
  })

  test('a copy goes from made to verified, with its counts', async () => {
    const db = await open()
    await recordCopyMade(db, await claimed(claimAt(db, startMs)), { ...made, nowMs: startMs + 1 })
    const verifying = await claimed(claimAt(db, startMs + 2, verifyLast))
    const [copy] = await readCopies(db)
    assert.equal(copy?.state, 'CHECKED')
    assert.equal(copy?.checkedAtMs, startMs + 1)
    await recordCopyVerified(db, verifying, startMs + 3)
    assert.deepEqual(await readCopies(db), [
      {
        id: verifying.id,
        madeAtMs: startMs,
        machine: 'one',
        ...made,
        state: 'VERIFIED',
        problem: null,
        failures: 0,
        checkedAtMs: startMs + 1,
        verifiedAtMs: startMs + 3,
        endedAtMs: startMs + 3,
        leaseNumber: 4,
        leaseUntilMs: null,
      },
    ])
    assert.equal(await claimAt(db, startMs + 4, () => undefined), undefined)
  })

  test('an abandoned copy fails, another worker takes over, and the first worker can write nothing more', async () => {
    const db = await open()
    const first = await claimed(claimAt(db, startMs))
    assert.equal(await claimAt(db, startMs + leaseMs - 1), undefined)
    await renewCopy(db, first, { nowMs: startMs + leaseMs, leaseMs })
    assert.equal(await claimAt(db, startMs + 2 * leaseMs - 1), undefined)
    const second = await claimed(claimAt(db, startMs + 2 * leaseMs))
    const at = startMs + 2 * leaseMs
    await assert.rejects(renewCopy(db, first, { nowMs: at, leaseMs }), LeaseLost)
    await assert.rejects(recordCopyMade(db, first, { ...made, nowMs: at }), LeaseLost)
    await assert.rejects(recordCopyFailed(db, first, { problem: failure('late'), nowMs: at }), LeaseLost)
    await releaseCopy(db, first)
    const [next, gone] = await readCopies(db)
    assert.deepEqual([next?.id, next?.state, next?.failures], [second.id, 'MAKING', 1])
    assert.deepEqual([gone?.id, gone?.state, gone?.failures], [first.id, 'FAILED', 1])
    assert.match(gone?.problem ?? '', /^the process that was at it on one ended before it finished/)
  })

  test('another worker claims an abandoned verification, with a new lease number', async () => {
    const db = await open()
    await recordCopyMade(db, await claimed(claimAt(db, startMs)), { ...made, nowMs: startMs })
    const first = await claimed(claimAt(db, startMs, verifyLast))
    const second = await claimed(claimAt(db, startMs + leaseMs, verifyLast))
    assert.equal(second.id, first.id)
    await assert.rejects(recordCopyVerified(db, first, startMs + leaseMs), LeaseLost)
    await recordCopyVerified(db, second, startMs + leaseMs)
    assert.equal((await readCopies(db))[0]?.state, 'VERIFIED')
  })

  test('a lease from a clock that was ahead blocks nothing', async () => {
    const db = await open()
    await claimed(claimAt(db, startMs + 365 * 86_400_000))
    assert.ok(await claimAt(db, startMs))
  })

  test('an interrupted copy leaves no trace, and a complete copy stays complete', async () => {
    const db = await open()
    await releaseCopy(db, await claimed(claimAt(db, startMs)))
    assert.deepEqual(await readCopies(db), [])
    await recordCopyMade(db, await claimed(claimAt(db, startMs)), { ...made, nowMs: startMs })
    await releaseCopy(db, await claimed(claimAt(db, startMs, verifyLast)))
    const [copy] = await readCopies(db)
    assert.deepEqual([copy?.state, copy?.leaseUntilMs, copy?.failures], ['CHECKED', null, 0])
  })

  test("the first failure in a row is an event of the operator's organization only", async () => {
    const db = await open()
    const theirs = await someOrganization(db, 'Theirs')
    const mine = await someOrganization(db, 'Mine')
    await markOperator(db, mine.id)
    await keepEvents(db, [mine.id, theirs.id], Date.now() + 400 * 86_400_000)
    const nowMs = Date.now()
    const fail = async (reason: string) =>
      recordCopyFailed(db, await claimed(claimAt(db, nowMs)), { problem: failure(reason), nowMs })
    await fail('first')
    await fail('second')
    assert.deepEqual(await eventsOf(db), [[mine.id, 'copy.failed', 'first']])
    await recordCopyMade(db, await claimed(claimAt(db, nowMs)), { ...made, nowMs })
    await fail('third')
    assert.deepEqual(await eventsOf(db), [
      [mine.id, 'copy.failed', 'first'],
      [mine.id, 'copy.failed', 'third'],
    ])
    assert.deepEqual(
      (await readCopies(db)).map(({ failures }) => failures),
      [1, 0, 2, 1],
    )
  })

  test('a hundred copies are kept, and the last complete and verified copy however old', async () => {
    const db = await open()
    await recordCopyMade(db, await claimed(claimAt(db, startMs)), { ...made, nowMs: startMs })
    await recordCopyVerified(db, await claimed(claimAt(db, startMs, verifyLast)), startMs)
    await recordCopyMade(db, await claimed(claimAt(db, startMs + 1)), { ...made, nowMs: startMs + 1 })
    const rows = Array.from({ length: copiesMax + 20 }, (_, index) => ({
      id: `cpy_${String(index).padStart(26, '0')}`,
      made_at_ms: startMs + 2 + index,
      machine: 'one',
      path: '/backup',
      state: 'FAILED' as const,
      failures: index + 1,
      lease_number: 1,
    }))
    await db.kysely.insertInto('copies').values(rows).execute()
    await claimed(claimAt(db, startMs + 10_000))
    const copies = await readCopies(db)
    assert.equal(copies.length, copiesMax + 2)
    assert.deepEqual(
      copies.slice(-2).map(({ state }) => state),
      ['CHECKED', 'VERIFIED'],
    )
  })

  test('a restored catalogue forgets the copy that was running at its snapshot', async () => {
    const db = await open()
    await recordCopyMade(db, await claimed(claimAt(db, startMs)), { ...made, nowMs: startMs })
    await claimed(claimAt(db, startMs + 1))
    await forgetUnfinishedCopies(db)
    assert.deepEqual(
      (await readCopies(db)).map(({ state }) => state),
      ['CHECKED'],
    )
  })
})
