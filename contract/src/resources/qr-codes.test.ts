import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetadata } from './qr-codes.ts'
import { mergeStyle } from './styles.ts'
import { normalizeTags } from './tags.ts'

test('a style merges by key, and null removes a key', () => {
  const style = { foregroundColor: '#111111', margin: 2, logo: { dataUri: 'data:…', scale: 0.2 } }
  assert.deepEqual(mergeStyle(style, { margin: null, logo: { dataUri: 'data:other' }, cornerRadius: 0 }), {
    foregroundColor: '#111111',
    logo: { dataUri: 'data:other' },
    cornerRadius: 0,
  })
  assert.deepEqual(mergeStyle(style, {}), style)
})

test('metadata merges by key, and null removes a key', () => {
  assert.deepEqual(mergeMetadata({ a: '1', b: '2' }, { b: null, c: '3' }), { a: '1', c: '3' })
})

test('a metadata key that is a special property name of JavaScript is an ordinary key', () => {
  const changes: Record<string, string> = JSON.parse('{"__proto__":"x","constructor":"y"}')
  const merged = mergeMetadata({}, changes)
  assert.deepEqual(Object.entries(merged), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ])
})

test('tags are trimmed and deduplicated', () => {
  assert.deepEqual(normalizeTags([' spring ', 'print', ' ', 'spring']), ['spring', 'print'])
  assert.deepEqual(normalizeTags(['Cafe\u0301', 'Caf\u00e9']), ['Caf\u00e9'])
})
