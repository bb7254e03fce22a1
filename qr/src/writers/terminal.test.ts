import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { createMatrix } from '../content/matrix.ts'
import { readers } from '../testing/readers.ts'
import { drawTerminal } from './terminal.ts'

const url = 'HTTP://192.168.178.20:3000/7K3QX9A'

for (const [name, read] of Object.entries(readers))
  test(`${name} reads the code from the characters of a dark terminal`, async () => {
    for (const version of [3, 4, 7]) {
      const drawn = drawTerminal(createMatrix({ text: url, errorCorrection: 'L', version }))
      assert.equal(await read(screenshotOf(drawn)), url)
    }
  })

test('every line sets black on white, and the colors end with it', () => {
  const lines = drawTerminal(createMatrix({ text: url, errorCorrection: 'L' }))
    .trimEnd()
    .split('\n')
  assert.ok(lines.length > 14)
  for (const line of lines) {
    assert.ok(line.startsWith('\u001b[38;2;0;0;0;48;2;255;255;255m') && line.endsWith('\u001b[0m'))
    assert.match(line.slice(line.indexOf('m') + 1, -4), /^[ ▀▄█]+$/)
  }
})

/** Paints half of a character as 8 × 8 pixels, on a black screen around the code. */
function screenshotOf(drawn: string): Sharp {
  const rows = drawn
    .trimEnd()
    .split('\n')
    // eslint-disable-next-line no-control-regex
    .map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, ''))
    .flatMap((line) => [
      line.split('').map((char) => char !== '▀' && char !== '█'),
      line.split('').map((char) => char !== '▄' && char !== '█'),
    ])
  const width = rows[0]?.length ?? 0
  const pixels = Buffer.from(rows.flat().map((isLight) => (isLight ? 255 : 0)))
  return sharp(pixels, { raw: { width, height: rows.length, channels: 1 } })
    .resize(width * 8, rows.length * 8, { kernel: 'nearest' })
    .extend({ top: 40, bottom: 40, left: 40, right: 40, background: 'black' })
    .toColorspace('srgb')
}
