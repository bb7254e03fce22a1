import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCorrections } from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import { createMatrix } from './matrix.ts'
import { encodePayload } from './payload.ts'
import { alphanumericText, runs, shortUrl } from '../testing/pictures.ts'

const level = fc.constantFrom(...errorCorrections)
const text = fc.oneof(alphanumericText(120), fc.webUrl({ withQueryParameters: true }), shortUrl)

test('a short URL of 31 characters is version 2 at level M, one less than in lower case', () => {
  const url = 'https://qrs.example.com/7K3QX9A'
  assert.equal(url.length, 31)
  assert.equal(createMatrix({ text: encodePayload(url), errorCorrection: 'M' }).version, 2)
  assert.equal(createMatrix({ text: url, errorCorrection: 'M' }).version, 3)
})

test('the alphanumeric mode is used: its mode indicator is in the bottom right corner', () => {
  const { modules, size, mask } = createMatrix({
    text: 'HTTPS://EXAMPLE.COM/7K3QX9A',
    errorCorrection: 'M',
    mask: 0,
  })
  assert.equal(mask, 0)
  // The first four data bits go up in two columns. Mask 0 inverts modules where x + y is even
  // (ISO/IEC 18004, 7.8.2).
  const bits = [0, 1, 2, 3].map((index) => {
    const x = size - 1 - (index % 2)
    const y = size - 1 - Math.trunc(index / 2)
    return (modules[y * size + x] ?? 0) ^ ((x + y) % 2 === 0 ? 1 : 0)
  })
  assert.deepEqual(bits, [0, 0, 1, 0])
})

test('the matrix reports its version and mask for every version, level and mask', () => {
  for (let version = 1; version <= 40; version++) {
    for (const errorCorrection of errorCorrections) {
      const mask = (version + errorCorrections.indexOf(errorCorrection)) % 8
      const matrix = createMatrix({ text: 'A', errorCorrection, version, mask })
      assert.deepEqual([matrix.version, matrix.mask], [version, mask])
      assert.equal(matrix.size, 17 + 4 * version)
      assert.equal(matrix.modules.length, matrix.size ** 2)
    }
  }
})

test('the stored version and mask give the same matrix again', () => {
  fc.assert(
    fc.property(text, level, (content, errorCorrection) => {
      const first = createMatrix({ text: content, errorCorrection })
      const { version, mask } = first
      assert.deepEqual(createMatrix({ text: content, errorCorrection, version, mask }), first)
    }),
    runs(200),
  )
})

test('at a higher level the version grows as needed and the mask stays', () => {
  fc.assert(
    fc.property(text, (content) => {
      const { version, mask } = createMatrix({ text: content, errorCorrection: 'L' })
      const least = createMatrix({ text: content, errorCorrection: 'H' }).version
      const high = createMatrix({ text: content, errorCorrection: 'H', version, mask })
      assert.deepEqual([high.version, high.mask], [Math.max(version, least), mask])
      const low = createMatrix({ text: content, errorCorrection: 'L', version: high.version, mask })
      assert.equal(low.version, high.version)
    }),
    runs(100),
  )
})

const rejected = [
  ['an empty text', { text: '', errorCorrection: 'M' }, /must not be empty/],
  ['4,297 alphanumeric characters', { text: 'A'.repeat(4297), errorCorrection: 'L' }, /too long .* level L/],
  ['2,954 bytes', { text: 'a'.repeat(2954), errorCorrection: 'L' }, /too long/],
  ['1,274 bytes at level H', { text: 'a'.repeat(1274), errorCorrection: 'H', version: 40 }, /too long/],
  ['version 41', { text: 'A', errorCorrection: 'M', version: 41 }, /"version" must be .* got 41/],
  ['version 1.5', { text: 'A', errorCorrection: 'M', version: 1.5 }, /"version"/],
  ['mask 8', { text: 'A', errorCorrection: 'M', mask: 8 }, /"mask" must be .* got 8/],
  ['mask NaN', { text: 'A', errorCorrection: 'M', mask: NaN }, /"mask"/],
] as const

for (const [what, options, message] of rejected) {
  test(`${what} throws a PictureError`, () => {
    assert.throws(() => createMatrix(options), { name: 'PictureError', message })
  })
}

test('texts of the maximum length fit', () => {
  assert.equal(createMatrix({ text: 'A'.repeat(4296), errorCorrection: 'L' }).version, 40)
  assert.equal(createMatrix({ text: 'a'.repeat(2953), errorCorrection: 'L' }).version, 40)
})
