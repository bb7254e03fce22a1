import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecretBox } from './secret-box.ts'

const secret = 'the secret of an installation, long'

test('a sealed text opens only with the same secret, purpose and name', () => {
  const box = createSecretBox(secret, 'tests')
  for (const text of ['', 'a', 'Grüße 👋', 'x'.repeat(10_000)]) {
    const sealed = box.seal(text, 'usr_1')
    assert.ok(sealed.startsWith('v1.'))
    assert.notEqual(sealed, box.seal(text, 'usr_1'), 'sealing the same text twice gives two results')
    assert.equal(createSecretBox(secret, 'tests').open(sealed, 'usr_1'), text)
    assert.equal(box.open(sealed, 'usr_2'), undefined)
    assert.equal(createSecretBox(secret, 'others').open(sealed, 'usr_1'), undefined)
    assert.equal(createSecretBox(`${secret}r`, 'tests').open(sealed, 'usr_1'), undefined)
  }
})

test('a sealed text that was changed at any byte, or truncated, does not open', () => {
  const box = createSecretBox(secret, 'tests')
  const sealed = box.seal('JBSWY3DPEHPK3PXP', 'usr_1')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    assert.equal(box.open(`v1.${changed.toString('base64url')}`, 'usr_1'), undefined)
    assert.equal(box.open(`v1.${bytes.subarray(0, i).toString('base64url')}`, 'usr_1'), undefined)
  }
  for (const nonsense of ['', 'v1.', 'v2.', sealed.slice(3), `v2.${sealed.slice(3)}`, '👋'])
    assert.equal(box.open(nonsense, 'usr_1'), undefined)
})
