import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dotStyles } from '@everscan/contract/resources/styles.ts'
import * as fc from 'fast-check'
import { loadCaptionFont, missingCharacters } from '../shapes/captions.ts'
import { drawCode, isFlat, isPlain, pictureHeightPx, pictureRatio } from './drawing.ts'
import { cutOutLogo, placeLogo } from '../shapes/logos.ts'
import { createMatrix } from '../content/matrix.ts'
import { walkPath } from '../shapes/paths.ts'
import { drawSvg, writeSvg } from '../writers/svg.ts'
import { anyStyle, rasterize, readNear, readPng, runs, shortCode, testLogo } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const text = 'HTTPS://GO.EXAMPLE.COM/7K3QX9A'
const matrix = createMatrix({ text, errorCorrection: 'M' })
const strongMatrix = createMatrix({ text, errorCorrection: 'H' })

// A phone sees a small print with about 4 pixels per module.
test('SVG: a strict reader reads every style at 4 pixels per module and more', async () => {
  await fc.assert(
    fc.asyncProperty(shortCode, anyStyle, fc.integer({ min: 4, max: 9 }), async (code, style, modulePx) => {
      const content = `HTTPS://EXAMPLE.COM/${code}`
      const one = createMatrix({ text: content, errorCorrection: style.logo ? 'H' : 'M' })
      const drawing = drawCode(one, style, { font, logo: testLogo })
      const texts = await readNear(modulePx, (px) =>
        rasterize(writeSvg(drawing, { sizePx: Math.ceil(drawing.width * px) })),
      )
      assert.deepEqual(texts, [content], JSON.stringify(style))
    }),
    runs(200),
  )
})

// One of each: gradient, background, frame, modules, eye frames, balls, clip, circle, image,
// caption.
test('a style has at most 10 elements, the same text every time, and paths inside the picture', () => {
  fc.assert(
    fc.property(anyStyle, (style) => {
      const draw = () => drawCode(strongMatrix, style, { font, logo: testLogo })
      const drawing = draw()
      const svg = writeSvg(drawing)
      assert.equal(svg, writeSvg(draw()))
      const elements = svg.match(/<(?!stop|svg)[a-z]+/gi) ?? []
      assert.ok(elements.length <= 10, elements.join())
      assert.ok(svg.length < 40_000 + testLogo.dataUri.length, `${svg.length}`)
      for (const layer of drawing.layers) if (layer.kind === 'path') checkInside(drawing, layer.path)
    }),
    runs(200),
  )
})

function checkInside(
  box: { x: number; y: number; width: number; height: number },
  path: readonly number[],
): void {
  const check = (...places: number[]) => {
    for (const [at, value] of places.entries()) {
      const [from, span] = at % 2 === 0 ? [box.x, box.width] : [box.y, box.height]
      assert.ok(value >= from - 1e-9 && value <= from + span + 1e-9, `${value} is not in ${from} + ${span}`)
    }
  }
  walkPath(path, { move: check, line: check, quadratic: check, cubic: check, close: () => undefined })
}

test('an empty style draws the plain picture, byte for byte', () => {
  assert.equal(writeSvg(drawCode(matrix)), drawSvg(matrix))
  assert.equal(
    writeSvg(drawCode(matrix, { margin: 2 }), { sizePx: 99 }),
    drawSvg(matrix, { sizePx: 99, marginModules: 2 }),
  )
})

test('which styles are plain, and which are flat', () => {
  assert.ok(isPlain({}))
  assert.ok(
    isPlain({ foregroundColor: '#abcdef', cornerSquareColor: '#ABCDEF', dotStyle: 'square', margin: 2 }),
  )
  for (const style of [
    { cornerRadius: 1 },
    { dotStyle: 'dots' },
    { cornerSquareStyle: 'dot' },
    { cornerDotColor: '#FF0000' },
    { frame: { style: 'border' } },
    { transparent: true },
  ] as const) {
    assert.ok(!isPlain(style), JSON.stringify(style))
    assert.ok(isFlat(style))
  }
  assert.ok(!isFlat({ gradient: { type: 'radial', colors: ['#000000', '#111111'] } }))
  assert.ok(!isFlat({ logo: { dataUri: testLogo.dataUri } }))
})

