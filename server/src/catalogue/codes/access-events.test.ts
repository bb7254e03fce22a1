import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/database.ts'
import { firstPosition, keepEvents, readEventPages } from '../../db/feeds/event-pages.ts'
import { returnLease, takeLease } from '../../db/scans/scan-limits.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { positionAfterAll } from '../../db/testing/positions.ts'
import { someOrganization, someOrigin, someQrCode } from '../testing/catalogue.ts'
import { recordAccessEvents } from './access-events.ts'
import { createQrCode, updateQrCode } from './qr-codes.ts'

forEachDatabase('events of access', (open) => {
  test('a code opens, ends and is full once, also with several workers; archived ones have none', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const events = await eventReader(db, organizationId)
    const access = { startsAt: at(1_000), endsAt: at(2_000), scanLimit: 1 }
    const make = (fields = {}) =>
      createQrCode(db, organizationId, someQrCode({ nowMs: baseMs, access, ...fields }))
    const { id } = await make()
    await make({ status: 'ARCHIVED' })
    await make({ access: { startsAt: at(-2), endsAt: at(-1) } })
    const run = async (afterMs: number) => {
      await Promise.all([db, other].map((one) => recordAccessEvents(one, baseMs + afterMs)))
      return events()
    }
    assert.deepEqual(await run(999), [])
    assert.deepEqual(await run(1_000), [['qr.opened', id, baseMs + 1_000]])
    assert.deepEqual(await run(1_500), [])
    const key = { organizationId, qrCodeId: id }
    const lease = await takeLease(db, key, { nowMs: baseMs + 1_000 })
    assert.deepEqual(await run(1_900), [], 'a lease may come back')
    await returnLease(db, key, { left: 1, resets: lease?.resets ?? 0 })
    assert.deepEqual(await run(3_900), [['qr.ended', id, baseMs + 2_000]])
    await takeLease(db, key, { nowMs: baseMs + 3_900 })
    assert.deepEqual(await run(5_900), [['qr.full', id, baseMs + 3_900]])
    assert.deepEqual(await run(60_000), [])
  })

  test('moved times and a count that begins anew have events anew', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const events = await eventReader(db, organizationId)
    const access = { endsAt: at(1_000), scanLimit: 1 }
    const { id } = await createQrCode(db, organizationId, someQrCode({ nowMs: baseMs, access }))
    const key = { organizationId, id }
    const change = (changes: object, afterMs: number) =>
      updateQrCode(db, key, { ...changes, origin: someOrigin, nowMs: baseMs + afterMs })
    await change({ access: { endsAt: at(5_000) } }, 500)
    await takeLease(db, { organizationId, qrCodeId: id }, { nowMs: baseMs })
    await recordAccessEvents(db, baseMs + 4_000)
    await change({ resetLimit: true }, 4_100)
    await recordAccessEvents(db, baseMs + 4_900)
    await takeLease(db, { organizationId, qrCodeId: id }, { nowMs: baseMs + 4_900 })
    await recordAccessEvents(db, baseMs + 9_000)
    const names = (await events()).map(([event]) => event).filter((event) => event !== 'qr.updated')
    assert.deepEqual(names, ['qr.full', 'qr.ended', 'qr.full'])
  })
})

const baseMs = Date.UTC(2026, 2, 1)
const at = (afterMs: number) => new Date(baseMs + afterMs).toISOString()

/** Returns a function that returns the events since the last call, without creations. */
async function eventReader(db: Database, organizationId: string) {
  await keepEvents(db, [organizationId], Number.MAX_SAFE_INTEGER)
  let read = 0
  return async () => {
    const before = await positionAfterAll(db)
    const range = { after: firstPosition, before, sinceMs: 0, limit: 100 }
    const pages = await readEventPages(db, [organizationId], range)
    const all = pages.flatMap((page) => page.events).filter(({ event }) => event !== 'qr.created')
    const fresh = all.slice(read)
    read = all.length
    return fresh.map(({ event, qrCodeId, atMs }) => [event, qrCodeId, atMs])
  }
}
