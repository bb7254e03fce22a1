import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferredType } from './accept.ts'

test('the client decides, and the order of the offer breaks ties', () => {
  const cases: [string | undefined, string | undefined][] = [
    [undefined, 'image/png'],
    ['*/*', 'image/png'],
    ['image/*', 'image/png'],
    ['image/svg+xml', 'image/svg+xml'],
    ['IMAGE/SVG+XML; q=0.9, image/*;q=0.8', 'image/svg+xml'],
    ['image/png;q=0.1, image/svg+xml;q=0.2', 'image/svg+xml'],
    ['image/png;q=0, */*', 'image/svg+xml'],
    ['image/avif,image/webp,*/*;q=0.8', 'image/png'],
    ['application/json', undefined],
    ['image/png;q=0', undefined],
    ['nonsense', undefined],
  ]
  for (const [header, expected] of cases)
    assert.equal(preferredType(header, ['image/png', 'image/svg+xml']), expected, header)
})
