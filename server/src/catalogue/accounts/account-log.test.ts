import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { deleteOldAccountEntries } from '../../jobs/chores/delete-old-account-entries.ts'
import { deleteUser } from '../organizations/delete-user.ts'
import { someOrigin, someSource } from '../testing/catalogue.ts'
import { listAccountLog, recordAccountEntry } from './account-log.ts'
import { recordFailures, type AccountFailures } from './failures.ts'
import { createUser } from './users.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startMs = 400 * dayMs

forEachDatabase('the log of an account', (open) => {
  const start = async () => {
    const db = await open()
    const userOf = async (email: string) => {
      const user = await createUser(db, { email, name: 'A', nowMs: startMs })
      assert.ok(user)
      return user.id
    }
    return { db, userOf, ada: await userOf('ada@example.com') }
  }

  test('begins with the account, and is paged from the newest entry to the oldest', async () => {
    const { db, userOf, ada } = await start()
    const eve = await userOf('eve@example.com')
    for (let i = 1; i <= 4; i++) await record(db, ada, 'sign-in.password', startMs + i)
    const all = await listAccountLog(db, ada, { page: 1, limit: 100 })
    assert.deepEqual(
      all.rows.map(({ lastAtMs }) => lastAtMs - startMs),
      [4, 3, 2, 1, 0],
    )
    const { id: _, ...oldest } = all.rows[4] ?? { id: '' }
    assert.deepEqual(oldest, {
      action: 'account.create',
      times: 1,
      actor: null,
      network: null,
      userAgent: null,
      createdAtMs: startMs,
      lastAtMs: startMs,
    })
    const second = await listAccountLog(db, ada, { page: 2, limit: 2 })
    assert.deepEqual([second.rows, second.total], [all.rows.slice(2, 4), 5])
    assert.equal((await listAccountLog(db, eve, { page: 1, limit: 100 })).total, 1)
  })

  test('takes an entry only in the transaction of its change, and loses it with the transaction', async () => {
    const { db, ada } = await start()
    const entry = { action: 'password.change', source: someSource, nowMs: startMs } as const
    await assert.rejects(recordAccountEntry(db, ada, entry), /transaction/)
    const failing = inTransaction(db, async (tx) => {
      await recordAccountEntry(tx, ada, entry)
      throw new Error('the change failed')
    })
    await assert.rejects(failing, /the change failed/)
    assert.deepEqual(await actionsOf(db, ada), ['account.create'])
  })

  test('keeps the newest of each kind: no flood of one kind pushes another out', async () => {
    const { db, userOf, ada } = await start()
    const eve = await userOf('eve@example.com')
    await record(db, ada, 'sign-in.code', startMs + 1)
    await record(db, ada, 'sign-in.wrong-password', startMs + 1)
    await record(db, eve, 'password.change', startMs)
    const { change, attempt } = limits.accountLogEntriesMax
    await inTransaction(db, async (tx) => {
      const add = (action: AccountAction, nowMs: number) =>
        recordAccountEntry(tx, ada, { action, source: someSource, nowMs })
      for (let i = 1; i <= change; i++) await add('session.end', startMs + i)
      for (let i = 2; i <= attempt + 1; i++) await add('password-reset.request', startMs + i)
    })
    const { rows } = await listAccountLog(db, ada, { page: 1, limit: 2_000 })
    const count = (wanted: AccountAction) => rows.filter(({ action }) => action === wanted).length
    assert.deepEqual(
      [count('session.end'), count('account.create'), count('sign-in.code')],
      [change, 0, 1],
      'the oldest change is gone',
    )
    assert.deepEqual([count('password-reset.request'), count('sign-in.wrong-password')], [attempt, 0])
    assert.equal(Math.min(...rows.filter((row) => row.action === 'session.end').map(at)), startMs + 1)
    assert.deepEqual(await actionsOf(db, eve), ['password.change', 'account.create'])
  })

  test('forgets entries after 365 days, not before, and goes with the account', async () => {
    const { db, userOf, ada } = await start()
    const eve = await userOf('eve@example.com')
    await record(db, ada, 'sign-in.password', startMs + 1)
    const lastMs = startMs + limits.accountLogDays * dayMs
    assert.equal(await deleteOldAccountEntries.run(db, lastMs), 0)
    assert.equal(await deleteOldAccountEntries.run(db, lastMs + 1), 2)
    assert.deepEqual([await actionsOf(db, ada), await actionsOf(db, eve)], [['sign-in.password'], []])
    await deleteUser(db, ada, { origin: someOrigin, nowMs: lastMs })
    assert.deepEqual(await db.kysely.selectFrom('account_log').selectAll().execute(), [])
  })

  test('more old entries than one deletion takes', async () => {
    const { db, userOf } = await start()
    for (let i = 0; i < 3; i++) {
      const user = await userOf(`user${i}@example.com`)
      await inTransaction(db, async (tx) => {
        for (let n = 0; n < limits.accountLogEntriesMax.signIn; n++)
          await recordAccountEntry(tx, user, {
            action: 'sign-in.password',
            source: someSource,
            nowMs: startMs,
          })
      })
    }
    const entries = 3 * limits.accountLogEntriesMax.signIn + 4
    assert.equal(await deleteOldAccountEntries.run(db, startMs + 366 * dayMs), entries)
  })

  test('failures of one hour, action and network are one entry, with the last time', async () => {
    const { db, ada } = await start()
    const fail = (changes: Partial<AccountFailures>) =>
      recordFailures(db, [failureOf(ada, { firstAtMs: startMs, lastAtMs: startMs, ...changes })])
    await fail({ times: 2, lastAtMs: startMs + 5 })
    await fail({ times: 3, firstAtMs: startMs + 9, lastAtMs: startMs + hourMs - 1 })
    // Another process may write an earlier one later.
    await fail({ lastAtMs: startMs + 7 })
    await fail({ network: '198.51.100.0/24' })
    await fail({ action: 'sign-in.wrong-code' })
    await fail({ firstAtMs: startMs + hourMs, lastAtMs: startMs + hourMs })
    const { rows } = await listAccountLog(db, ada, { page: 1, limit: 100 })
    assert.deepEqual(
      rows
        .filter(({ action }) => action !== 'account.create')
        .map(({ action, network, times, createdAtMs, lastAtMs }) =>
          [action, network, times, createdAtMs - startMs, lastAtMs - startMs].join(' '),
        )
        .sort(),
      [
        `sign-in.wrong-code 203.0.113.0/24 1 0 0`,
        `sign-in.wrong-password 198.51.100.0/24 1 0 0`,
        `sign-in.wrong-password 203.0.113.0/24 1 ${hourMs} ${hourMs}`,
        `sign-in.wrong-password 203.0.113.0/24 6 0 ${hourMs - 1}`,
      ],
    )
  })

  test('failures from many networks share one entry: an attack cannot fill the log', async () => {
    const { db, ada } = await start()
    const networks = 3 * limits.accountLogNetworksPerHour
    const failures = Array.from({ length: networks }, (_, i) =>
      failureOf(ada, { network: `10.0.${i}.0/24`, firstAtMs: startMs, lastAtMs: startMs + i }),
    )
    await recordFailures(db, failures)
    await recordFailures(db, failures)
    const { rows } = await listAccountLog(db, ada, { page: 1, limit: 100 })
    const failed = rows.filter(({ action }) => action === 'sign-in.wrong-password')
    assert.equal(failed.length, limits.accountLogNetworksPerHour + 1)
    const shared = failed.find(({ network }) => network === null)
    assert.deepEqual(
      [shared?.times, shared?.userAgent],
      [2 * (networks - limits.accountLogNetworksPerHour), null],
    )
  })

  test('failures on a deleted account are dropped, and those on others are not', async () => {
    const { db, userOf, ada } = await start()
    const eve = await userOf('eve@example.com')
    await deleteUser(db, ada, { origin: someOrigin, nowMs: startMs })
    const times = { firstAtMs: startMs, lastAtMs: startMs }
    await recordFailures(db, [failureOf(ada, times), failureOf(eve, times)])
    assert.deepEqual((await actionsOf(db, eve)).sort(), ['account.create', 'sign-in.wrong-password'])
  })
})

const at = ({ lastAtMs }: { lastAtMs: number }) => lastAtMs

function failureOf(
  userId: string,
  rest: Partial<AccountFailures> & { firstAtMs: number; lastAtMs: number },
): AccountFailures {
  return { userId, action: 'sign-in.wrong-password', ...someSource, times: 1, ...rest }
}

async function record(db: Database, userId: string, action: AccountAction, nowMs: number): Promise<void> {
  await inTransaction(db, (tx) => recordAccountEntry(tx, userId, { action, source: someSource, nowMs }))
}

async function actionsOf(db: Database, userId: string): Promise<AccountAction[]> {
  const { rows } = await listAccountLog(db, userId, { page: 1, limit: 100 })
  return rows.map(({ action }) => action)
}
