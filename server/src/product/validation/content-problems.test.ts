import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leadsTo } from './content-problems.ts'

test("every spelling of the service's own address is recognized, and no other address", () => {
  const cases: [string, string, boolean][] = [
    ['https://qr.example.com/ABC', 'https://qr.example.com', true],
    ['http://QR.example.com./ABC', 'https://qr.example.com', true],
    ['https://qr.example.com:443', 'https://qr.example.com', true],
    ['http://qr.example.com:80/?x', 'https://qr.example.com', true],
    ['https://qr.example.com:8443/', 'https://qr.example.com', false],
    ['https://example.com/', 'https://qr.example.com', false],
    ['https://qr.example.com.evil.example/', 'https://qr.example.com', false],
    ['http://localhost:3000/x', 'http://localhost:3000', true],
    ['http://localhost:8080/x', 'http://localhost:3000', false],
    ['https://example.com/qr/ABC', 'https://example.com/qr', true],
    ['https://example.com/qr', 'https://example.com/qr', true],
    ['https://example.com/qrs', 'https://example.com/qr', false],
    ['https://example.com/page', 'https://example.com/qr', false],
    ['https://bücher.example/x', 'https://xn--bcher-kva.example', true],
  ]
  for (const [address, publicUrl, expected] of cases)
    assert.equal(leadsTo(address, publicUrl), expected, `${address} to ${publicUrl}`)
})
