import assert from 'node:assert/strict'
import { test } from 'node:test'
import { relyingPartyOf } from './relying-party.ts'

test('passkeys belong to the host name of PUBLIC_URL, on https or on localhost', () => {
  const cases = [
    ['https://qr.example.com', 'qr.example.com'],
    ['https://QR.example.com:8443', 'qr.example.com'],
    ['https://intranet', 'intranet'],
    ['http://localhost:3000', 'localhost'],
    ['https://localhost', 'localhost'],
    ['http://qr.localhost:3000', 'qr.localhost'],
    ['http://qr.example.com', undefined],
    ['http://notlocalhost', undefined],
    ['http://localhost.example.com', undefined],
    ['https://192.0.2.1', undefined],
    ['https://0xC0000201', undefined],
    ['http://127.0.0.1:3000', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://[::1]:3000', undefined],
  ] as const
  for (const [publicUrl, id] of cases) assert.equal(relyingPartyOf(publicUrl)?.id, id, publicUrl)
  assert.equal(relyingPartyOf('https://qr.example.com:8443')?.origin, 'https://qr.example.com:8443')
})
