import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { colorSpaces } from '@everscan/contract/resources/downloads.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import { PNG } from 'pngjs'
import sharp, { type Sharp } from 'sharp'
import { createMatrix } from '../content/matrix.ts'
import { drawCode } from '../drawing/drawing.ts'
import { loadCaptionFont } from '../shapes/captions.ts'
import { inksOf } from '../shapes/inks.ts'
import { anyStyle, readNear, runs, shortCode, testLogo } from '../testing/pictures.ts'
import { rasterizePdf } from '../testing/readers.ts'
import { writeEps } from './eps.ts'
import { writePdf } from './pdf.ts'
import type { PrintOptions } from './print.ts'
import { srgbProfile } from './srgb-profile.ts'

const font = await loadCaptionFont()
const ptPerMm = 72 / 25.4
const text = 'HTTPS://GO.EXAMPLE.COM/7K3QX9A'
const draw = (style: Style, content = text) => {
  const matrix = createMatrix({ text: content, errorCorrection: style.logo ? 'H' : 'M' })
  return drawCode(matrix, style, { font, logo: testLogo })
}

const colorful: Style = {
  gradient: { type: 'linear', colors: ['#0B3D91', '#7A1FA2'] },
  backgroundColor: '#FEF9C3',
  cornerDotColor: '#000000',
  frame: { style: 'label-below', text: 'Scan me', color: '#064E3B', textColor: '#FFFFFF' },
  logo: { dataUri: testLogo.dataUri },
}

/** All streams of a PDF that are text after decompression. */
function contentOf(pdf: Buffer): string {
  const parts: string[] = []
  for (let at = pdf.indexOf('stream\n'); at !== -1; at = pdf.indexOf('stream\n', at + 1)) {
    if (pdf.toString('latin1', at - 3, at) === 'end') continue
    parts.push(inflateSync(pdf.subarray(at + 'stream\n'.length)).toString('latin1'))
  }
  return parts.find((part) => / cm\n/.test(part)) ?? assert.fail('no content')
}

test('print: any style with a bleed, crop marks and either color space is read', async () => {
  const options = fc.record({
    bleedMm: fc.constantFrom(0, 1.5, 5),
    cropMarks: fc.boolean(),
    colorSpace: fc.constantFrom(undefined, ...colorSpaces),
  })
  await fc.assert(
    fc.asyncProperty(shortCode, anyStyle, options, async (code, style, option) => {
      const content = `HTTPS://EXAMPLE.COM/${code}`
      const drawing = draw(style, content)
      const pdf = writePdf(drawing, { widthMm: 40, ...option })
      const [, page = 0] = (/MediaBox\[0 0 (\S+)/.exec(pdf.toString('latin1')) ?? []).map(Number)
      const widthPx = (px: number) => Math.round((drawing.width * px * page) / (40 * ptPerMm))
      const texts = await readNear(6, async (px) => {
        const seen = await rasterizePdf(pdf, widthPx(px))
        return seen.flatten({ background: '#FFFFFF' }).png().toBuffer()
      })
      assert.deepEqual(texts, [content], JSON.stringify([style, option]))
    }),
    runs(40),
  )
})

test('print: without options the bytes are those of before', () => {
  const drawing = draw(colorful)
  const none: PrintOptions = { widthMm: 40, bleedMm: 0, cropMarks: false, colorSpace: undefined }
  assert.ok(writePdf(drawing, none).equals(writePdf(drawing, { widthMm: 40 })))
  assert.equal(writeEps(drawing, none), writeEps(drawing, { widthMm: 40 }))
})

test('cmyk: every color is in inks, in fills, gradients and logos', () => {
  const pdf = writePdf(draw(colorful), { widthMm: 40, colorSpace: 'cmyk' })
  assert.doesNotMatch(pdf.toString('latin1'), /DeviceRGB|OutputIntent/)
  assert.match(pdf.toString('latin1'), /\/ColorSpace\/DeviceCMYK\/Coords/)
  assert.match(pdf.toString('latin1'), /\/Subtype\/Image[^>]*\/ColorSpace\/DeviceCMYK/)
  const inks = contentOf(pdf).match(/^.* (k|rg)$/gm)
  // Background, frame, dots of the corners, caption.
  assert.deepEqual(inks, ['0 .0197 .2323 .0039 k', '.9231 0 .2436 .6941 k', '0 0 0 1 k', '0 0 0 0 k'])
  const eps = writeEps(draw(colorful), { widthMm: 40, colorSpace: 'cmyk' })
  const body = eps.slice(eps.indexOf('%%EndProlog'))
  assert.doesNotMatch(body, / rg$|DeviceRGB/m)
  assert.match(body, /\/DeviceCMYK setcolorspace\n.*Decode\[0 1 0 1 0 1 0 1\]/)
})

test('cmyk: inks give the color again, and grey is black ink alone', () => {
  const part = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(part, part, part, (red, green, blue) => {
      const [cyan, magenta, yellow, black] = inksOf({ red, green, blue })
      const again = [cyan, magenta, yellow].map((ink) => Math.round(255 * (1 - ink) * (1 - black)))
      assert.deepEqual(again, [red, green, blue])
      if (red === green && green === blue) assert.deepEqual([cyan, magenta, yellow], [0, 0, 0])
    }),
    runs(200),
  )
})

