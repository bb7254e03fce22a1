import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrastOf } from '@everscan/qr/drawing/contrast.ts'
import * as fc from 'fast-check'
import { colorProperties, pageColors } from './page-colors.ts'

const seed = testSeed()

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('whatever the style, by day and by night: every text can be read on what it stands on', () => {
  fc.assert(
    fc.property(color, color, (foregroundColor, backgroundColor) => {
      for (const palette of Object.values(pageColors({ foregroundColor, backgroundColor }))) {
        const { page, text, muted, accent, onAccent, soft } = palette
        for (const [ink, ground] of [
          ...[text, muted, accent].flatMap((one): [string, string][] => [
            [one, page],
            [one, soft],
          ]),
          [onAccent, accent] as const,
        ])
          assert.ok(contrastOf(ink, ground) >= 4.5, `${ink} on ${ground}: ${JSON.stringify(palette)}`)
      }
    }),
    { seed, numRuns: process.env['SOAK'] === '1' ? 50_000 : 2_000 },
  )
})

test('the colors are those of the style where they can be read', () => {
  const { light } = pageColors({ foregroundColor: '#1e3a8a', backgroundColor: '#FFFFFF' })
  assert.deepEqual([light.page, light.accent, light.onAccent], ['#FFFFFF', '#1E3A8A', '#FFFFFF'])
  const gradient = pageColors({ gradient: { type: 'linear', colors: ['#7C3AED', '#DB2777'] } })
  assert.equal(gradient.light.accent, '#7C3AED')
})

test('what is no style is black on white, and only colors are written', () => {
  for (const style of [
    undefined,
    null,
    'red',
    [],
    { foregroundColor: 'red;}</style>' },
    { gradient: 1 },
    { gradient: { colors: [] } },
  ])
    assert.deepEqual(pageColors(style), pageColors({}), JSON.stringify(style))
  assert.match(colorProperties(pageColors({})).text, /^[-:;{}()@#\w]+$/)
})
