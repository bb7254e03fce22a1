import assert from 'node:assert/strict'
import { test } from 'node:test'
import { destinationHref, destinationProblem } from './destinations.ts'

const good = [
  'https://example.com',
  'http://example.com/',
  'HTTPS://EXAMPLE.COM/Path',
  'https://example.com:8443/a/b?c=d&e=%20f#g',
  'https://example.com/path@with/at?mail=a@b.c',
  'https://bücher.example/straße?q=ü',
  'https://例え.テスト/ページ',
  'https://xn--bcher-kva.example/',
  'https://example.com/😀',
  'https://[2001:db8::1]:8080/x',
  'http://192.0.2.1/x',
  'http://localhost:3000/x',
  'https://example.com/a//b/../c',
  `https://example.com/${'a'.repeat(2048 - 'https://example.com/'.length)}`,
]

const bad: readonly (readonly [url: string, reason: RegExp])[] = [
  ['', /empty/],
  ['javascript:alert(1)', /begin with http/],
  ['JaVaScRiPt:alert(1)', /begin with http/],
  ['javascript://example.com/%0aalert(1)', /begin with http/],
  ['java\tscript:alert(1)', /control/],
  ['\u0001javascript:alert(1)', /control/],
  ['data:text/html,<script>alert(1)</script>', /begin with http/],
  ['vbscript:x', /begin with http/],
  ['file:///etc/passwd', /begin with http/],
  ['ftp://example.com/', /begin with http/],
  ['blob:https://example.com/1', /begin with http/],
  ['about:blank', /begin with http/],
  ['intent://scan/#Intent;scheme=https;end', /begin with http/],
  ['//example.com', /begin with http/],
  ['/path', /begin with http/],
  ['example.com', /begin with http/],
  ['https:example.com', /begin with http/],
  ['https:/example.com', /begin with http/],
  ['https://', /host/],
  ['https:///example.com', /host/],
  ['https://?x', /host/],
  ['https://#x', /host/],
  ['https:\\\\example.com', /backslash/],
  ['https://good.example\\@evil.example/', /backslash/],
  ['https://user:password@example.com/', /user name/],
  ['https://user@example.com/', /user name/],
  ['https://@example.com/', /user name/],
  ['https://good.example:443@evil.example/', /user name/],
  [' https://example.com', /spaces/],
  ['https://example.com ', /spaces/],
  ['https://example.com/a b', /spaces/],
  ['https://example.com/a\tb', /control/],
  ['https://exam\nple.com/', /control/],
  ['https://example.com/\r\nSet-Cookie: a=b', /control/],
  ['https://example.com/\u0000', /control/],
  ['https://example.com/\u007f', /control/],
  ['https://example.com/\u0085', /control/],
  ['https://example.com/\u00a0', /spaces/],
  ['https://example.com/\u2028', /control/],
  ['https://example.com/\u202egnp.exe', /control/],
  ['https://\u200bexample.com/', /control/],
  ['\ufeffhttps://example.com/', /control/],
  ['https://[2001:db8::1/', /valid URL/],
  ['https://[::g]/', /valid URL/],
  ['https://example.com:99999/', /valid URL/],
  ['https://example.com:port/', /valid URL/],
  ['https://exa<mple.com/', /valid URL/],
  ['https://%zz/', /valid URL/],
  ['https://1.2.3.256/', /valid URL/],
  [`https://example.com/${'a'.repeat(2048)}`, /at most 2048 characters, got 2068/],
  [`https://example.com/${'字'.repeat(1000)}`, /percent-encoded/],
]

test('http and https URLs are destinations', () => {
  for (const url of good) assert.equal(destinationProblem(url), undefined, url)
})

test('nothing else is', () => {
  for (const [url, reason] of bad)
    assert.match(destinationProblem(url)?.message ?? 'accepted', reason, JSON.stringify(url))
})

test('what is accepted goes into a Location header: visible ASCII, the same host', () => {
  for (const url of good) {
    const href = destinationHref(url)
    assert.match(href, /^https?:\/\/[\x21-\x7e]+$/, url)
    assert.equal(destinationProblem(href), undefined, href)
    assert.equal(new URL(href).host, new URL(url).host)
  }
})

test('a lone surrogate does not break the header', () => {
  assert.match(destinationHref('https://example.com/\ud800'), /^https:\/\/example\.com\/[\x21-\x7e]+$/)
})
