import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { encodePayload } from './payload.ts'
import { runs, shortUrl } from '../testing/pictures.ts'

const cases = [
  ['https://example.com/7K3QX9A', 'HTTPS://EXAMPLE.COM/7K3QX9A'],
  ['http://localhost:3000/7K3QX9A', 'HTTP://LOCALHOST:3000/7K3QX9A'],
  ['HTTPS://EXAMPLE.COM/7K3QX9A', 'HTTPS://EXAMPLE.COM/7K3QX9A'],
  ['https://example.com/GO/SPRING-26', 'HTTPS://EXAMPLE.COM/GO/SPRING-26'],
  // A custom code or a path prefix in lower case stays as written.
  ['https://example.com/spring', 'https://example.com/spring'],
  ['https://example.com/q/7K3QX9A', 'https://example.com/q/7K3QX9A'],
  // The alphanumeric mode lacks these characters.
  ['https://example.com/A?B', 'https://example.com/A?B'],
  ['http://[::1]:3000/7K3QX9A', 'http://[::1]:3000/7K3QX9A'],
  ['mailto:A@example.com', 'mailto:A@example.com'],
] as const

for (const [url, payload] of cases) {
  test(`${url} is encoded as ${payload}`, () => assert.equal(encodePayload(url), payload))
}

test('the payload leads to the same address as the short URL', () => {
  fc.assert(
    fc.property(shortUrl, (url) => {
      assert.equal(new URL(encodePayload(url)).href, new URL(url).href)
    }),
    runs(300),
  )
})

test('the payload is alphanumeric whenever the rest of the URL is', () => {
  fc.assert(
    fc.property(shortUrl, (url) => {
      const rest = url.replace(/^https?:\/\/[^/]*/, '')
      assert.equal(/^[^a-z]*$/.test(encodePayload(url)), /^[^a-z]*$/.test(rest))
    }),
    runs(300),
  )
})
