import type { Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'
import { darkerColors, safestColors } from '@everscan/qr/drawing/readable-colors.ts'

/**
 * Yields changes that may make a picture readable, the smallest first: another error correction
 * level, a smaller logo, darker colors, a wider margin, plainer shapes; then several of them at
 * once.
 */
export function* nearbyChanges(style: Style): Generator<UpdateStyle, void, undefined> {
  const { logo } = style
  const margin = style.margin ?? 4
  if (logo === undefined) {
    for (const level of ['Q', 'H'] as const)
      if (level !== style.errorCorrection) yield { errorCorrection: level }
  } else {
    if (style.errorCorrection !== undefined && style.errorCorrection !== 'H') yield { errorCorrection: 'H' }
    for (let percent = Math.round((logo.scale ?? 0.2) * 100) - 2; percent >= 10; percent -= 4)
      yield {
        errorCorrection: 'H',
        logo: { ...logo, scale: percent / 100, margin: Math.min(logo.margin ?? 1, 1) },
      }
  }
  for (let modules = margin + 1; modules <= 4; modules++) yield { margin: modules }
  for (const percent of [75, 50, 25, 0]) yield darkerColors(style, percent / 100)
  if (style.cornerSquareStyle !== undefined || style.cornerDotStyle !== undefined)
    yield { cornerSquareStyle: null, cornerDotStyle: null }
  const plainer: UpdateStyle = { dotStyle: 'rounded', cornerRadius: 50 }
  if (style.dotStyle !== undefined && style.dotStyle !== 'square') {
    yield plainer
    yield { dotStyle: 'square', cornerRadius: 0 }
  }
  const all: UpdateStyle = { ...safestColors, ...plainer, margin: Math.max(4, margin), errorCorrection: 'H' }
  for (const scale of logo === undefined ? [] : [0.2, 0.15, 0.1])
    if (logo !== undefined)
      yield { ...all, logo: { ...logo, scale: Math.min(scale, logo.scale ?? 0.2), margin: 1 } }
  yield {
    ...all,
    cornerSquareColor: null,
    cornerDotColor: null,
    cornerSquareStyle: null,
    cornerDotStyle: null,
  }
  yield { ...all, dotStyle: 'square', logo: null, frame: null, cornerSquareColor: null, cornerDotColor: null }
}
