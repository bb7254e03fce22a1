import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createQrCode, readQrCode } from '../catalogue/codes/qr-codes.ts'
import { someOrganization, someQrCode } from '../catalogue/testing/catalogue.ts'
import { onSqlite, silentLog } from '../db/testing/databases.ts'
import { openScanLimits } from './scan-limits.ts'

onSqlite('leases of a front', (open) => {
  test('are counted at once, then on a thread, exactly, and given back at the end', async () => {
    const db = await open()
    assert.ok(db.source.dialect === 'sqlite')
    const { id: organizationId } = await someOrganization(db)
    const scanLimit = 40
    const { id } = await createQrCode(db, organizationId, someQrCode({ access: { scanLimit } }))
    const dataDir = dirname(db.source.file)
    const { scanLimits, close } = openScanLimits(
      { databaseUrl: undefined, dataDir, logLevel: 'silent' },
      silentLog,
    )
    const limit = { organizationId, qrCodeId: id, resets: 0, whenUnknown: 'closed' as const }
    const answers: string[] = []
    // Longer than the thread takes to start, with pauses in which leases go back.
    for (let scan = 0; scan < 36; scan++) {
      answers.push(await scanLimits.take(limit))
      if (scan % 12 === 11) await wait(700)
    }
    assert.deepEqual(new Set(answers), new Set(['open']))
    const counted = async () => (await readQrCode(db, { organizationId, id }))?.scanCount
    for (let tries = 0; tries < 100 && (await counted()) !== 36; tries++) await wait(50)
    assert.equal(await counted(), 36)
    const last = await Promise.all(Array.from({ length: 9 }, async () => scanLimits.take(limit)))
    assert.deepEqual(last.filter((answer) => answer === 'open').length, 4)
    assert.equal(await scanLimits.peek(limit), 'full')
    await close()
    assert.equal(await counted(), scanLimit)
    assert.equal(scanLimits.stats().isUnknown, false)
  })
})
