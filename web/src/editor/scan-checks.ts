import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import {
  type ColorField,
  contrastMin,
  contrastOf,
  darkColors,
  isFrameTooLight,
  isReadableOn,
  leastContrast,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import { errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { darkerColors, readableColors } from '@everscan/qr/drawing/readable-colors.ts'

export type ScanAdvice =
  | 'inverted'
  | 'dotsTooLight'
  | 'cornersTooLight'
  | 'frameTooLight'
  | 'lowContrast'
  | 'thinMargin'
  | 'transparent'
  | 'largeLogo'
  | 'logoLevel'

/** How well phones will read a style, as far as can be said without reading a picture: that is done when it is saved. */
export type ScanCheck = {
  level: 'easy' | 'fair' | 'hard'
  advice: readonly { about: ScanAdvice; change?: UpdateStyle }[]
}

/** Under this the service warns of dim light and worn prints. */
const goodContrast = 4.5
const quietModules = 4
/** A wider logo is read only in larger codes. */
const usualScaleMax = 0.25

/** With the functions that the service checks with, for its own reasons in its own order. */
export function checkStyle(style: Style): ScanCheck {
  const broken = brokenParts(style)
  if (broken.length > 0) {
    const change = readableColors(style)
    return { level: 'hard', advice: broken.map((about) => ({ about, ...(change && { change }) })) }
  }
  const { margin = quietModules, logo, errorCorrection } = style
  const advice = [
    ...(leastContrast(style) < goodContrast
      ? [{ about: 'lowContrast' as const, ...strongerColors(style) }]
      : []),
    ...(margin < quietModules ? [{ about: 'thinMargin' as const, change: { margin: quietModules } }] : []),
    ...(logo !== undefined && (logo.scale ?? 0) > usualScaleMax
      ? [{ about: 'largeLogo' as const, change: { logo: { ...logo, scale: 0.2 } } }]
      : []),
    ...(logo !== undefined && errorCorrectionOf(style) !== 'H' && errorCorrection !== undefined
      ? [{ about: 'logoLevel' as const, change: { errorCorrection: null } }]
      : []),
    ...(style.transparent === true ? [{ about: 'transparent' as const }] : []),
  ]
  return { level: advice.length > 0 ? 'fair' : 'easy', advice }
}

/** As little darker as it takes. */
function strongerColors(style: Style): { change?: UpdateStyle } {
  for (let percent = 95; percent >= 0; percent -= 5) {
    const change = darkerColors(style, percent / 100)
    if (leastContrast(mergeStyle(style, change)) >= goodContrast) return { change }
  }
  return {}
}

const isDots = (field: ColorField) => field === 'foregroundColor' || field === 'gradient'

function brokenParts(style: Style): ScanAdvice[] {
  const light = lightColor(style)
  const wrong = darkColors(style).filter(({ color }) => !isReadableOn(color, light))
  const dots = wrong.find(({ field }) => isDots(field))
  return [
    ...(dots === undefined
      ? []
      : contrastOf(dots.color, light) >= contrastMin
        ? ['inverted' as const]
        : ['dotsTooLight' as const]),
    ...(wrong.some(({ field }) => !isDots(field)) ? ['cornersTooLight' as const] : []),
    ...(isFrameTooLight(style) ? ['frameTooLight' as const] : []),
  ]
}
