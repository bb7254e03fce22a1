import assert from 'node:assert/strict'
import { test } from 'node:test'
import { privateUrls } from './testing/private-addresses.ts'
import { webhookUrlProblem } from './addresses.ts'

test(`${privateUrls.length} spellings of private addresses are rejected, each with the reason`, () => {
  assert.ok(privateUrls.length >= 150)
  assert.equal(new Set(privateUrls).size, privateUrls.length)
  for (const url of privateUrls)
    assert.match(webhookUrlProblem(url, { allowPrivate: false })?.message ?? '', /^must /, url)
})

test('public hosts are accepted; http and private hosts only if the installation allows them', () => {
  const allowed = [
    'https://example.com/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://a.b:8443/c?d=e#f',
  ]
  for (const url of allowed) assert.equal(webhookUrlProblem(url, { allowPrivate: false }), undefined, url)
  for (const url of [
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://hooks.internal/',
    'http://example.com/',
  ]) {
    assert.notEqual(webhookUrlProblem(url, { allowPrivate: false }), undefined, url)
    assert.equal(webhookUrlProblem(url, { allowPrivate: true }), undefined, url)
  }
})

test('URLs of other kinds are rejected, even if private hosts are allowed', () => {
  for (const url of [
    '',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'https://user:secret@example.com/',
    'https://user@example.com/',
    'https://example.com\\@10.0.0.1/',
    'https:///path',
    'https://exa mple.com/',
    '//example.com/',
    'https://example.com/\n',
    `https://example.com/${'a'.repeat(2_048)}`,
    'javascript:alert(1)',
  ])
    for (const allowPrivate of [true, false])
      assert.match(webhookUrlProblem(url, { allowPrivate })?.message ?? '', /^must /, url)
})
