import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PNG } from 'pngjs'
import sharp from 'sharp'
import { loadCaptionFont } from '../shapes/captions.ts'
import { drawCode, pictureHeightPx } from '../drawing/drawing.ts'
import { createMatrix } from '../content/matrix.ts'
import { drawPixels } from '../drawing/pixels.ts'
import { drawPng } from './png.ts'
import { writePng } from './styled-png.ts'
import { writeSvg } from './svg.ts'
import { flatStyle, rasterize, readNear, runs, shortCode, testLogo } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const matrix = createMatrix({ text: 'HTTPS://GO.EXAMPLE.COM/7K3QX9A', errorCorrection: 'M' })

test('PNG: a strict reader reads every flat style at 3 pixels per module and more', async () => {
  await fc.assert(
    fc.asyncProperty(
      shortCode,
      flatStyle,
      fc.double({ min: 3, max: 9, noNaN: true }),
      async (code, style, modulePx) => {
        const text = `HTTPS://EXAMPLE.COM/${code}`
        const drawing = drawCode(createMatrix({ text, errorCorrection: 'M' }), style, { font })
        const draw = async (px: number) => writePng(drawing, { sizePx: Math.ceil(drawing.width * px) })
        assert.deepEqual(await readNear(modulePx, draw), [text], JSON.stringify(style))
      },
    ),
    runs(200),
  )
})

test('PNG: the pixels match the SVG, drawn by another renderer', async () => {
  await fc.assert(
    fc.asyncProperty(
      flatStyle,
      fc.boolean(),
      fc.integer({ min: 4, max: 12 }),
      async (style, transparent, px) => {
        // Whole pixels per module and no stretched margins, so that both draw the same edges.
        const drawing = drawCode(matrix, { ...style, transparent }, { font })
        const sizePx = drawing.width * px
        const ours = PNG.sync.read(writePng(drawing, { sizePx }), { checkCRC: true })
        const theirs = await sharp(await rasterize(writeSvg(drawing, { sizePx })))
          .ensureAlpha()
          .raw()
          .toBuffer()
        assert.deepEqual([ours.width, ours.height], [sizePx, pictureHeightPx(drawing, sizePx)])
        let total = 0
        for (let at = 0; at < theirs.length; at += 4) {
          const alphaDifference = Math.abs((ours.data[at + 3] ?? 0) - (theirs[at + 3] ?? 0))
          const shownDifference = Math.abs(shown(ours.data, at) - shown(theirs, at))
          assert.ok(
            Math.max(alphaDifference, shownDifference) < 60,
            `pixel ${at / 4} of ${JSON.stringify(style)}`,
          )
          total += alphaDifference + shownDifference
        }
        assert.ok(total / (theirs.length / 4) < 2, `${total / (theirs.length / 4)} a pixel`)
      },
    ),
    runs(40),
  )
})

/** Returns red on white: the color of a transparent pixel doesn't matter. */
const shown = (data: Uint8Array, at: number) => 255 + (((data[at] ?? 0) - 255) * (data[at + 3] ?? 0)) / 255

test('PNG: squares have no blurred edge at any size and the same places as in a plain picture', () => {
  for (const sizePx of [64, 100, 333, 1024]) {
    const { palette, indexes } = drawPixels(drawCode(matrix), sizePx)
    assert.equal(palette.length, 2)
    const plain = PNG.sync.read(drawPng(matrix, { sizePx }))
    indexes.forEach((index, at) => assert.equal(index === 1, plain.data[at * 4] === 0))
  }
})

const depth = (png: Buffer) => png[24]

test('PNG: two colors take 4 bits per pixel, more take 8, and never more than 256 colors', () => {
  assert.equal(depth(writePng(drawCode(matrix, { dotStyle: 'dots' }))), 4)
  fc.assert(
    fc.property(flatStyle, fc.integer({ min: 0, max: 1 }), (style, margin) => {
      const drawing = drawCode(matrix, { ...style, margin }, { font })
      const { palette } = drawPixels(drawing, 300)
      assert.ok(palette.length <= 256)
      assert.equal(depth(writePng(drawing, { sizePx: 300 })), palette.length > 16 ? 8 : 4)
    }),
    runs(50),
  )
})

test('PNG: without a background only the pixels of the code are opaque', () => {
  const drawing = drawCode(matrix, { transparent: true, dotStyle: 'rounded', foregroundColor: '#1E3A8A' })
  const { data } = PNG.sync.read(writePng(drawing, { sizePx: 33 * 8 }))
  assert.deepEqual([...data.subarray(0, 4)], [0, 0, 0, 0])
  const eye = (4 * 8 + 2 + (6 * 8 + 2) * 264) * 4
  assert.deepEqual([...data.subarray(eye, eye + 4)], [0x1e, 0x3a, 0x8a, 255])
})

test('PNG: plain and styled files have the density', () => {
  for (const png of [
    drawPng(matrix, { pixelsPerMetre: 11811 }),
    writePng(drawCode(matrix, { dotStyle: 'dots' }), { pixelsPerMetre: 11811 }),
  ]) {
    const at = png.indexOf('pHYs')
    assert.deepEqual([png.readUInt32BE(at + 4), png.readUInt32BE(at + 8), png[at + 12]], [11811, 11811, 1])
    PNG.sync.read(png, { checkCRC: true })
  }
  assert.equal(drawPng(matrix).indexOf('pHYs'), -1)
})

test('PNG: sizes, gradients and logos that cannot be drawn are errors', () => {
  assert.throws(() => writePng(drawCode(matrix), { sizePx: 32 }), { name: 'PictureError' })
  assert.throws(() => writePng(drawCode(matrix, { margin: 16 }), { sizePx: 0 }), {
    name: 'PictureError',
  })
  const large = createMatrix({ text: 'A', errorCorrection: 'M', version: 40 })
  assert.throws(() => writePng(drawCode(large), { sizePx: 184 }), {
    name: 'PictureError',
    message: '"size" must be at least 185 for this picture, got 184',
  })
  const gradient = { type: 'radial' as const, colors: ['#000000', '#1E3A8A'] }
  assert.throws(() => writePng(drawCode(matrix, { gradient })), TypeError)
  const logo = { dataUri: testLogo.dataUri }
  assert.throws(() => writePng(drawCode(matrix, { logo }, { logo: testLogo })), TypeError)
})
