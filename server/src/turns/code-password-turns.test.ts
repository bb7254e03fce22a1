import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CodePasswordTurns, type PasswordQuestion } from './code-password-turns.ts'

const front = {}
const question = (network: string, of: Partial<PasswordQuestion> = {}): PasswordQuestion => ({
  organizationId: 'org_1',
  qrCodeId: 'qr_1',
  version: 'v1',
  network,
  isFree: false,
  ...of,
})

test('four slow checks run at once; one whose answer is known needs no turn', async () => {
  const turns = new CodePasswordTurns()
  for (let id = 0; id < 4; id++)
    assert.deepEqual(await turns.begin(question(`198.51.${id}.0`), { owner: front, id }), { kind: 'go' })
  const waiting = turns.begin(question('198.51.4.0'), { owner: front, id: 4 })
  const free = await turns.begin(question('198.51.5.0', { isFree: true }), { owner: front, id: 5 })
  assert.deepEqual(free, { kind: 'go' })
  assert.deepEqual([turns.turns.stats().running, turns.turns.stats().waiting], [4, 1])
  turns.end({ owner: front, id: 0 }, 'right')
  assert.deepEqual(await waiting, { kind: 'go' })
})

test('a check that gets no turn in time is busy, and counts as no try', async () => {
  const turns = new CodePasswordTurns()
  for (let id = 0; id < 4; id++)
    await turns.begin(question(`198.51.${id}.0`, { qrCodeId: 'qr_2' }), { owner: front, id })
  const late = await Promise.all(
    Array.from({ length: 9 }, (_, at) => turns.begin(question('192.0.2.0'), { owner: front, id: 10 + at })),
  )
  assert.deepEqual(new Set(late.map(({ kind }) => kind)), new Set(['busy']))
  for (let id = 0; id < 4; id++) turns.end({ owner: front, id }, 'wrong')
  for (let id = 20; id < 30; id++) {
    assert.deepEqual(await turns.begin(question('192.0.2.0'), { owner: front, id }), { kind: 'go' })
    turns.end({ owner: front, id }, 'wrong')
  }
  const limited = await turns.begin(question('192.0.2.0'), { owner: front, id: 30 })
  assert.equal(limited.kind, 'limited')
})

test('a crowd behind one address waits for the answers to each other, and all get in', async () => {
  const turns = new CodePasswordTurns()
  const crowd = Array.from({ length: 60 }, async (_, id) => {
    const { kind } = await turns.begin(question('203.0.113.0', { isFree: true }), { owner: front, id })
    await setImmediate()
    turns.end({ owner: front, id }, 'right')
    return kind
  })
  assert.deepEqual(new Set(await Promise.all(crowd)), new Set(['go']))
})

test('the checks of a front that is gone end, those that wait too', async () => {
  const turns = new CodePasswordTurns()
  const gone = {}
  for (let id = 0; id < 4; id++) await turns.begin(question(`198.51.${id}.0`), { owner: gone, id })
  const waiting = turns.begin(question('198.51.4.0'), { owner: gone, id: 4 })
  const other = turns.begin(question('198.51.5.0'), { owner: front, id: 0 })
  await setImmediate()
  turns.forget(gone)
  await waiting
  assert.deepEqual(await other, { kind: 'go' })
  turns.end({ owner: front, id: 0 }, 'right')
  assert.deepEqual([turns.turns.stats().running, turns.turns.stats().waiting], [0, 0])
})
