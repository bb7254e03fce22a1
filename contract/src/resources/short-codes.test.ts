import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalShortCode, isReservedShortCode, isShortCode, shortCodeAlphabet } from './short-codes.ts'

test('the canonical form is upper case with O as 0 and I and L as 1', () => {
  assert.equal(canonicalShortCode('oOiIlL'), '001111')
  assert.equal(canonicalShortCode('Hello-World'), 'HE110-W0R1D')
  assert.equal(canonicalShortCode('7k3m9qx'), '7K3M9QX')
})

test('the canonical form is idempotent and contains every letter of the alphabet', () => {
  assert.equal(canonicalShortCode(shortCodeAlphabet), shortCodeAlphabet)
  assert.equal(canonicalShortCode(canonicalShortCode('solil-OQUY')), canonicalShortCode('solil-OQUY'))
  assert.equal(shortCodeAlphabet.length, 32)
  assert.equal(new Set(shortCodeAlphabet).size, 32)
})

test('a short code is 4 to 32 ASCII letters, digits or "-"', () => {
  for (const code of ['abcd', 'A-1z', '----', 'x'.repeat(32)]) assert.ok(isShortCode(code), code)
  const others = [
    '',
    'abc',
    'x'.repeat(33),
    'ab d',
    'ab_d',
    'abcd\n',
    'abc%2e',
    'ſhort',
    'ıııı',
    'abc.',
    'äbcd',
    'a/bcd',
  ]
  for (const text of others) assert.ok(!isShortCode(text), JSON.stringify(text))
})

test('paths of the service are reserved in every spelling that reads the same', () => {
  for (const word of [
    'docs',
    'DOCS',
    'd0cs',
    'healthz',
    'HEA1THZ',
    'metrics',
    'readyz',
    'robots',
    'r0b0ts',
    'well-known',
  ]) {
    assert.ok(isReservedShortCode(word), word)
  }
  for (const word of ['docs2', 'menu', 'health']) assert.ok(!isReservedShortCode(word), word)
})
