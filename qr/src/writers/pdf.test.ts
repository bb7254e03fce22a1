import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { loadCaptionFont } from '../shapes/captions.ts'
import { drawCode, type Drawing } from '../drawing/drawing.ts'
import { createMatrix } from '../content/matrix.ts'
import { writePdf } from './pdf.ts'
import { writeSvg } from './svg.ts'
import { anyStyle, rasterize, readNear, readPng, runs, shortCode, testLogo } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const pdfium = await PDFiumLibrary.init()
const text = 'HTTPS://GO.EXAMPLE.COM/7K3QX9A'
const matrix = createMatrix({ text, errorCorrection: 'M' })

/** Renders the page on white with another program: RGBA pixels, and the size in points. */
async function renderPdf(pdf: Buffer, widthPx: number) {
  const document = await pdfium.loadDocument(pdf)
  assert.equal(document.getPageCount(), 1)
  const page = document.getPage(0)
  const { originalWidth: widthPt, originalHeight: heightPt } = page.getOriginalSize()
  const scale = widthPx / widthPt
  const { data, width, height } = await page.render({ scale, render: 'bitmap' })
  document.destroy()
  const pixels = Buffer.from(data)
  return { pixels, width, height, widthPt, heightPt }
}

async function rasterizePdf(pdf: Buffer, widthPx: number): Promise<Buffer> {
  const { pixels, width, height } = await renderPdf(pdf, widthPx)
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer()
}

test('PDF: a strict reader reads every style, drawn by another renderer', async () => {
  await fc.assert(
    fc.asyncProperty(shortCode, anyStyle, async (code, style) => {
      const content = `HTTPS://EXAMPLE.COM/${code}`
      const one = createMatrix({ text: content, errorCorrection: style.logo ? 'H' : 'M' })
      const drawing = drawCode(one, style, { font, logo: testLogo })
      const pdf = writePdf(drawing, { widthMm: 30 })
      const texts = await readNear(6, (px) => rasterizePdf(pdf, drawing.width * px))
      assert.deepEqual(texts, [content], JSON.stringify(style))
    }),
    runs(100),
  )
})

test('PDF: the page looks like the SVG', async () => {
  await fc.assert(
    fc.asyncProperty(anyStyle, async (style) => {
      const drawing = drawCode(matrix, withoutBlack(style), { font, logo: testLogo })
      assert.ok((await difference(drawing)) < 4, `${await difference(drawing)} ${JSON.stringify(style)}`)
    }),
    runs(40),
  )
})

/** A renderer turns pure black ink into an RGB that is not quite black. */
function withoutBlack(style: Style): Style {
  const foregroundColor = style.foregroundColor ?? '#000000'
  return JSON.parse(JSON.stringify({ ...style, foregroundColor }).replaceAll('#000000', '#010101'))
}

