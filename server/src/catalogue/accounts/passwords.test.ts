import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../errors.ts'
import { hashPassword, dummyHash, verifyPassword } from './passwords.ts'

/** Of little cost: what is counted here is not the work. */
const cheapHash = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

test('a hash says how it was made, and fits its own password only', async () => {
  const phc = await hashPassword('correct horse battery')
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await verifyPassword('correct horse battery', phc), true)
  assert.equal(await verifyPassword('correct horse batterz', phc), false)
  assert.equal(await verifyPassword('correct horse battery', 'nonsense'), false)
})

test("nobody's hash costs the same work as a real one, and fits no password", async () => {
  const [, kind, version, cost] = dummyHash.split('$')
  const real = (await hashPassword('a')).split('$').slice(1, 4)
  assert.deepEqual([kind, version, cost], real)
  for (const password of ['', 'a', '\0'.repeat(32)])
    assert.equal(await verifyPassword(password, dummyHash), false)
})

test('503: beside 4 at work at most 200 wait; the line then moves on', async () => {
  const all = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword('a', cheapHash)))
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []))
  assert.equal(refused.length, 96)
  assert.ok(refused.every((error) => error.status === 503 && error.headers['retry-after'] === '5'))
  assert.equal(await verifyPassword('a', cheapHash), false)
})