test('a style of sharp squares with an eye of another color is two paths and the background', () => {
  const svg = writeSvg(drawCode(matrix, { cornerDotColor: '#7F1D1D' }))
  assert.equal(svg.match(/<path/g)?.length, 3)
  assert.match(svg, /crispEdges/)
})

test('a transparent picture has no background', () => {
  const drawing = drawCode(matrix, { transparent: true, backgroundColor: '#FEF9C3' })
  assert.deepEqual(
    drawing.layers.map((layer) => layer.kind),
    ['path'],
  )
  assert.doesNotMatch(writeSvg(drawing), /FEF9C3/)
})

test('pictures are square, and taller with a label that has text', () => {
  for (const frame of [undefined, { style: 'border' }, { style: 'label-below', text: ' ' }] as const) {
    assert.equal(pictureRatio(25, frame ? { frame } : {}), 1)
  }
  for (const style of ['label-below', 'label-above'] as const) {
    const look = { frame: { style, text: 'Scan me' }, margin: 2 }
    const drawing = drawCode(matrix, look, { font })
    assert.equal(pictureRatio(matrix.size, look), drawing.width / drawing.height)
    assert.ok(drawing.height > drawing.width)
    const height = pictureHeightPx(drawing, 500)
    assert.equal(height, Math.round((500 * drawing.height) / drawing.width))
    assert.match(writeSvg(drawing, { sizePx: 500 }), new RegExp(` width="500" height="${height}" `))
  }
})

/** Returns the number of dark modules drawn: each is a circle. */
const darkCount = (style: Parameters<typeof drawCode>[1]) =>
  (writeSvg(drawCode(strongMatrix, { ...style, dotStyle: 'dots' }, { logo: testLogo })).match(/z/g) ?? [])
    .length

test('a logo removes modules completely and stays clear of the format information', () => {
  const without = darkCount({})
  const small = darkCount({ logo: { dataUri: testLogo.dataUri, scale: 0.1, margin: 0 } })
  const large = darkCount({ logo: { dataUri: testLogo.dataUri, scale: 0.3, margin: 4 } })
  assert.ok(without > small && small > large)
  for (let version = 1; version <= 12; version++) {
    const one = createMatrix({ text: '1', errorCorrection: 'H', version })
    const drawing = drawCode(
      one,
      { logo: { dataUri: testLogo.dataUri, scale: 0.3, margin: 4 } },
      { logo: testLogo },
    )
    const logo = drawing.layers.find((layer) => layer.kind === 'logo')
    assert.ok(logo && logo.box.x >= 9 && logo.box.x + logo.box.width <= one.size - 9, `version ${version}`)
  }
})

test('a logo removes only modules next to it; eyes, timing and format information stay', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.double({ min: 0.1, max: 0.3, noNaN: true }),
      fc.double({ min: 0, max: 4, noNaN: true }),
      fc.boolean(),
      (version, scale, margin, round) => {
        const { size } = createMatrix({ text: '1', errorCorrection: 'H', version })
        const dark = {
          size,
          modules: new Uint8Array(size * size).fill(1),
          version,
          mask: 0,
          errorCorrection: 'H',
        } as const
        const logo = { dataUri: '', scale, margin, round }
        const { modules } = cutOutLogo(dark, logo, placeLogo(size, logo, testLogo))
        const most = (scale * size) / 2 + margin + 1
        for (let at = 0; at < modules.length; at++) {
          if (modules[at]) continue
          const x = at % size
          const y = Math.trunc(at / size)
          assert.ok(Math.abs(x + 0.5 - size / 2) < most && Math.abs(y + 0.5 - size / 2) < most)
          assert.ok(
            x !== 6 && y !== 6 && !(x < 9 && y < 9) && !(x > size - 9 && y < 9) && !(x < 9 && y > size - 9),
          )
        }
      },
    ),
    runs(100),
  )
})