test('rgb: every color is in RGB, and the output intent says which', async () => {
  const pdf = writePdf(draw(colorful), { widthMm: 40, colorSpace: 'rgb', cropMarks: true })
  assert.doesNotMatch(contentOf(pdf), / [kK]( |$)/m)
  assert.match(pdf.toString('latin1'), /\/OutputIntents\[\d+ 0 R\]/)
  assert.match(pdf.toString('latin1'), /\/OutputConditionIdentifier\(sRGB IEC61966-2\.1\)/)
  const at = pdf.indexOf('/N 3/Alternate/DeviceRGB')
  const profile = inflateSync(pdf.subarray(pdf.indexOf('stream\n', at) + 'stream\n'.length))
  assert.ok(profile.equals(srgbProfile()))
  const eps = writeEps(draw(colorful), { widthMm: 40, colorSpace: 'rgb', cropMarks: true })
  assert.doesNotMatch(eps.slice(eps.indexOf('%%EndProlog')), / k( |$)/m)
})

test('rgb: another program takes the profile for sRGB', async () => {
  const pixels = Buffer.from(Array.from({ length: 16 * 16 * 3 }, (_, at) => (at * 37 + (at >> 3)) & 255))
  const dir = mkdtempSync(join(tmpdir(), 'profile-'))
  try {
    const path = join(dir, 'srgb.icc')
    writeFileSync(path, srgbProfile())
    const raw = { width: 16, height: 16, channels: 3 } as const
    const png = PNG.sync.read(await sharp(pixels, { raw }).withIccProfile(path).png().toBuffer())
    // Converted from sRGB to the profile.
    const seen = [...png.data].filter((_, at) => at % 4 !== 3)
    seen.forEach((value, at) => assert.ok(Math.abs(value - (pixels[at] ?? 0)) <= 1))
  } finally {
    rmSync(dir, { recursive: true })
  }
  const profile = srgbProfile()
  assert.equal(profile.readUInt32BE(0), profile.length)
  assert.equal(profile.toString('latin1', 36, 40), 'acsp')
  const tags = profile.readUInt32BE(128)
  assert.equal(tags, 9)
  for (let at = 0; at < tags; at++) {
    const offset = profile.readUInt32BE(132 + 12 * at + 4)
    const length = profile.readUInt32BE(132 + 12 * at + 8)
    assert.ok(offset % 4 === 0 && offset + length <= profile.length)
  }
})

test('bleed: the page grows, its boxes name the picture, and background and frame continue', async () => {
  const style: Style = { backgroundColor: '#FEF9C3', frame: { style: 'border', color: '#064E3B' } }
  const pdf = writePdf(draw(style), { widthMm: 40, bleedMm: 3 })
  const boxes = pdf.toString('latin1')
  assert.match(boxes, /\/MediaBox\[0 0 130\.3937 130\.3937\]\/BleedBox\[0 0 130\.3937 130\.3937\]/)
  assert.match(boxes, /\/TrimBox\[8\.5039 8\.5039 121\.8898 121\.8898\]/)
  const pxPerMm = 10
  const seen = await flat(await rasterizePdf(pdf, 46 * pxPerMm), 46 * pxPerMm)
  // 1 mm from the edge of the page: the frame in the middle of a side, the background in a corner.
  assert.deepEqual(colorAt(seen, 23 * pxPerMm, pxPerMm), [6, 78, 59])
  assert.deepEqual(colorAt(seen, pxPerMm, 23 * pxPerMm), [6, 78, 59])
  assert.deepEqual(colorAt(seen, pxPerMm, pxPerMm), [254, 249, 195])
  const plain = await flat(await rasterizePdf(writePdf(draw(style), { widthMm: 40 }), 400), 400)
  const box = { left: 3 * pxPerMm, top: 3 * pxPerMm, width: 400, height: 400 }
  const cut = await sharp(seen.data, { raw: seen.info }).extract(box).raw().toBuffer()
  let total = 0
  for (const [at, value] of cut.entries()) total += Math.abs(value - (plain.data[at] ?? 0))
  assert.ok(total / cut.length < 4, String(total / cut.length))
})

test('crop marks: at the corners of the picture, outside its bleed', async () => {
  const pdf = writePdf(draw({}), { widthMm: 40, bleedMm: 1, cropMarks: true })
  // 2 mm of space, which is more than the bleed, and 5 mm of marks.
  assert.match(pdf.toString('latin1'), /\/TrimBox\[19\.8425 19\.8425 133\.2283 133\.2283\]/)
  const lines = contentOf(pdf).match(/^.* l S$/gm)
  assert.equal(lines?.length, 8)
  assert.equal(lines[0], '19.843 0 m 19.843 14.173 l S')
  assert.match(contentOf(pdf), /^1 1 1 1 K 0\.25 w$/m)
  const eps = writeEps(draw({}), { widthMm: 40, bleedMm: 1, cropMarks: true })
  assert.match(eps, /^%%HiResBoundingBox: 0 0 153\.0709 153\.0709$/m)
  assert.match(eps, /^1 1 1 1 k 0\.25 setlinewidth\nnewpath 19\.843 0 moveto 19\.843 14\.173 lineto stroke$/m)
})

/** Renderers round the size of a page to whole pixels. */
async function flat(picture: Sharp, px: number) {
  const sized = picture.resize(px, px, { fit: 'fill' })
  const opaque = sized.flatten({ background: '#FFFFFF' }).toColorspace('srgb').removeAlpha().raw()
  return opaque.toBuffer({ resolveWithObject: true })
}

type Flat = Awaited<ReturnType<typeof flat>>

function colorAt({ data, info }: Flat, x: number, y: number): number[] {
  const at = (Math.round(y) * info.width + Math.round(x)) * 3
  return [...data.subarray(at, at + 3)]
}
