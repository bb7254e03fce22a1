import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { loadCaptionFont } from '../shapes/captions.ts'
import { drawCode } from '../drawing/drawing.ts'
import { writeEps } from './eps.ts'
import { createMatrix } from '../content/matrix.ts'
import { anyStyle, flatStyle, rasterize, readNear, runs, shortCode, testLogo } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const text = 'HTTPS://GO.EXAMPLE.COM/7K3QX9A'
const matrix = createMatrix({ text, errorCorrection: 'M' })

// Interprets our few operators into an SVG by the rules of the PostScript Language Reference: a
// stack of numbers, the current matrix, color and path. An unknown operator is an error.

/** Returns the page as SVG, in points, with the y axis flipped. */
function interpret(eps: string, widthPx: number): string {
  const [, width = 0, height = 0] = (/^%%HiResBoundingBox: 0 0 (\S+) (\S+)$/m.exec(eps) ?? []).map(Number)
  const body = eps.slice(eps.indexOf('%%EndProlog') + 11, eps.indexOf('%%EOF'))
  const matrixText = /\[([^\]]*)\] concat/.exec(body)?.[1] ?? ''
  const stack: number[] = []
  const elements: string[] = []
  let fill = ''
  let path = ''
  const paint = (shape: string) => elements.push(`<path fill="${fill}" d="${shape}"/>`)
  const take = (count: number) => {
    assert.ok(stack.length === count, `${stack.length} numbers instead of ${count}`)
    return stack.splice(0)
  }
  const operators: Record<string, () => unknown> = {
    gsave: () => undefined,
    grestore: () => undefined,
    end: () => undefined,
    showpage: () => undefined,
    m: () => (path += `M${take(2).join()}`),
    l: () => (path += `L${take(2).join()}`),
    c: () => (path += `C${take(6).join()}`),
    h: () => (path += 'Z'),
    f: () => {
      paint(path)
      path = ''
    },
    rectfill: () => {
      const [x = 0, y = 0, across = 0, down = 0] = take(4)
      paint(`M${x},${y}h${across}v${down}h${-across}z`)
    },
    k: () => {
      const [cyan, magenta, yellow, black = 0] = take(4)
      assert.deepEqual([cyan, magenta, yellow], [0, 0, 0])
      fill = black === 1 ? '#000000' : '#ffffff'
    },
    rg: () =>
      (fill = `rgb(${take(3)
        .map((part) => part * 255)
        .join()})`),
  }
  for (const token of body.replace(/\[[^\]]*\] concat/, '').split(/\s+/)) {
    if (token === '') continue
    if (/^-?[\d.]+$/.test(token)) stack.push(Number(token))
    else (operators[token] ?? assert.fail(`unknown: ${token}`))()
  }
  assert.equal(stack.length, 0)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" viewBox="0 0 ${width} ${height}">` +
    `<g transform="matrix(1 0 0 -1 0 ${height}) matrix(${matrixText})">${elements.join('')}</g></svg>`
  )
}

test('EPS: a strict reader reads every flat style, drawn by the meaning of its operators', async () => {
  await fc.assert(
    fc.asyncProperty(shortCode, flatStyle, async (code, style) => {
      const content = `HTTPS://EXAMPLE.COM/${code}`
      const drawing = drawCode(createMatrix({ text: content, errorCorrection: 'M' }), style, { font })
      const eps = writeEps(drawing, { widthMm: 40 })
      const texts = await readNear(6, (px) => rasterize(interpret(eps, drawing.width * px)))
      assert.deepEqual(texts, [content], JSON.stringify(style))
    }),
    runs(100),
  )
})

