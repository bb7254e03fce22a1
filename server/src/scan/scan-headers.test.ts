import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanHints } from '../journal/raw-scan.ts'
import { readScanHeaders } from './scan-headers.ts'

test('the referrer is its host, nothing more', () => {
  const cases = [
    ['https://www.Example.com/path?secret=1', 'www.example.com'],
    ['https://user:password@example.com:8080/', 'example.com'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['not a url', ''],
    ['', ''],
    [`https://${'a'.repeat(5000)}`, 'a'.repeat(255)],
  ] as const
  for (const [referer, host] of cases) assert.equal(readScanHeaders({ referer }).referrerHost, host, referer)
})

test('language, user agent and hints are read and bounded', () => {
  assert.equal(readScanHeaders({ 'accept-language': 'de-DE,de;q=0.9' }).language, 'de-DE')
  assert.equal(readScanHeaders({ 'accept-language': '*' }).language, '')
  assert.equal(readScanHeaders({ 'user-agent': 'x'.repeat(10_000) }).userAgent.length, 512)
  assert.equal(readScanHeaders({ 'sec-purpose': 'prefetch;prerender' }).hints, scanHints.prefetch)
  assert.equal(readScanHeaders({ purpose: 'preview' }).hints, scanHints.preview)
  assert.equal(readScanHeaders({ 'x-moz': 'prefetch' }).hints, scanHints.prefetch)
  assert.deepEqual(readScanHeaders({}), { userAgent: '', referrerHost: '', language: '', hints: 0 })
})
