import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import {
  addFoundAnswers,
  addOwedAnswers,
  isLimitReached,
  returnLease,
  takeLease,
} from '../../db/scans/scan-limits.ts'
import type { LimitKey } from '../../db/scans/limit-excesses.ts'
import { forEachDatabase, silentLog } from '../../db/testing/databases.ts'
import { ScanLimits } from '../../scan/access/scan-limits.ts'
import { someOrganization, someOrigin, someQrCode } from '../testing/catalogue.ts'
import { restoreQrCodes } from './bin.ts'
import { deleteQrCode } from './qr-code-deletion.ts'
import { createQrCode, readQrCode, updateQrCode } from './qr-codes.ts'

forEachDatabase('leases of a limit', (open) => {
  test('are a 32nd of the rest or what is wanted, and never more than the rest', async () => {
    const db = await open()
    const { key, count } = await limited(db, 1_000)
    assert.equal((await takeLease(db, key, { nowMs: 1 }))?.granted, 31)
    assert.equal((await takeLease(db, key, { nowMs: 1, want: 64 }))?.granted, 64)
    assert.equal((await takeLease(db, key, { nowMs: 1, want: 900 }))?.granted, 900)
    assert.equal((await takeLease(db, key, { nowMs: 1 }))?.granted, 1)
    assert.equal((await takeLease(db, key, { nowMs: 1, want: 9 }))?.granted, 4)
    assert.equal(await isLimitReached(db, key), true)
    assert.equal((await takeLease(db, key, { nowMs: 1 }))?.granted, 0)
    await returnLease(db, key, { left: 2, resets: 1 })
    assert.deepEqual([await count(), await isLimitReached(db, key)], [998, false])
    await addOwedAnswers(db, key, { answers: 5, nowMs: 1 })
    assert.deepEqual([await count(), await isLimitReached(db, key)], [1_003, true])
    const large = await limited(db, 1_000_000)
    assert.equal((await takeLease(db, large.key, { nowMs: 1 }))?.granted, 256)
  })

  test('of a count before the last reset cannot be given back; without a limit there is none', async () => {
    const db = await open()
    const { key, count, change } = await limited(db, 10)
    const lease = await takeLease(db, key, { nowMs: 1, want: 4 })
    await change({ resetLimit: true })
    await takeLease(db, key, { nowMs: 1, want: 3 })
    await returnLease(db, key, { left: 4, resets: lease?.resets ?? 0 })
    assert.equal(await count(), 3)
    await change({ access: { scanLimit: null } })
    assert.equal(await takeLease(db, key, { nowMs: 1 }), undefined)
  })

  test('scans that are found after a restoration count; other codes are left alone', async () => {
    const db = await open()
    const { key, count } = await limited(db, 10)
    const free = await createQrCode(db, key.organizationId, someQrCode())
    const found = [
      { ...key, scans: 7 },
      { organizationId: key.organizationId, qrCodeId: free.id, scans: 3 },
      { ...key, scans: -2 },
    ]
    assert.equal(await addFoundAnswers(db, found, 1), 1)
    assert.equal(await count(), 7)
  })

  test('answers without the count stand in the history of the code, also after it was in the bin', async () => {
    const db = await open()
    const { key, count } = await limited(db, 10)
    const read = async () => excessesOf(db, key)
    assert.deepEqual(await read(), [])
    await addOwedAnswers(db, key, { answers: 8, nowMs: 1_000 })
    // Another front learns of the end of the same outage.
    await addOwedAnswers(db, key, { answers: 5, nowMs: 2_000 })
    await addOwedAnswers(db, key, { answers: 2, nowMs: 100_000 })
    await addFoundAnswers(db, [{ ...key, scans: 4 }], 200_000)
    const expected = [
      { atMs: 200_000, answers: 4, beyondLimit: 4, reason: 'catalogueRestored' },
      { atMs: 100_000, answers: 2, beyondLimit: 2, reason: 'catalogueAway' },
      { atMs: 1_000, answers: 13, beyondLimit: 3, reason: 'catalogueAway' },
    ]
    assert.deepEqual(await read(), expected)
    assert.equal(await count(), 19)
    const { organizationId, qrCodeId: id } = key
    await deleteQrCode(db, { organizationId, id }, { origin: someOrigin, restorableUntilMs: 1e15 })
    assert.deepEqual(await read(), [])
    await restoreQrCodes(db, organizationId, { ids: [id], origin: someOrigin })
    assert.deepEqual(await read(), expected)
    for (let hour = 0; hour < 60; hour++)
      await addOwedAnswers(db, key, { answers: 1, nowMs: 400_000 + hour * 3_600_000 })
    assert.equal((await read()).length, 50)
  })

  test('scans that a restored copy did not know are no excess within the limit', async () => {
    const db = await open()
    const { key } = await limited(db, 10)
    await addFoundAnswers(db, [{ ...key, scans: 7 }], 1)
    assert.deepEqual(await excessesOf(db, key), [])
  })

  test('of two fronts: exactly as many answers, and what is idle is back within a second', async () => {
    const db = await open()
    const { key, count } = await limited(db, 100)
    const fronts = [await frontOf(db), await frontOf(await open({ same: db }))]
    const limit = { ...key, resets: 1, whenUnknown: 'closed' } as const
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => fronts[index % 2]?.take(limit)),
    )
    assert.deepEqual(new Set(answers), new Set(['open']))
    await wait(1_100)
    assert.equal(await count(), 60)
    const rest = await Promise.all(Array.from({ length: 60 }, async (_, i) => fronts[i % 2]?.take(limit)))
    assert.equal(rest.filter((answer) => answer === 'open').length, 40)
    for (const front of fronts) await front.close()
    assert.equal(await count(), 100)
  })
})

async function limited(db: Database, scanLimit: number) {
  const { id: organizationId } = await someOrganization(db)
  const { id } = await createQrCode(db, organizationId, someQrCode({ access: { scanLimit } }))
  await updateQrCode(db, { organizationId, id }, { access: { scanLimit: null }, origin: someOrigin })
  await updateQrCode(db, { organizationId, id }, { access: { scanLimit }, origin: someOrigin })
  return {
    key: { organizationId, qrCodeId: id },
    count: async () => (await readQrCode(db, { organizationId, id }))?.scanCount,
    change: async (changes: object) =>
      updateQrCode(db, { organizationId, id }, { ...changes, origin: someOrigin }),
  }
}

/** Answers of the code without its count, newest first; nothing while it is in the bin. */
async function excessesOf(db: Database, { organizationId, qrCodeId: id }: LimitKey) {
  return (await readQrCode(db, { organizationId, id }))?.limitExcesses.toReversed() ?? []
}

async function frontOf(db: Database): Promise<ScanLimits> {
  return new ScanLimits(
    {
      take: async (key, want) => takeLease(db, key, { want, nowMs: Date.now() }),
      isFull: async (key) => isLimitReached(db, key),
      giveBack: async (key, rest) => returnLease(db, key, rest),
      addOwed: async (key, answers) => addOwedAnswers(db, key, { answers, nowMs: Date.now() }),
    },
    silentLog,
  )
}
