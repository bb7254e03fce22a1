import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { createMatrix, type MatrixOptions } from '../content/matrix.ts'
import { drawPng } from './png.ts'
import { drawSvg, type SvgOptions } from './svg.ts'
import { rasterize, readPng } from '../testing/pictures.ts'

// Pictures as they were once delivered. A difference means that printed codes and their downloads
// no longer look alike. Don't update these files; add new ones (`GOLDEN=write` writes missing
// files).

const url = 'HTTPS://EXAMPLE.COM/7K3QX9A'

const golden: readonly (MatrixOptions & SvgOptions & { name: string })[] = [
  { name: 'default', text: url, errorCorrection: 'M', version: 2, mask: 5 },
  {
    name: 'titled',
    text: url,
    errorCorrection: 'M',
    version: 2,
    mask: 2,
    title: 'Menu & "drinks" <table 7>',
  },
  { name: 'least', text: url, errorCorrection: 'L', version: 2, mask: 0, sizePx: 64, marginModules: 0 },
  { name: 'odd-size', text: url, errorCorrection: 'Q', version: 2, mask: 7, sizePx: 333, marginModules: 2 },
  {
    name: 'wide-margin',
    text: url,
    errorCorrection: 'H',
    version: 3,
    mask: 1,
    sizePx: 512,
    marginModules: 16,
  },
  {
    name: 'colors',
    text: url,
    errorCorrection: 'M',
    version: 2,
    mask: 3,
    sizePx: 300,
    foreground: '#1E3A8A',
    background: '#fef9c3',
  },
  { name: 'lower-case', text: 'https://example.com/spring-26', errorCorrection: 'M', version: 3, mask: 4 },
  {
    name: 'long',
    text: 'HTTP://QR.CUSTOMER.EXAMPLE.COM:8443/SPRING-2026',
    errorCorrection: 'Q',
    version: 4,
    mask: 6,
    sizePx: 256,
  },
  { name: 'high-version', text: url, errorCorrection: 'M', version: 14, mask: 5, sizePx: 2048 },
]

for (const { name, ...options } of golden) {
  test(`golden picture: ${name}`, async () => {
    const matrix = createMatrix(options)
    assert.deepEqual([matrix.version, matrix.mask], [options.version, options.mask])
    const svg = drawSvg(matrix, options)
    const png = drawPng(matrix, options)
    assert.equal(svg, readGolden(`${name}.svg`, Buffer.from(svg)).toString())
    assert.deepEqual(readChunks(png), readChunks(readGolden(`${name}.png`, png)))
    assert.deepEqual(await readPng(png), [options.text])
    assert.deepEqual(await readPng(await rasterize(svg)), [options.text])
  })
}

function readGolden(file: string, drawn: Buffer): Buffer {
  const path = new URL(`../../testdata/${file}`, import.meta.url)
  if (process.env.GOLDEN === 'write' && !existsSync(path)) writeFileSync(path, drawn)
  return readFileSync(path)
}

/**
 * Returns every byte of a PNG, but with the pixels decompressed: zlib builds of other platforms
 * choose other matches.
 */
function readChunks(png: Buffer): string[] {
  const chunks = [png.toString('hex', 0, 8)]
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString('latin1', at + 4, at + 8)
    const data = png.subarray(at + 8, at + 8 + png.readUInt32BE(at))
    chunks.push(`${type} ${(type === 'IDAT' ? inflateSync(data) : data).toString('base64')}`)
  }
  return chunks
}
