import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedType } from './accept.ts'

test('one picture type that is named decides; everything else gets the first', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, 'image/png'],
    ['', 'image/png'],
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['IMAGE/SVG+XML; q=0.9, image/*;q=0.8', 'image/svg+xml'],
    ['image/png;q=0.1, image/svg+xml;q=0.2', 'image/png'],
    ['image/svg+xml, */*;q=0.1', 'image/png'],
    ['image/svg+xml, */*;q=0', 'image/svg+xml'],
    // Chrome opens an address in a new tab.
    ['text/html,application/xhtml+xml,image/avif,image/webp,image/apng,*/*;q=0.8', 'image/png'],
    ['application/json', 'image/png'],
    ['nonsense', 'image/png'],
    ['image/png;q=0', undefined],
    ['image/png;q=0, image/svg+xml', 'image/svg+xml'],
  ]
  for (const [header, expected] of cases)
    assert.equal(askedType(header, ['image/png', 'image/svg+xml', 'image/webp']), expected, header)
})
