import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCorrections } from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { createMatrix, type Matrix } from '../content/matrix.ts'
import type { PictureOptions } from '../picture.ts'
import { drawPng } from './png.ts'
import { runs } from '../testing/pictures.ts'

const matrix = createMatrix({ text: 'HTTPS://GO.EXAMPLE.COM/7K3QX9A', errorCorrection: 'M' })

/** Computes the picture pixel by pixel, the slow way: 1 is foreground. */
function expectedPixels({ size, modules }: Matrix, sizePx: number, marginModules: number): Uint8Array {
  const modulePx = Math.floor(sizePx / (size + 2 * marginModules))
  const offsetPx = Math.floor((sizePx - size * modulePx) / 2)
  const pixels = new Uint8Array(sizePx * sizePx)
  for (let y = 0; y < sizePx; y++) {
    const row = Math.floor((y - offsetPx) / modulePx)
    for (let x = 0; x < sizePx; x++) {
      const column = Math.floor((x - offsetPx) / modulePx)
      const inside = row >= 0 && row < size && column >= 0 && column < size
      if (inside && modules[row * size + column]) pixels[y * sizePx + x] = 1
    }
  }
  return pixels
}

/** Returns the red channel that an independent reader decodes: 1 where it is the foreground's. */
function readPixels(png: Buffer, foregroundRed: number): Uint8Array {
  const { data } = PNG.sync.read(png, { checkCRC: true })
  const pixels = new Uint8Array(data.length / 4)
  for (let at = 0; at < pixels.length; at++) if (data[at * 4] === foregroundRed) pixels[at] = 1
  return pixels
}

test('every pixel is where it belongs, whatever the size, margin and version', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 60 }),
      fc.constantFrom(...errorCorrections),
      fc.integer({ min: 100, max: 420 }),
      fc.integer({ min: 0, max: 16 }),
      (text, errorCorrection, sizePx, marginModules) => {
        const code = createMatrix({ text, errorCorrection })
        const png = drawPng(code, { sizePx, marginModules })
        assert.ok(Buffer.from(readPixels(png, 0)).equals(expectedPixels(code, sizePx, marginModules)))
      },
    ),
    runs(100),
  )
})

for (const sizePx of [64, 65, 1535, 1536, 4096]) {
  test(`a picture of ${sizePx} px is exactly that, in two colors`, () => {
    const png = drawPng(matrix, { sizePx, foreground: '#0A1b2C', background: '#F0E0D0' })
    const { width, height, data } = PNG.sync.read(png)
    assert.deepEqual([width, height], [sizePx, sizePx])
    assert.deepEqual([...data.subarray(0, 4)], [0xf0, 0xe0, 0xd0, 255])
    assert.ok(Buffer.from(readPixels(png, 0x0a)).equals(expectedPixels(matrix, sizePx, 4)))
  })
}

test('a second reader agrees on format and pixels', async () => {
  const png = drawPng(matrix, { sizePx: 333 })
  const { format, width, height, isPalette, bitsPerSample } = await sharp(png).metadata()
  assert.deepEqual([format, width, height, isPalette, bitsPerSample], ['png', 333, 333, true, 1])
  const pixels = await sharp(png).extractChannel(0).raw().toBuffer()
  assert.deepEqual(
    pixels.map((value) => (value === 0 ? 1 : 0)),
    Buffer.from(expectedPixels(matrix, 333, 4)),
  )
})

test('the file is small: 512 px under 1 KB, 4096 px under 12 KB', () => {
  assert.ok(drawPng(matrix, { sizePx: 512 }).length < 1000)
  assert.ok(drawPng(matrix, { sizePx: 4096 }).length < 12_000)
})

test('more modules than pixels is an error that names the minimum size, which then works', () => {
  const large = createMatrix({ text: 'A'.repeat(300), errorCorrection: 'M' })
  const least = large.size + 2 * 16
  assert.throws(() => drawPng(large, { sizePx: least - 1, marginModules: 16 }), {
    name: 'PictureError',
    message: `"size" must be at least ${least} for this code with a margin of 16, got ${least - 1}`,
  })
  const pixels = readPixels(drawPng(large, { sizePx: least, marginModules: 16 }), 0)
  assert.deepEqual(pixels, expectedPixels(large, least, 16))
})

const rejected: readonly [PictureOptions, RegExp][] = [
  [{ sizePx: 63 }, /"size" must be a whole number from 64 to 4096, got 63/],
  [{ sizePx: 4097 }, /"size"/],
  [{ sizePx: Infinity }, /"size"/],
  [{ marginModules: 2.5 }, /"margin" must be a whole number from 0 to 16, got 2.5/],
  [{ foreground: 'black' }, /form #RRGGBB, got "black"/],
  [{ background: '#12345g' }, /form #RRGGBB/],
]

for (const [options, message] of rejected) {
  test(`rejected: ${JSON.stringify(options)}`, () => {
    assert.throws(() => drawPng(matrix, options), { name: 'PictureError', message })
  })
}
