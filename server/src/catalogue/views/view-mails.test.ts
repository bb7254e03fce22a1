import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createSecretBox } from '../../secret-box.ts'
import { createAddressHash } from '../mails/address-hash.ts'
import { listAuditLog } from '../ledger/audit-log.ts'
import { someOrganization, someOrigin } from '../testing/catalogue.ts'
import {
  beginViewMail,
  claimViewMail,
  endViewMail,
  leaveViewMail,
  readViewAddresses,
  recordViewMail,
  requestViewMail,
  type ViewMailClaim,
} from './view-mails.ts'
import { createView, readView, updateView } from './views.ts'

const dueMs = 1_770_000_000_000
const weekMs = 7 * 86_400_000
const leaseMs = 60_000
const refused = problem('mailRefused', { addresses: 'ada@example.com', attempts: 6 })
const to = ['ada@example.com', 'bob@example.com']
const change = {
  box: createSecretBox('a secret of tests', 'links'),
  mailAtMs: () => dueMs,
  language: null,
  origin: someOrigin,
  nowMs: dueMs - weekMs,
}

const hash = createAddressHash('a secret of tests')
const budgets = { mailsPerAccountPerDay: 1_000, mailsPerInstallationPerDay: 1_000 }
const begun = (nowMs: number) => {
  const mail = { address: 'ada@example.com', kind: 'view' } as const
  return { mail, hash, budgets, nowMs, leaseMs }
}

const claimAt = (db: Database, nowMs: number) =>
  claimViewMail(db, { nowMs, leaseMs, nextAtMs: () => nowMs + weekMs })

async function claimed(db: Database, nowMs = dueMs): Promise<ViewMailClaim> {
  const claim = await claimAt(db, nowMs)
  assert.ok(claim)
  return claim
}

async function mailedView(db: Database, organizationId?: string) {
  organizationId ??= (await someOrganization(db)).id
  const mail = { to, every: 'week' } as const
  const { id } = await createView(db, organizationId, { ...change, name: 'A', query: {}, mail })
  return { organizationId, id }
}

