import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { scanHints } from '../journal/raw-scan.ts'
import { readScanHeaders as read } from './scan-headers.ts'

const publicHost = 'qr.example.com'
const readScanHeaders = (headers: IncomingHttpHeaders) => read({ host: publicHost, ...headers }, publicHost)

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
  for (const [destination, hints] of [
    ['image', scanHints.preview],
    ['script', scanHints.preview],
    ['document', 0],
    ['iframe', 0],
    ['empty', 0],
  ] as const)
    assert.equal(readScanHeaders({ 'sec-fetch-dest': destination }).hints, hints, destination)
  assert.deepEqual(readScanHeaders({}), { userAgent: '', referrerHost: '', language: '', app: '', hints: 0 })
})

test('a scan says if it named another host than the public one', () => {
  for (const [named, hints] of [
    ['qr.example.com', 0],
    ['QR.EXAMPLE.COM', 0],
    ['qr.example.com:3000', scanHints.otherHost],
    ['qr.example.org', scanHints.otherHost],
    ['192.0.2.1', scanHints.otherHost],
    [undefined, scanHints.otherHost],
  ] as const)
    assert.equal(read(named === undefined ? {} : { host: named }, publicHost).hints, hints, named)
  assert.equal(
    read({ host: 'localhost:3000', purpose: 'preview' }, publicHost).hints,
    scanHints.preview | scanHints.otherHost,
  )
})
