import assert from 'node:assert/strict'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { createQrCodes } from '../../../catalogue/codes/qr-codes.ts'
import { applyLook } from '../../../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../../../catalogue/domains/domains.ts'
import { someOrganization, someQrCode } from '../../../catalogue/testing/catalogue.ts'
import type { Database } from '../../../db/database.ts'
import { ApiError } from '../../../errors.ts'
import { someChanges, startHostFront } from './host-fronts.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const codesAtOnce = 1_000
const url = (code: string) => `https://example.com/?code=${code}`

/**
 * Creates random codes of five letters in both cases on a domain with exact short codes, each with
 * its own destination, and asks for all of them.
 */
export async function checkRandomCodes(db: Database, count: number): Promise<void> {
  const random = seededRandom()
  const { change, lookOf } = someChanges()
  const { id: organizationId } = await someOrganization(db)
  const hostname = 'old.example.com'
  const fields = { codes: 'exact' } as const
  const domain = await createDomain(db, organizationId, { hostname, fields, ...change() })
  await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
  const letter = () => letters[Math.floor(random() * letters.length)]
  const codes = new Set<string>()
  while (codes.size < count) codes.add(Array.from({ length: 5 }, letter).join(''))
  const all = [...codes]
  for (let from = 0; from < count; from += codesAtOnce) {
    const some = all.slice(from, from + codesAtOnce)
    const drafts = some.map((shortCode) => someQrCode({ shortCode, domain, data: { url: url(shortCode) } }))
    const outcomes = await createQrCodes(db, organizationId, drafts)
    assert.deepEqual(
      outcomes.map((one) => (one instanceof ApiError ? one.message : one.shortCode)),
      some,
    )
  }
  const front = await startHostFront(db)
  try {
    for (const code of all) {
      const { status, location } = await front.ask(`/${code}`, { host: hostname })
      assert.deepEqual([status, location], [302, url(code)], code)
    }
  } finally {
    await front.close()
  }
}
