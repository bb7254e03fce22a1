import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProbe } from './probe.ts'

const ours = createProbe('s'.repeat(32))
const foreign = createProbe('t'.repeat(32))
const asked = (header: string) => ({ 'x-everscan-probe': header })

test('a question of this installation is answered with the arrival of the request; no other answer is accepted', () => {
  const { header, read } = ours.ask()
  const headers = {
    ...asked(header),
    'x-forwarded-for': '203.0.113.9, 10.0.0.1',
    'x-forwarded-proto': 'https',
  }
  const answer = ours.answer(headers, '10.0.0.2') ?? assert.fail()
  assert.deepEqual(read(answer), {
    peer: '10.0.0.2',
    forwardedFor: '203.0.113.9, 10.0.0.1',
    forwardedProto: 'https',
  })
  assert.equal(ours.ask().read(answer), undefined, 'an answer is valid for one question only')
  for (const wrong of [null, '', 'x', 'x.y', `${answer}x`, header, answer.replace(/^./, '_')])
    assert.equal(read(wrong), undefined)
})

test('questions of others, and hostile questions, get no answer', () => {
  const hostile = [
    foreign.ask().header,
    '',
    '.',
    'a.b',
    `${'a'.repeat(70_000)}.b`,
    ours.ask().header.slice(0, -1),
  ]
  for (const header of hostile) assert.equal(ours.answer(asked(header), '::1'), undefined)
  assert.equal(ours.answer({}, '::1'), undefined)
  const long = ours.ask()
  const answer = ours.answer({ ...asked(long.header), 'x-forwarded-for': 'x'.repeat(16_000) }, '::1')
  assert.equal(long.read(answer ?? null)?.forwardedFor?.length, 500)
})
