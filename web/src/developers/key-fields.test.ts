import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blankKey, chosenScopes, networkLines, newKeyOf } from './key-fields.ts'
import { networksText } from './networks-text.ts'

const nowMs = Date.parse('2027-01-01T12:00:00.000Z')

test('a key without choices has a name and a role only', () => {
  assert.deepEqual(newKeyOf({ ...blankKey, name: 'Shop' }, nowMs), { name: 'Shop', role: 'EDITOR' })
})

test('chosen scopes are sent only if the key is limited, and only those that suit its role', () => {
  const scopes = ['admin', 'codes:write', 'analytics:read'] as const
  assert.equal(newKeyOf({ ...blankKey, scopes }, nowMs).scopes, undefined)
  const some = { ...blankKey, scopes, access: 'some' } as const
  assert.deepEqual(newKeyOf(some, nowMs).scopes, ['codes:write', 'analytics:read'])
  assert.deepEqual(chosenScopes({ ...some, role: 'VIEWER' }), ['analytics:read'])
  assert.deepEqual(chosenScopes({ ...some, role: 'ADMIN' }), ['codes:write', 'analytics:read', 'admin'])
})

test('a key ends after some days, or with a day', () => {
  for (const [lifetime, expiresAt] of [
    ['never', undefined],
    ['days30', '2027-01-31T12:00:00.000Z'],
    ['date', '2027-06-30'],
  ] as const)
    assert.equal(newKeyOf({ ...blankKey, lastDay: '2027-06-30', lifetime }, nowMs).expiresAt, expiresAt)
})

test('each line is a network; empty ones only count as lines', () => {
  const fields = { ...blankKey, networks: ' 203.0.113.7 \r\n\n10.0.0.0/8\n' }
  assert.deepEqual(newKeyOf(fields, nowMs).networks, ['203.0.113.7', '10.0.0.0/8'])
  assert.deepEqual(
    networkLines(fields).map(({ line }) => line),
    [1, 3],
  )
  assert.equal(newKeyOf({ ...blankKey, networks: ' \n' }, nowMs).networks, undefined)
})

test('networks are named briefly', () => {
  assert.equal(networksText(['203.0.113.7/32', '2001:db8::1/128']), '203.0.113.7, 2001:db8::1')
  assert.equal(networksText(['2001:db8::/32']), '2001:db8::/32')
  assert.equal(
    networksText(['10.0.0.0/8', '11.0.0.0/8', '12.0.0.0/8', '::1/128']),
    '10.0.0.0/8, 11.0.0.0/8 and 2 more',
  )
})
