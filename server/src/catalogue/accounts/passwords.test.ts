import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../errors.ts'
import { hashPassword, dummyHash, verifyPassword } from './passwords.ts'

/** The lowest possible cost: this test counts calls and does not measure work. */
const cheapHash = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

test('a hash states its parameters and matches only its own password', async () => {
  const phc = await hashPassword('correct horse battery')
  assert.match(phc, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await verifyPassword('correct horse battery', phc), true)
  assert.equal(await verifyPassword('correct horse batterz', phc), false)
  assert.equal(await verifyPassword('correct horse battery', 'nonsense'), false)
})

test('dummyHash costs the same work as a real hash and matches no password', async () => {
  const [, kind, version, cost] = dummyHash.split('$')
  const real = (await hashPassword('a')).split('$').slice(1, 4)
  assert.deepEqual([kind, version, cost], real)
  for (const password of ['', 'a', '\0'.repeat(32)])
    assert.equal(await verifyPassword(password, dummyHash), false)
})

test('organizations take turns, beside people who sign in: a crowd at one does not hold up others', async () => {
  const ended: string[] = []
  const verify = async (holder?: string) => {
    await verifyPassword('a', cheapHash, holder)
    ended.push(holder ?? 'sign-in')
  }
  const crowd = Array.from({ length: 150 }, () => verify('org_crowd'))
  await Promise.all([...crowd, verify(), verify('org_calm')])
  assert.ok(ended.indexOf('sign-in') < 20 && ended.indexOf('org_calm') < 20, String(ended.slice(0, 30)))
})

test('503: 4 hashes run and at most 200 wait; the queue then drains', async () => {
  const all = await Promise.allSettled(Array.from({ length: 300 }, () => verifyPassword('a', cheapHash)))
  const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as ApiError] : []))
  assert.equal(refused.length, 96)
  assert.ok(refused.every((error) => error.status === 503 && error.headers['retry-after'] === '5'))
  assert.equal(await verifyPassword('a', cheapHash), false)
})
