import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorCorrections } from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { createMatrix } from '../content/matrix.ts'
import { encodePayload } from '../content/payload.ts'
import { drawPng } from '../writers/png.ts'
import { drawSvg } from '../writers/svg.ts'
import { alphanumericText, rasterize, readPng, runs, shortUrl } from '../testing/pictures.ts'

// An independent decoder, without any of its "try harder" options, reads our pictures.

const text = fc.oneof(
  { weight: 3, arbitrary: shortUrl.map(encodePayload) },
  { weight: 1, arbitrary: alphanumericText(150) },
  { weight: 1, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
)
const level = fc.constantFrom(...errorCorrections)
const margin = fc.integer({ min: 0, max: 16 })
const colors = fc.constantFrom(
  {},
  { foreground: '#1E3A8A', background: '#FEF9C3' },
  { foreground: '#7f1d1d', background: '#ffffff' },
)

test('PNG: every text, level, size and margin is read, down to one pixel per module', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      level,
      fc.integer({ min: 64, max: 700 }),
      margin,
      colors,
      async (content, errorCorrection, size, marginModules, look) => {
        const matrix = createMatrix({ text: content, errorCorrection })
        const sizePx = Math.max(size, matrix.size + 2 * marginModules)
        assert.deepEqual(await readPng(drawPng(matrix, { sizePx, marginModules, ...look })), [content])
      },
    ),
    runs(300),
  )
})

// Just above 2 pixels per module some modules get 3 pixels, and the strict reader fails on about 1
// in 100.
test('SVG: every text, level, size and margin is read at 3 pixels per module and more', async () => {
  await fc.assert(
    fc.asyncProperty(
      text,
      level,
      fc.integer({ min: 64, max: 700 }),
      margin,
      colors,
      async (content, errorCorrection, size, marginModules, look) => {
        const matrix = createMatrix({ text: content, errorCorrection })
        const sizePx = Math.max(size, 3 * (matrix.size + 2 * marginModules))
        const svg = drawSvg(matrix, { sizePx, marginModules, title: content, ...look })
        assert.deepEqual(await readPng(await rasterize(svg)), [content])
      },
    ),
    runs(300),
  )
})

test('the largest pictures and the largest versions are read', async () => {
  for (const sizePx of [2048, 4096]) {
    for (const length of [31, 1000]) {
      const content = 'HTTPS://EXAMPLE.COM/'.padEnd(length, '7K3QX9A')
      const matrix = createMatrix({ text: content, errorCorrection: 'M' })
      assert.deepEqual(await readPng(drawPng(matrix, { sizePx })), [content])
      assert.deepEqual(await readPng(await rasterize(drawSvg(matrix, { sizePx }))), [content])
    }
  }
})

test('SVG and PNG are the same picture if the size is a whole number of pixels per module', async () => {
  const matrix = createMatrix({ text: 'HTTPS://EXAMPLE.COM/7K3QX9A', errorCorrection: 'M' })
  const sizePx = (matrix.size + 8) * 5
  const fromSvg = await rasterize(drawSvg(matrix, { sizePx }))
  assert.ok((await readPixels(fromSvg)).equals(await readPixels(drawPng(matrix, { sizePx }))))
})

const readPixels = (png: Buffer) => sharp(png).removeAlpha().toColourspace('srgb').raw().toBuffer()
