import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import {
  cornerDotStyles,
  cornerSquareStyles,
  dotStyles,
  type Style,
} from '@everscan/contract/resources/styles.ts'
import { loadCaptionFont } from '../shapes/captions.ts'
import { drawCode, isFlat } from '../drawing/drawing.ts'
import { writeEps } from './eps.ts'
import { createMatrix, type MatrixOptions } from '../content/matrix.ts'
import { writePdf } from './pdf.ts'
import { drawPixels } from '../drawing/pixels.ts'
import { writePng } from './styled-png.ts'
import { writeSvg } from './svg.ts'
import { rasterize, readPng, testLogo } from '../testing/pictures.ts'

// Delivered pictures in every style: the SVG as a file, the other formats as a hash of their
// content before compression, because zlib differs by platform. A difference means that printed
// codes no longer look like their downloads. `GOLDEN=write` writes missing files. To change a
// picture, delete its file first, check the new one (`node scripts/picture-sheet.ts sheet.png`),
// and mention the change in the changelog.

const codes: readonly MatrixOptions[] = [
  { text: 'HTTPS://E.XY/7K3QX9A', errorCorrection: 'L', version: 1, mask: 3 },
  { text: 'HTTPS://EXAMPLE.COM/7K3QX9A', errorCorrection: 'M', version: 2, mask: 5 },
  { text: 'https://example.com/spring', errorCorrection: 'Q', version: 3, mask: 1 },
]
const strong: MatrixOptions = {
  text: 'HTTPS://EXAMPLE.COM/7K3QX9A',
  errorCorrection: 'H',
  version: 3,
  mask: 2,
}

const logo = { dataUri: testLogo.dataUri }
const blueToPurple = ['#1D4ED8', '#7C3AED']

const styles: readonly [name: string, style: Style][] = [
  ...dotStyles.flatMap((dotStyle) =>
    cornerSquareStyles.flatMap((cornerSquareStyle) =>
      cornerDotStyles.map((cornerDotStyle): [string, Style] => [
        `${dotStyle}-in-${cornerSquareStyle}-and-${cornerDotStyle}`,
        { dotStyle, cornerSquareStyle, cornerDotStyle },
      ]),
    ),
  ),
  ...[20, 40, 60, 100].map((cornerRadius): [string, Style] => [`radius-${cornerRadius}`, { cornerRadius }]),
  ['colors', { foregroundColor: '#1E3A8A', backgroundColor: '#FEF9C3', dotStyle: 'rounded' }],
  ['colors-of-eyes', { cornerSquareColor: '#7F1D1D', cornerDotColor: '#064E3B', dotStyle: 'classy' }],
  ['colors-of-balls', { foregroundColor: '#064E3B', cornerDotColor: '#7F1D1D', dotStyle: 'classy-rounded' }],
  ['transparent', { transparent: true, dotStyle: 'extra-rounded', foregroundColor: '#4C1D95' }],
  ['gradient-across', { gradient: { type: 'linear', colors: blueToPurple } }],
  ['gradient-down', { gradient: { type: 'linear', angle: 90, colors: blueToPurple }, dotStyle: 'dots' }],
  ['gradient-aslant', { gradient: { type: 'linear', angle: 225, colors: blueToPurple }, cornerRadius: 50 }],
  ['gradient-outwards', { gradient: { type: 'radial', colors: blueToPurple }, dotStyle: 'rounded' }],
  ['gradient-and-eyes', { gradient: { type: 'radial', colors: blueToPurple }, cornerSquareColor: '#0F172A' }],
  ['logo', { logo }],
  ['logo-round', { logo: { ...logo, round: true, scale: 0.25 }, dotStyle: 'rounded' }],
  ['logo-large', { logo: { ...logo, scale: 0.3, margin: 0 }, dotStyle: 'extra-rounded' }],
  ['logo-wide-margin', { logo: { ...logo, scale: 0.15, margin: 2 }, dotStyle: 'dots' }],
  ['logo-all', { logo, gradient: { type: 'radial', colors: blueToPurple }, frame: { style: 'border' } }],
  ['frame', { frame: { style: 'border', color: '#7F1D1D' }, margin: 3 }],
  ['label-below', { frame: { style: 'label-below', text: 'Scan me' } }],
  ['label-above', { frame: { style: 'label-above', text: 'Απόδειξη' }, dotStyle: 'rounded' }],
  ['label-long', { frame: { style: 'label-below', text: 'Отсканируйте код, чтобы увидеть меню дня' } }],
  [
    'label-colors',
    { frame: { style: 'label-below', text: 'Café – AVA', color: '#064E3B', textColor: '#FEF9C3' } },
  ],
  [
    'label-missing',
    { frame: { style: 'label-above', text: 'Menu 菜单', color: '#1E3A8A' }, transparent: true },
  ],
]