test('a round logo covers its circle, any other logo lies inside its square', () => {
  const square = drawCode(strongMatrix, { logo: { dataUri: '', scale: 0.2 } }, { logo: testLogo })
  const round = drawCode(strongMatrix, { logo: { dataUri: '', scale: 0.2, round: true } }, { logo: testLogo })
  const width = strongMatrix.size * 0.2
  const [, , squareLogo] = square.layers
  const [, , roundLogo] = round.layers
  assert.ok(squareLogo?.kind === 'logo' && roundLogo?.kind === 'logo')
  assert.ok(Math.abs(squareLogo.box.width - width) < 1e-9 && squareLogo.box.height < width)
  assert.ok(Math.abs(roundLogo.box.height - width) < 1e-9 && roundLogo.box.width > width)
  assert.equal(roundLogo.clip?.radius, width / 2)
})

test('two pictures on one page share an id only for equal gradients', () => {
  assert.equal(gradientId(10), gradientId(10))
  assert.notEqual(gradientId(10), gradientId(11))
})

function gradientId(angle: number): string | undefined {
  const gradient = { type: 'linear' as const, angle, colors: ['#000000', '#1E3A8A'] }
  const svg = writeSvg(drawCode(matrix, { gradient }))
  const id = /<linearGradient id="([a-z0-9]+)"/.exec(svg)?.[1]
  assert.ok(svg.includes(`fill="url(#${id})"`))
  return id
}

test('an error names the font, picture, margin or color that is missing or wrong', () => {
  assert.throws(() => drawCode(matrix, { frame: { style: 'label-below', text: 'a' } }), /font/)
  assert.throws(() => drawCode(matrix, { logo: { dataUri: '' } }), /picture/)
  assert.throws(() => drawCode(matrix, { margin: 17 }), { name: 'PictureError', message: /"margin"/ })
  for (const style of [
    { foregroundColor: '"/>' },
    { backgroundColor: 'red' },
    { cornerSquareColor: '#12' },
    { cornerDotColor: 'url(x)' },
    { gradient: { type: 'radial', colors: ['#000000', '#x'] } },
    { frame: { style: 'border', color: 'x' } },
    { frame: { style: 'label-below', text: 'a', textColor: 'x' } },
  ] as const) {
    assert.throws(() => drawCode(matrix, structuredClone<object>(style), { font }), { name: 'PictureError' })
  }
})

test('captions: any text is drawn, and missing characters are reported', async () => {
  assert.deepEqual(await missingCharacters('Scan me! Straße, Ελλάδα, Україна, Tiếng Việt, 5 €, №1'), [])
  assert.deepEqual(await missingCharacters('a漢字漢 🙂\u200d\ufe0f\u0007'), ['漢', '字', '🙂'])
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (words) => {
      const drawing = drawCode(matrix, { frame: { style: 'label-above', text: words } }, { font })
      const label = drawing.layers.at(-1)
      if (label?.kind === 'path') checkInside(drawing, label.path)
      await missingCharacters(words)
    }),
    runs(200),
  )
})

function caption(words: string): string {
  const drawing = drawCode(matrix, { frame: { style: 'label-above', text: words } }, { font })
  return writeSvg({ ...drawing, layers: drawing.layers.slice(-1) })
}

test('captions: too long a text is cut, whatever its length', () => {
  assert.equal(caption('Scan me '.repeat(10)), caption('Scan me '.repeat(10_000)))
  assert.notEqual(caption('Scan me, and me'), caption('Scan me, and m…'))
})

test('captions: the font has the alphabets of Europe', async () => {
  const alphabets =
    'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßĀĂĄĆČĎĐĒĖĘĚĞĢĦĪĮİıĶĹĽŁŃŅŇŐŒŔŘŚŞŠȘŢŤȚŪŮŰŲŴŶŸŹŻŽ' +
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέήίόύώϊϋΐΰςАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐЄІЇЎЂЈЉЊЋЏәғқңөұүһ'
  assert.deepEqual(await missingCharacters(alphabets + alphabets.replace('İ', '').toLowerCase()), [])
})

for (const dotStyle of dotStyles) {
  test(`${dotStyle}: versions 1, 7, 14 and 40 are read`, async () => {
    for (const version of [1, 7, 14, 40]) {
      const one = createMatrix({ text: 'HTTPS://E.XY/1', errorCorrection: 'L', version })
      const svg = writeSvg(drawCode(one, { dotStyle }), { sizePx: 4 * (one.size + 8) })
      assert.deepEqual(await readPng(await rasterize(svg)), ['HTTPS://E.XY/1'], `version ${version}`)
    }
  })
}