/** Returns the mean difference of a color part between page and SVG. Only the edges may differ. */
async function difference(drawing: Drawing): Promise<number> {
  const widthPx = drawing.width * 8
  const page = await renderPdf(writePdf(drawing, { widthMm: 50 }), widthPx)
  const svg = await sharp(await rasterize(writeSvg(drawing, { sizePx: widthPx })))
    .flatten({ background: '#FFFFFF' })
    .resize(page.width, page.height, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer()
  let total = 0
  for (let at = 0; at < svg.length; at++) total += Math.abs((svg[at] ?? 0) - (page.pixels[at] ?? 0))
  return total / svg.length
}

test('PDF: the page has the requested width and the height of the picture', async () => {
  for (const widthMm of [10, 25.4, 333.3, 5000]) {
    const drawing = drawCode(matrix, { frame: { style: 'label-below', text: 'Scan me' } }, { font })
    const { widthPt, heightPt } = await renderPdf(writePdf(drawing, { widthMm }), 40)
    assert.ok(Math.abs(widthPt - (widthMm / 25.4) * 72) < 0.01)
    assert.ok(Math.abs(heightPt - (widthPt * drawing.height) / drawing.width) < 0.01)
  }
})

/** Returns the decompressed content stream of the page. */
function readContent(pdf: Buffer): string {
  const at = pdf.indexOf('<</Filter/FlateDecode')
  const from = pdf.indexOf('stream\n', at) + 'stream\n'.length
  return inflateSync(pdf.subarray(from)).toString('latin1')
}

test('PDF: black is black ink alone, white no ink, other colors RGB', () => {
  const content = readContent(writePdf(drawCode(matrix, { cornerDotColor: '#FF0000' }), { widthMm: 20 }))
  assert.deepEqual(content.match(/.* (k|rg)$/gm), ['0 0 0 0 k', '0 0 0 1 k', '1 0 0 rg'])
})

test('PDF: a transparent picture draws no background', () => {
  const content = readContent(writePdf(drawCode(matrix, { transparent: true }), { widthMm: 20 }))
  assert.doesNotMatch(content, / re /)
})

test('PDF: the same drawing gives the same bytes, without dates and ids', () => {
  fc.assert(
    fc.property(anyStyle, fc.string({ unit: 'binary' }), (style, title) => {
      const draw = () => drawCode(matrix, style, { font, logo: testLogo })
      const pdf = writePdf(draw(), { widthMm: 40, title })
      assert.ok(pdf.equals(writePdf(draw(), { widthMm: 40, title })))
      assert.doesNotMatch(pdf.toString('latin1'), /CreationDate|\/ID\b/)
    }),
    runs(50),
  )
})

test('PDF: every object begins where the table says', () => {
  const drawing = drawCode(matrix, { logo: { dataUri: '' } }, { logo: testLogo })
  const pdf = writePdf(drawing, { widthMm: 40, title: 'Menu (table 7) – Ж' }).toString('latin1')
  const offsets = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
  assert.equal(offsets.length, 7)
  offsets.forEach((offset, at) => assert.ok(pdf.startsWith(`${at + 1} 0 obj\n`, offset)))
  assert.equal(pdf.slice(Number(/startxref\n(\d+)/.exec(pdf)?.[1])).slice(0, 4), 'xref')
  assert.match(pdf, /\/Title <feff004d0065006e0075[0-9a-f]+201300200416>/)
})

test('PDF: a JPEG in grey or RGB is embedded unchanged; any other logo needs its pixels', async () => {
  const one = createMatrix({ text, errorCorrection: 'H' })
  const style = { foregroundColor: '#064E3B', logo: { dataUri: '', scale: 0.2, round: true } }
  for (const space of ['srgb', 'b-w'] as const) {
    const raw = { width: 48, height: 32, channels: 4 } as const
    const jpeg = await sharp(testLogo.rgba, { raw }).toColourspace(space).jpeg().toBuffer()
    const dataUri = `data:image/jpeg;base64,${jpeg.toString('base64')}`
    const drawing = drawCode(one, style, { logo: { dataUri, widthPx: 48, heightPx: 32 } })
    const pdf = writePdf(drawing, { widthMm: 40 })
    assert.ok(pdf.includes(jpeg))
    assert.ok(pdf.includes(space === 'srgb' ? '/DeviceRGB/Filter/DCT' : '/DeviceGray/Filter/DCT'))
    assert.deepEqual(await readPng(await rasterizePdf(pdf, 400)), [text])
    assert.ok((await difference(drawing)) < 4)
  }
  const { dataUri, widthPx, heightPx } = testLogo
  for (const bad of [dataUri, 'data:image/jpeg;base64,', 'data:image/jpeg;base64,/9j/4AAQ', '']) {
    const drawing = drawCode(one, style, { logo: { dataUri: bad, widthPx, heightPx } })
    assert.throws(() => writePdf(drawing, { widthMm: 40 }), { name: 'PictureError' })
  }
})

test('PDF: a width out of bounds is an error that names the bounds', () => {
  for (const widthMm of [0, -1, NaN, 5001, Infinity]) {
    assert.throws(() => writePdf(drawCode(matrix), { widthMm }), {
      name: 'PictureError',
      message: `"sizeMm" must be a number greater than 0 and at most 5000, got ${widthMm}`,
    })
  }
})
