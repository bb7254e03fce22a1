import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { findProblem } from '../../problems/parts.ts'
import { copyFacts, dueCopyTask, type CopySchedule } from './copy-schedule.ts'
import type { CopyRow } from '../rows/copy-row.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const startMs = 1_770_000_000_000
const schedule: CopySchedule = { everyMs: dayMs, keep: 7, installedAtMs: startMs, machine: 'one' }

function someCopy(fields: Partial<CopyRow> & { scans?: number } = {}): CopyRow {
  const { scans = 10, ...rest } = fields
  const madeAtMs = rest.madeAtMs ?? startMs
  return {
    id: 'cpy_1',
    madeAtMs,
    machine: 'one',
    path: '/backup/everscan.copy',
    bytes: 1_000,
    state: 'VERIFIED',
    problem: null,
    failures: 0,
    checkedAtMs: madeAtMs + minuteMs,
    verifiedAtMs: madeAtMs + 2 * minuteMs,
    endedAtMs: madeAtMs + 2 * minuteMs,
    counts: { organizations: 1, codes: 2, scans, frames: 0 },
    leaseNumber: 1,
    leaseUntilMs: null,
    ...rest,
  }
}

const checked = { state: 'CHECKED', verifiedAtMs: null } as const
const notMade = { state: 'FAILED', checkedAtMs: null, verifiedAtMs: null, bytes: null, counts: null } as const
const notVerified = { state: 'FAILED', verifiedAtMs: null } as const

function doingAt(copies: readonly CopyRow[], nowMs: number, with_: Partial<CopySchedule> = {}) {
  return dueCopyTask(copies, { ...schedule, ...with_ }, nowMs)?.doing
}

/** Returns how many copies the next run keeps. */
function keepOf(copies: readonly CopyRow[], keep: number): number | undefined {
  const task = dueCopyTask(copies, { ...schedule, keep }, startMs + dayMs)
  return task?.doing === 'make' ? task.keep : undefined
}

test('the first copy starts ten minutes after the installation, and at once in an older installation', () => {
  assert.equal(doingAt([], startMs + 10 * minuteMs - 1), undefined)
  assert.equal(doingAt([], startMs + 10 * minuteMs), 'make')
  assert.equal(doingAt([], startMs + 400 * dayMs), 'make')
})

test('the next copy starts one interval after the start of the last one', () => {
  assert.equal(doingAt([someCopy()], startMs + dayMs - 1), undefined)
  assert.equal(doingAt([someCopy()], startMs + dayMs), 'make')
  assert.equal(doingAt([someCopy()], startMs + 6 * hourMs, { everyMs: 6 * hourMs }), 'make')
})

test('a failed copy is retried after 15 min, 30 min, 1 h and so on, at most one interval', () => {
  const hours = [1 / 4, 1 / 2, 1, 2, 4, 8, 16, 24, 24]
  hours.forEach((wait, index) => {
    const failed = someCopy({ ...notMade, failures: index + 1, endedAtMs: startMs + hourMs })
    const dueMs = startMs + hourMs + wait * hourMs
    assert.equal(doingAt([failed], dueMs - 1), undefined, `${index + 1} failures`)
    assert.equal(doingAt([failed], dueMs), 'make', `${index + 1} failures`)
  })
})

test('a clock that was set back delays no copy', () => {
  const ahead = startMs + 400 * dayMs
  assert.equal(doingAt([someCopy({ madeAtMs: ahead })], startMs), 'make')
  assert.equal(doingAt([someCopy({ ...notMade, failures: 1, endedAtMs: ahead })], startMs), 'make')
  assert.equal(doingAt([], startMs - 400 * dayMs), 'make')
})

test('every copy below 5 M scans is verified, and one a week above', () => {
  const soon = startMs + hourMs
  assert.equal(doingAt([someCopy({ ...checked, scans: 4_999_999 })], soon), 'verify')
  const large = someCopy({ ...checked, scans: 5_000_000 })
  assert.equal(doingAt([large], soon), 'verify', 'the first one')
  const verifiedAgo = (days: number) =>
    someCopy({ madeAtMs: soon - 8 * dayMs, verifiedAtMs: soon - days * dayMs })
  assert.equal(doingAt([large, verifiedAgo(6.9)], soon), undefined)
  assert.equal(doingAt([large, verifiedAgo(7)], soon), 'verify')
})

