import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailInterval, ViewQuery } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createSecretBox } from '../../secret-box.ts'
import { listAuditLog } from '../ledger/audit-log.ts'
import { someOrganization, someOrigin } from '../testing/catalogue.ts'
import type { ViewRow } from './view-rows.ts'
import {
  createView,
  deleteView,
  findSharedView,
  listViews,
  openShareToken,
  readView,
  updateView,
} from './views.ts'

const nowMs = 1_770_000_000_000
const box = createSecretBox('a secret of tests', 'links')
const mailAtMs = (every: MailInterval, { timezone }: ViewQuery) =>
  nowMs + (every === 'week' ? 7 : 30) + (timezone === undefined ? 0 : 1_000)
const change = { box, mailAtMs, language: null, origin: someOrigin, nowMs }
const weekly = { to: ['ada@example.com', 'Ada@example.com', 'bob@example.com'], every: 'week' } as const

const actionsOf = async (db: Database, organizationId: string) =>
  (await listAuditLog(db, organizationId, { page: 1, limit: 100 })).rows
    .map(({ action, fields }) => `${action} ${fields.join()}`.trim())
    .toReversed()

const aboutMail = (row: ViewRow | undefined) => [row?.mail?.nextAtMs, row?.mail?.setUpBy, row?.mail?.language]

forEachDatabase('views', (open) => {
  test('a view has a name and a query; the newest comes first; the audit log names what changed', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const first = await createView(db, organizationId, { ...change, name: 'A', query: { period: 'all' } })
    const second = await createView(db, organizationId, { ...change, name: 'B', query: {} })
    const { rows, total } = await listViews(db, organizationId, { page: 1, limit: 20 })
    assert.deepEqual([rows.map(({ id }) => id), total], [[second.id, first.id], 2])
    assert.deepEqual([first.query, first.share, first.mail], [{ period: 'all' }, null, null])

    const key = { organizationId, id: first.id }
    const changed = await updateView(db, key, { ...change, name: 'C', query: { period: 'all' } })
    assert.equal(changed?.name, 'C')
    assert.deepEqual(await updateView(db, key, { ...change, nowMs: nowMs + 9, name: 'C' }), changed)
    assert.deepEqual(await readView(db, key), changed)
    assert.equal((await deleteView(db, key, change))?.name, 'C')
    assert.equal(await deleteView(db, key, change), undefined)
    assert.equal(await readView(db, key), undefined)
    assert.deepEqual(await actionsOf(db, organizationId), [
      'view.create',
      'view.create',
      'view.update name',
      'view.delete',
    ])
  })

  test('a link opens its view until it is replaced, ended or expired; only a hash and a seal are stored', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const view = await createView(db, organizationId, { ...change, name: 'A', query: {}, share: {} })
    const key = { organizationId, id: view.id }
    const token = openShareToken(box, view) ?? ''
    assert.match(token, /^[\w-]{43}$/)
    const stored = await db.kysely.selectFrom('views').selectAll().executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(stored).includes(token))
    assert.equal((await findSharedView(db, token, nowMs))?.id, view.id)
    assert.equal(await findSharedView(db, token.toLowerCase(), nowMs), undefined)

    // A change of the link keeps it, and what it does not name.
    const expiresAtMs = nowMs + 1_000
    const withEnd = await updateView(db, key, { ...change, share: { expiresAtMs, passwordHash: 'phc' } })
    assert.ok(withEnd)
    assert.equal(openShareToken(box, withEnd), token)
    const kept = await updateView(db, key, { ...change, share: {} })
    assert.deepEqual([kept?.share?.expiresAtMs, kept?.share?.passwordHash], [expiresAtMs, 'phc'])
    assert.equal((await findSharedView(db, token, expiresAtMs - 1))?.id, view.id)
    assert.equal(await findSharedView(db, token, expiresAtMs), undefined)
    const open2 = await updateView(db, key, { ...change, share: { expiresAtMs: null, passwordHash: null } })
    assert.deepEqual([open2?.share?.expiresAtMs, open2?.share?.passwordHash], [null, null])

    const renewed = await updateView(db, key, { ...change, share: { newLink: true } })
    assert.ok(renewed)
    const newToken = openShareToken(box, renewed) ?? ''
    assert.notEqual(newToken, token)
    assert.equal(await findSharedView(db, token, nowMs), undefined)
    assert.equal((await findSharedView(db, newToken, nowMs))?.id, view.id)

    const ended = await updateView(db, key, { ...change, share: null })
    assert.equal(ended?.share, null)
    assert.equal(await findSharedView(db, newToken, nowMs), undefined)
    const again = await updateView(db, key, { ...change, share: {} })
    assert.ok(again)
    assert.notEqual(openShareToken(box, again), newToken)
    await deleteView(db, key, change)
    assert.equal(await findSharedView(db, openShareToken(box, again) ?? '', nowMs), undefined)
  })

  test('a mail goes once to each address, and follows the time zone of the query', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const german = { ...change, language: 'de' } as const
    const view = await createView(db, organizationId, { ...german, name: 'A', query: {}, mail: weekly })
    assert.deepEqual(view.mail, {
      to: ['Ada@example.com', 'bob@example.com'],
      every: 'week',
      setUpBy: someOrigin.actor.name,
      senderId: someOrigin.actor.id,
      language: 'de',
      nextAtMs: nowMs + 7,
      lastSentAtMs: null,
      lastError: null,
      problem: null,
      values: null,
    })
    const key = { organizationId, id: view.id }
    const origin = { ...someOrigin, actor: { ...someOrigin.actor, name: 'Bob' } }
    const byBob = { ...change, language: 'fr', origin } as const
    const moved = await updateView(db, key, { ...byBob, query: { timezone: 'Asia/Tokyo' } })
    assert.deepEqual(aboutMail(moved), [nowMs + 1_007, someOrigin.actor.name, 'de'])
    const monthly = { to: ['bob@example.com'], every: 'month' } as const
    const changed = await updateView(db, key, { ...byBob, mail: monthly })
    assert.deepEqual(aboutMail(changed), [nowMs + 1_030, 'Bob', 'fr'])
    assert.equal((await updateView(db, key, { ...change, mail: null }))?.mail, null)
  })

  test('409 for more views than an organization may have, also at the same time', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    for (let count = 1; count < limits.viewsMax; count++)
      await createView(db, organizationId, { ...change, name: `${count}`, query: {} })
    const results = await Promise.allSettled(
      ['x', 'y', 'z'].map((name) => createView(db, organizationId, { ...change, name, query: {} })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    const [refused] = results.filter((result) => result.status === 'rejected')
    assert.match(String(refused?.reason), /100 views, which is the maximum/)
    const foreign = await someOrganization(db, 'Other')
    await createView(db, foreign.id, { ...change, name: 'mine', query: {} })
  })
})
