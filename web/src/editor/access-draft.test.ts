import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessChanges, accessDraftOf, accessUndo } from './access-draft.ts'

const access = {
  startsAt: '2026-05-01T06:00:00.000Z',
  scanLimit: 10,
  closed: { message: 'Soon.' },
  hasPassword: true,
  scanCount: 3,
} as const

test('a save sends only what differs, and times as they are meant', () => {
  const before = accessDraftOf({ access })
  assert.deepEqual(accessChanges(before, before), {})
  const times = { startsAt: '', endsAt: before.startsAt }
  assert.deepEqual(accessChanges(before, { ...before, ...times }), {
    startsAt: null,
    endsAt: access.startsAt,
  })
  assert.deepEqual(accessChanges(before, { ...before, scanLimit: '' }), { scanLimit: null })
  assert.deepEqual(accessChanges(before, { ...before, closing: 'page' }), { closed: null })
  const url = { closing: 'url' as const, url: ' https://example.com/ ' }
  assert.deepEqual(accessChanges(before, { ...before, ...url }), { closed: { url: 'https://example.com/' } })
})

test('a password is sent when it is new, and null when it is removed', () => {
  const before = accessDraftOf({ access })
  assert.deepEqual(accessChanges(before, { ...before, password: ' x ' }), { password: ' x ' })
  assert.deepEqual(accessChanges(before, { ...before, removesPassword: true }), { password: null })
})

test('an undo brings every stored field back, and leaves the password', () => {
  assert.deepEqual(accessUndo(access), {
    startsAt: access.startsAt,
    endsAt: null,
    scanLimit: 10,
    whenUnknown: null,
    closed: { message: 'Soon.' },
  })
})