test('only the machine with the file verifies it, and a copy that is due comes first', () => {
  assert.equal(doingAt([someCopy(checked)], startMs + hourMs, { machine: 'two' }), undefined)
  assert.equal(doingAt([someCopy(checked)], startMs + dayMs), 'make')
})

test('a failed verification is retried, and the next copy starts on time', () => {
  const failed = someCopy({ ...notVerified, failures: 1, endedAtMs: startMs + hourMs })
  assert.equal(doingAt([failed], startMs + 75 * minuteMs - 1), undefined)
  assert.equal(doingAt([failed], startMs + 75 * minuteMs), 'verify')
  assert.equal(doingAt([failed], startMs + dayMs), 'make')
})

test('while verifications fail, the last verified copy is kept with all since', () => {
  const failures = [someCopy(notVerified), someCopy(notVerified), someCopy(notMade)]
  assert.equal(keepOf([...failures, someCopy()], 2), 4)
  assert.equal(keepOf([...failures, someCopy()], 9), 9)
  assert.equal(keepOf([someCopy(checked), someCopy(checked), someCopy()], 2), 2)
  assert.equal(keepOf(failures, 2), 2, 'none was ever verified')
})

test('reports a failure, an old copy, a missing verification and a copy with fewer scans', () => {
  const problemOf = (copies: readonly CopyRow[], nowMs: number, everyMs = dayMs) =>
    findProblem('copies', {
      ...copyFacts(copies, { everyMs, nowMs, sinceMs: startMs }),
      isScheduled: true,
      told: undefined,
    })?.message
  assert.equal(problemOf([someCopy()], startMs + 2 * dayMs), undefined)
  assert.match(
    problemOf([someCopy()], startMs + 2 * dayMs + 1) ?? '',
    /^the last copy is 2 days old, and one is due every 24 h/,
  )
  assert.equal(problemOf([], startMs + 2 * dayMs), undefined)
  assert.match(problemOf([], startMs + 2 * dayMs + 1) ?? '', /^no copy was created for 2 days/)

  const noRoom = problem('copyNotMade', { last: 'copyCommandFailed', reason: 'no room' })
  const failed = someCopy({ ...notMade, problem: noRoom.message, found: noRoom })
  const unnamed = someCopy({ ...notMade, problem: 'no copy could be made: no room' })
  assert.equal(problemOf([unnamed, someCopy()], startMs), 'no copy could be made: no room')
  assert.equal(problemOf([failed, someCopy()], startMs), 'no copy could be made: no room')
  const making = someCopy({ ...notMade, state: 'MAKING' })
  assert.equal(
    problemOf([making, failed, someCopy()], startMs),
    'no copy could be made: no room',
    'until a copy succeeds',
  )
  assert.equal(problemOf([making, someCopy()], startMs), undefined)

  const nowMs = startMs + 20 * dayMs
  const fresh = (scans: number) => someCopy({ ...checked, scans, madeAtMs: nowMs })
  const verifiedAgo = (ms: number) => someCopy({ madeAtMs: startMs, verifiedAtMs: nowMs - ms })
  assert.equal(problemOf([fresh(10), verifiedAgo(2 * dayMs)], nowMs), undefined)
  assert.match(
    problemOf([fresh(10), verifiedAgo(2 * dayMs + 1)], nowMs) ?? '',
    /^no copy was verified for 2 days/,
  )
  assert.equal(problemOf([fresh(5_000_000), verifiedAgo(14 * dayMs)], nowMs), undefined)
  assert.match(
    problemOf([fresh(5_000_000), verifiedAgo(14 * dayMs + 1)], nowMs) ?? '',
    /^no copy was verified for 14 days/,
  )
  assert.equal(
    problemOf([fresh(5_000_000), verifiedAgo(19 * dayMs)], nowMs, 10 * dayMs),
    undefined,
    'every ten days',
  )

  const counts = { organizations: 1, codes: 1, scans: 1, frames: 0 }
  const fewerHits = { hits: 3, before: 'everscan-20261123T041500Z.copy' }
  const fewer = someCopy({ counts: { ...counts, fewerHits } })
  assert.match(problemOf([fewer], startMs) ?? '', /^the copy has 3 hits fewer than everscan-20261123/)
})