forEachDatabase('mails of views', (open) => {
  test('one of all workers claims a mail that is due, and a dead worker loses it after its lease', async () => {
    const db = await open()
    const others = [await open({ same: db }), await open({ same: db })]
    const key = await mailedView(db)
    assert.equal(await claimAt(db, dueMs - 1), undefined)
    const claims = await Promise.all([db, ...others].map((each) => claimAt(each, dueMs)))
    const held = claims.filter((claim) => claim !== undefined)
    assert.equal(held.length, 1)
    const [first] = held
    assert.ok(first)
    assert.deepEqual([first.left, first.attempts], [to, 1])
    await recordViewMail(db, first, { left: to.slice(1), sentAtMs: dueMs + 5 })
    assert.equal(await claimAt(db, dueMs + leaseMs - 1), undefined)
    const second = await claimed(db, dueMs + leaseMs)
    assert.deepEqual([second.left, second.attempts], [to.slice(1), 2])
    await assert.rejects(recordViewMail(db, first, { left: [] }), LeaseLost)
    await assert.rejects(beginViewMail(db, first, begun(dueMs)), LeaseLost)
    await endViewMail(db, second, { problem: null })
    const view = await readView(db, key)
    assert.deepEqual([view?.mail?.lastSentAtMs, view?.mail?.lastError], [dueMs + 5, null])
  })

  test('a lease that a clock set far ahead counts as over', async () => {
    const db = await open()
    await mailedView(db)
    await claimed(db, dueMs + weekMs)
    await claimed(db, dueMs + 1)
  })

  test('of regular mails that were missed, one is sent', async () => {
    const db = await open()
    const key = await mailedView(db)
    const lateMs = dueMs + 5 * weekMs
    await endViewMail(db, await claimed(db, lateMs), { problem: null })
    assert.equal((await readView(db, key))?.mail?.nextAtMs, lateMs + weekMs)
    assert.equal(await claimAt(db, lateMs + weekMs - 1), undefined)
    await claimed(db, lateMs + weekMs)
  })

  test('a mail that failed for some addresses goes to them later', async () => {
    const db = await open()
    const key = await mailedView(db)
    const left = to.slice(1)
    const retryAtMs = dueMs + 600_000
    await endViewMail(db, await claimed(db), { problem: refused, retryAtMs, left })
    const { lastError, problem: name, values } = (await readView(db, key))?.mail ?? {}
    assert.deepEqual([lastError, name, values], [refused.message, 'mailRefused', refused.values])
    assert.equal(await claimAt(db, retryAtMs - 1), undefined)
    const again = await claimed(db, retryAtMs)
    assert.deepEqual([again.left, again.attempts], [left, 2])
  })

  test('a mail can be sent now, to all addresses, and the regular one stays', async () => {
    const db = await open()
    const key = await mailedView(db)
    await endViewMail(db, await claimed(db), { problem: refused, retryAtMs: dueMs + 9, left: [] })
    const request = { hash, origin: someOrigin, nowMs: dueMs + 2 }
    assert.ok(await requestViewMail(db, key, request))
    const claim = await claimed(db, dueMs + 2)
    assert.deepEqual([claim.left, claim.attempts], [to, 1])
    await endViewMail(db, claim, { problem: null })
    assert.equal(await claimAt(db, dueMs + weekMs - 1), undefined)
    await claimed(db, dueMs + weekMs)
    await updateView(db, key, { ...change, mail: null })
    assert.equal(await requestViewMail(db, key, request), undefined)
  })

  test('a change of the mail ends the one in progress', async () => {
    const db = await open()
    const key = await mailedView(db)
    const claim = await claimed(db)
    await updateView(db, key, { ...change, mail: { to: ['eve@example.com'], every: 'week' } })
    await assert.rejects(beginViewMail(db, claim, begun(dueMs)), LeaseLost)
    assert.deepEqual((await claimed(db)).left, ['eve@example.com'])
  })

  test('an organization sends at most so many mails a day, over all of its views', async () => {
    const db = await open()
    const key = await mailedView(db)
    const one = await claimed(db)
    await mailedView(db, key.organizationId)
    const two = await claimed(db)
    const foreign = await mailedView(db)
    const other = await claimed(db)
    assert.equal(other.view.id, foreign.id)
    const begin = (claim: ViewMailClaim, nowMs = dueMs) => beginViewMail(db, claim, begun(nowMs))
    for (let count = 0; count < limits.viewMailsPerDay; count++)
      assert.equal(await begin(count % 2 === 0 ? one : two), undefined)
    const full = 'organization'
    assert.deepEqual([await begin(one), await begin(two), await begin(other)], [full, full, undefined])
    assert.equal(await begin(two, dueMs + 86_400_000), undefined)
  })

  test('an address leaves a mail, also one in progress; the last one ends it; the log says so', async () => {
    const db = await open()
    const key = await mailedView(db)
    const claim = await claimed(db)
    const [ada = '', bob = ''] = to
    assert.equal(await leaveViewMail(db, key, { address: ada, nowMs: dueMs }), true)
    assert.equal(await leaveViewMail(db, key, { address: ada, nowMs: dueMs }), false)
    assert.deepEqual(await readViewAddresses(db, key), [bob])
    const again = await claimed(db, dueMs + leaseMs)
    assert.deepEqual(again.left, [bob])
    await assert.rejects(endViewMail(db, claim, { problem: null }), LeaseLost)
    assert.equal(await leaveViewMail(db, key, { address: bob, nowMs: dueMs }), true)
    assert.equal((await readView(db, key))?.mail, null)
    assert.deepEqual(await readViewAddresses(db, key), [])
    await assert.rejects(beginViewMail(db, again, begun(dueMs)), LeaseLost)
    const { rows } = await listAuditLog(db, key.organizationId, { page: 1, limit: 9 })
    const leavings = rows.filter(({ action }) => action === 'view.leave-mail')
    assert.deepEqual(
      leavings.map(({ origin }) => origin.actor.kind),
      ['system', 'system'],
    )
  })
})
