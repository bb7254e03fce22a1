// Two organizations may have codes with the same id: nothing that a front remembers is shared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import { insertArchivedCodes } from '../../catalogue/codes/archived-codes.ts'
import { createQrCode, type NewQrCode } from '../../catalogue/codes/qr-codes.ts'
import { PasswordHash } from '../../catalogue/rows/password-hash.ts'
import { someOrganization, someOrigin, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { someGuards } from '../../scan/testing/guards.ts'
import { limitCountersOf } from '../../front/limit-counters.ts'
import { publicHost, startHostFront } from './testing/host-fronts.ts'

const url = 'https://example.com/first'
const nowMs = 1_700_000_000_000

/** Creates a code, and one with the same id in another organization. */
async function twins(db: Database, name: string, fields: Partial<NewQrCode>): Promise<[string, string]> {
  const { id: one } = await someOrganization(db, 'One')
  const { id: other } = await someOrganization(db, 'Other')
  const [first, second] = [`${name}A`, `${name}B`] as const
  const row = await createQrCode(db, one, someQrCode({ shortCode: first, data: { url }, ...fields }))
  const key = codeKey({ shortCode: second, domain: '' })
  const twin = { ...row, organizationId: other, shortCode: second, codeKey: key }
  await inTransaction(db, async (tx) => {
    await insertRows(tx, 'short_codes', {
      rows: [
        {
          canonical_code: key,
          short_code: second,
          organization_id: other,
          qr_code_id: row.id,
          created_at_ms: nowMs,
          deleted_at_ms: null,
        },
      ],
    })
    await insertArchivedCodes(tx, other, { rows: [twin], origin: someOrigin, nowMs })
  })
  return [first, second]
}

onEitherDatabase('codes with the same id', (open) => {
  test('share no limit, no password, no tries and no visits', async () => {
    const db = await open()
    const guards = someGuards(limitCountersOf(async () => db))
    const limited = await twins(db, 'TENS', { access: { scanLimit: 5 } })
    const secret = await twins(db, 'PASS', { passwordHash: new PasswordHash('x') })
    const again = { url: 'https://example.com/again' }
    const rules = [
      { id: 'rul_1', name: 'again', enabled: true, when: { visit: 'again' as const }, data: again },
    ]
    const ruled = await twins(db, 'VISI', { rules })
    const front = await startHostFront(db, { guards })
    const headers = { host: publicHost, 'user-agent': 'Phone' }
    const statuses = async (code: string, times: number) => {
      const found = []
      for (let i = 0; i < times; i++) found.push((await front.ask(`/${code}`, headers)).status)
      return found
    }
    const post = async (code: string, password: string) => {
      const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
      return (await front.ask(`/${code}`, form, 'POST', `password=${password}`)).status
    }
    try {
      const five = [302, 302, 302, 302, 302, 410, 410]
      for (const code of limited) assert.deepEqual(await statuses(code, 7), five, code)
      for (const code of secret) {
        assert.equal(await post(code, 'x'), 303, code)
        assert.equal(await post(code, 'x'), 303, code)
      }
      const scans = (await front.recorded()).filter((code) => secret.includes(code))
      assert.deepEqual(scans, [...secret], 'each is a scan once')
      for (let i = 0; i < 11; i++) await post(secret[0], 'no')
      assert.equal(await post(secret[0], 'x'), 429)
      assert.equal(await post(secret[1], 'x'), 303)
      for (const code of ruled) {
        const leadsTo = async () => (await front.ask(`/${code}`, headers)).location
        assert.deepEqual([await leadsTo(), await leadsTo()], [url, again.url], code)
      }
    } finally {
      await guards.limits.close()
      await front.close()
    }
  })
})
