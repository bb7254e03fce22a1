import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createMatrix } from '../content/matrix.ts'
import { drawSvg } from './svg.ts'
import { rasterize, runs, shortCode } from '../testing/pictures.ts'

const matrix = createMatrix({ text: 'HTTPS://GO.EXAMPLE.COM/7K3QX9A', errorCorrection: 'M' })

test('a plain code is at most 3 KB and two paths', () => {
  fc.assert(
    fc.property(shortCode, fc.constantFrom('L', 'M', 'Q', 'H'), (code, errorCorrection) => {
      const text = `HTTPS://QR.CUSTOMER-NAME.EXAMPLE.COM:8443/${code}`
      const svg = drawSvg(createMatrix({ text, errorCorrection }), { sizePx: 4096, marginModules: 16 })
      assert.ok(svg.length <= 3000, `${svg.length} bytes`)
      assert.equal(svg.match(/<[a-z]+/g)?.join(), '<svg,<path,<path')
    }),
    runs(100),
  )
})

test('defaults are 1024 px, 4 modules of margin, black on white', () => {
  const svg = drawSvg(matrix)
  assert.match(
    svg,
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1024" height="1024" viewBox="-4 -4 33 33"/,
  )
  assert.match(svg, /shape-rendering="crispEdges"/)
  assert.match(svg, /<path fill="#FFFFFF" d="M-4 -4h33v33H-4z"\/><path fill="#000000"/)
  assert.doesNotMatch(svg, /title/)
})

test('size, margin and colors are as requested', () => {
  const svg = drawSvg(matrix, { sizePx: 64, marginModules: 0, foreground: '#102030', background: '#fafafa' })
  assert.match(svg, /width="64" height="64" viewBox="0 0 25 25"/)
  assert.match(svg, /<path fill="#fafafa" d="M0 0h25v25H0z"\/><path fill="#102030"/)
})

test('a title is escaped', () => {
  const svg = drawSvg(matrix, { title: `</title><script>alert("1")</script> & 'Café'\u0000\u001f\ud800` })
  assert.match(svg, / role="img"><title>&lt;\/title&gt;&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; /)
  assert.ok(svg.includes('&amp; &#39;Café&#39;\ufffd\ufffd\ufffd</title>'))
})

test('any title leaves the SVG well-formed and the picture unchanged', async () => {
  const plain = await rasterize(drawSvg(matrix, { sizePx: 128 }))
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (title) => {
      assert.ok(plain.equals(await rasterize(drawSvg(matrix, { sizePx: 128, title }))))
    }),
    runs(100),
  )
})

const rejected = [
  [{ sizePx: 63 }, '"size" must be a whole number from 64 to 4096, got 63'],
  [{ sizePx: 4097 }, '"size" must be a whole number from 64 to 4096, got 4097'],
  [{ sizePx: 100.5 }, '"size" must be a whole number from 64 to 4096, got 100.5'],
  [{ sizePx: NaN }, '"size" must be a whole number from 64 to 4096, got NaN'],
  [{ marginModules: -1 }, '"margin" must be a whole number from 0 to 16, got -1'],
  [{ marginModules: 17 }, '"margin" must be a whole number from 0 to 16, got 17'],
  [{ foreground: '#fff' }, 'a color must have the form #RRGGBB, got "#fff"'],
  [{ background: 'red"/><script>' }, 'a color must have the form #RRGGBB, got "red\\"/><script>"'],
] as const

for (const [options, message] of rejected) {
  test(`rejected: ${message}`, () => {
    assert.throws(() => drawSvg(matrix, options), { name: 'PictureError', message })
  })
}
