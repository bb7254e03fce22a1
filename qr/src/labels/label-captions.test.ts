import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { loadCaptionFont, measure } from '../shapes/captions.ts'
import { type CaptionRoom, drawableCaption, fitCaption, pushLabelCaption } from './label-captions.ts'
import { runs } from '../testing/pictures.ts'

const font = await loadCaptionFont()
const room: CaptionRoom = { widthMm: 24, linesMax: 2, emMm: 4, emMmMin: 1.8 }
const linesOf = (text: string, changes: Partial<CaptionRoom> = {}) =>
  fitCaption(font, drawableCaption(font, text).text, { ...room, ...changes }).lines.map((line) =>
    line.join(''),
  )

test('a short caption is one line; a longer one breaks into the narrowest block; the longest is cut', () => {
  assert.deepEqual(linesOf('Table 12'), ['Table 12'])
  assert.deepEqual(linesOf('Garden terrace, table 7'), ['Garden', 'terrace, table 7'])
  assert.deepEqual(linesOf('go.example.com/7K3QX9A'), ['go.example.com/', '7K3QX9A'])
  const [first = '', last = '', ...rest] = linesOf('word '.repeat(40))
  assert.deepEqual(rest, [])
  assert.match(first, /^(word )+word$/)
  assert.match(last, /^(word )*w?o?r?d?…$/)
  assert.deepEqual(linesOf(''), [])
})

test('any text fits its room: lines, width, size', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.lorem({ maxCount: 30 }),
    fc.string({ minLength: 150, maxLength: 200 }),
    fc.constant('W'.repeat(200)),
    fc.constant('a'.repeat(10_000)),
  )
  const anyRoom = fc.record({
    widthMm: fc.double({ min: 4, max: 90, noNaN: true }),
    linesMax: fc.integer({ min: 1, max: 4 }),
    emMm: fc.double({ min: 1.8, max: 6, noNaN: true }),
    emMmMin: fc.constant(1.8),
  })
  fc.assert(
    fc.property(anyText, anyRoom, (text, one) => {
      const { lines, emMm } = fitCaption(font, drawableCaption(font, text).text, one)
      assert.ok(lines.length <= one.linesMax)
      assert.ok(emMm <= one.emMm && emMm >= one.emMmMin * 0.8)
      for (const line of lines) {
        assert.ok((measure(font, line) * emMm) / font.unitsPerEm <= one.widthMm + 1e-6, line.join(''))
        assert.ok(line.every((character) => font.glyphs.has(character)))
      }
      const path: number[] = []
      const box = { x: 0, y: 0, width: one.widthMm, height: 20 }
      pushLabelCaption(path, { lines, emMm }, { font, box, position: 'right' })
      assert.ok(path.every(Number.isFinite))
    }),
    runs(300),
  )
})

test('characters that cannot be drawn are left out and reported', () => {
  const cases: [string, string, boolean][] = [
    ['Menü – Frühstück', 'Menü – Frühstück', true],
    ['Tea 🍵 time', 'Tea time', false],
    ['👨‍👩‍👧‍👦', '', false],
    ['שלום Tel Aviv', 'Tel Aviv', false],
    ['晚餐菜单', '', false],
    ['\u202eevil\u202c\tname\n', 'evil name', true],
    ['\ud800x', 'x', false],
    ['e\u0301te\u0301', 'été', true],
  ]
  for (const [text, drawn, isComplete] of cases)
    assert.deepEqual(drawableCaption(font, text), { text: drawn, isComplete }, text)
})