const folder = new URL('../../testdata/styled/', import.meta.url)
const writing = process.env['GOLDEN'] === 'write'
if (writing) mkdirSync(folder, { recursive: true })
const font = await loadCaptionFont()

test('there are 60 golden pictures with different names', () => {
  assert.equal(new Set(styles.map(([name]) => name)).size, 60)
})

styles.forEach(([name, style], at) => {
  test(`golden picture: ${name}`, async () => {
    const code = style.logo ? strong : codes[at % codes.length]
    assert.ok(code)
    const matrix = createMatrix(code)
    assert.deepEqual([matrix.version, matrix.mask], [code.version, code.mask])
    const drawing = drawCode(matrix, style, { font, logo: testLogo })
    const svg = writeSvg(drawing, { sizePx: 330, title: name })
    assert.equal(svg, readGolden(`${name}.svg`, svg))
    const hashes = [
      ...(isFlat(style) ? [`png ${hashPixels(drawPixels(drawing, 330))}`] : []),
      `pdf ${hash(unpackPdf(writePdf(drawing, { widthMm: 30, title: name })))}`,
      `eps ${hash(unpackEps(writeEps(drawing, { widthMm: 30, title: name })))}`,
    ]
    assert.equal(hashes.join('\n'), readGolden(`${name}.sha256`, hashes.join('\n')))
    const onWhite = {
      ...drawing,
      layers: style.transparent ? withBackground(drawing.layers) : drawing.layers,
    }
    assert.deepEqual(await readPng(await rasterize(writeSvg(onWhite, { sizePx: 330 }))), [code.text])
    if (isFlat(style)) assert.deepEqual(await readPng(writePng(onWhite, { sizePx: 330 })), [code.text])
  })
})

function withBackground(layers: ReturnType<typeof drawCode>['layers']) {
  const box = { x: -16, y: -16, width: 100, height: 100 }
  return [{ kind: 'box', box, fill: '#FFFFFF' } as const, ...layers]
}

function readGolden(file: string, drawn: string): string {
  const path = new URL(file, folder)
  if (writing && !existsSync(path)) writeFileSync(path, drawn)
  return readFileSync(path, 'utf8')
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

function hashPixels({ widthPx, heightPx, palette, indexes }: ReturnType<typeof drawPixels>): string {
  return hash(`${widthPx} ${heightPx} ${JSON.stringify(palette)} ${hash(indexes)}`)
}

/** Returns the objects without stream lengths and table, with streams decompressed. */
function unpackPdf(pdf: Buffer): string {
  const parts: string[] = []
  let at = 0
  for (;;) {
    const end = pdf.indexOf('endobj', at)
    if (end < 0) return parts.join('\n')
    const stream = pdf.subarray(0, end).indexOf('>>stream\n', at)
    const head = pdf.toString('latin1', at, stream < 0 ? end : stream).replace(/\/Length \d+/, '')
    parts.push(head)
    if (stream >= 0)
      parts.push(inflateSync(pdf.subarray(stream + '>>stream\n'.length, end)).toString('latin1'))
    at = end + 'endobj'.length
  }
}

/** Removes the data of a logo, which has its own tests. */
const unpackEps = (eps: string) => eps.replace(/>>image\n[^~]*~>/, '')