test('EPS: any style is balanced 7-bit text in short lines, the same every time', () => {
  fc.assert(
    fc.property(anyStyle, fc.string({ unit: 'binary' }), (style, title) => {
      const draw = () => drawCode(matrix, style, { font, logo: testLogo })
      const eps = writeEps(draw(), { widthMm: 40, title })
      assert.equal(eps, writeEps(draw(), { widthMm: 40, title }))
      assert.match(eps, /^[\n\x20-\x7e]*$/)
      const lines = eps.split('\n')
      assert.ok(lines.every((line) => line.length <= 255))
      // Structure comments appear only where we write them.
      assert.equal(lines.filter((line) => line.startsWith('%%')).length, 9)
      assert.equal(eps.match(/\bgsave\b/g)?.length, eps.match(/\bgrestore\b/g)?.length)
      assert.match(eps, style.gradient || style.logo ? /LanguageLevel: 3/ : /LanguageLevel: 2/)
    }),
    runs(100),
  )
})

test('EPS: the bounding boxes fit the picture, whole points rounded up', () => {
  const eps = writeEps(drawCode(matrix), { widthMm: 25.4 })
  assert.match(eps, /^%!PS-Adobe-3\.0 EPSF-3\.0\n%%BoundingBox: 0 0 72 72\n%%HiResBoundingBox: 0 0 72 72\n/)
  const look = { frame: { style: 'label-above', text: 'Scan me' } } as const
  const labelled = drawCode(matrix, look, { font })
  const heightPt = (40 / 25.4) * 72 * (labelled.height / labelled.width)
  const box = new RegExp(
    `%%BoundingBox: 0 0 114 ${Math.ceil(heightPt)}\n%%HiResBoundingBox: 0 0 113.3858 ${Math.round(heightPt * 1e4) / 1e4}\n`,
  )
  assert.match(writeEps(labelled, { widthMm: 40 }), box)
})

test('EPS: a title is escaped', () => {
  const eps = writeEps(drawCode(matrix), { widthMm: 40, title: 'Café (\\) \n%%EOF' })
  assert.ok(eps.includes('\n%%Title: (Caf? \\(\\\\\\) ?%%EOF)\n'))
})

test('EPS: a gradient is a shading pattern between its two colors', () => {
  const gradient = { type: 'linear' as const, angle: 0, colors: ['#FF0000', '#0000FF'] }
  const eps = writeEps(drawCode(matrix, { gradient }), { widthMm: 40 })
  assert.match(eps, /\/ShadingType 2\/ColorSpace\/DeviceRGB\n\/Coords\[0 12\.5 25 12\.5\]/)
  assert.match(eps, /\/C0\[1 0 0\]\/C1\[0 0 1\]/)
})

/** Blends like the half-transparent right half of the logo. */
const mix = (above: number, below: number) => Math.round((above * 128 + below * 127) / 255)

test('EPS: the pixels of a logo are blended with the background', () => {
  const one = createMatrix({ text, errorCorrection: 'H' })
  const style = { logo: { dataUri: '' }, backgroundColor: '#FEF9C3', transparent: true }
  const eps = writeEps(drawCode(one, style, { logo: testLogo }), { widthMm: 40 })
  const data = /image\n([^~]*)~>/.exec(eps)?.[1] ?? ''
  const pixels = inflateSync(decodeAscii85(data))
  assert.equal(pixels.length, testLogo.widthPx * testLogo.heightPx * 3)
  assert.deepEqual([...pixels.subarray(0, 3)], [200, 30, 40])
  const last = testLogo.widthPx * 3 - 3
  assert.deepEqual([...pixels.subarray(last, last + 3)], [mix(40, 0xfe), mix(60, 0xf9), mix(220, 0xc3)])
})

function decodeAscii85(encoded: string): Buffer {
  const bytes: number[] = []
  const digits = encoded.replace(/\s/g, '').replaceAll('z', '!!!!!')
  for (let at = 0; at < digits.length; at += 5) {
    const group = digits.slice(at, at + 5)
    const value = Array.from(group.padEnd(5, 'u')).reduce(
      (sum, digit) => sum * 85 + digit.charCodeAt(0) - 33,
      0,
    )
    const four = Buffer.alloc(4)
    four.writeUInt32BE(value)
    bytes.push(...four.subarray(0, group.length - 1))
  }
  return Buffer.from(bytes)
}
