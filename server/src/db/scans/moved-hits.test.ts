import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restoreQrCodes } from '../../catalogue/codes/bin.ts'
import { deleteQrCode } from '../../catalogue/codes/qr-code-deletion.ts'
import { createQrCode, readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { someOrganization, someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { forEachDatabase } from '../testing/databases.ts'
import { takeFromScansBefore } from './moved-hits.ts'

const origin = someOrigin

forEachDatabase('hits that moved in', (open) => {
  test('leave the clicks before, never below 0, and of no other code', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const before = async (id: string) => (await readQrCode(db, { organizationId, id }))?.scansBefore
    const [one, two, three] = await Promise.all(
      [10, 10, 10].map((scansBefore) => createQrCode(db, organizationId, someQrCode({ scansBefore }))),
    )
    const ids = [one?.id ?? '', two?.id ?? '', three?.id ?? '']
    const moved = [4, 12].map((hits, index) => ({
      organizationId,
      qrCodeId: ids[index] ?? '',
      hits,
      scans: 1,
    }))
    await takeFromScansBefore(db, moved)
    assert.deepEqual(await Promise.all(ids.map(before)), [6, 0, 10])
  })

  test('are with a code in the bin, and come back with it', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode({ scansBefore: 10 }))
    const key = { organizationId, id }
    const nowMs = Date.now()
    await deleteQrCode(db, key, { origin, nowMs, restorableUntilMs: nowMs + 60_000 })
    await takeFromScansBefore(db, [{ organizationId, qrCodeId: id, hits: 4, scans: 3 }])
    await restoreQrCodes(db, organizationId, { ids: [id], origin, nowMs })
    const code = await readQrCode(db, key)
    assert.deepEqual([code?.scansBefore, code?.totalScans], [6, 3])
  })
})
