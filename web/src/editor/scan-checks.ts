import { mergeStyle, type Style, type UpdateStyle } from '@everscan/contract/resources/styles.ts'
import {
  type ColorField,
  colorsLostInRedLight,
  contrastGood,
  contrastMin,
  contrastOf,
  darkColors,
  hasMidTone,
  isFrameTooLight,
  isReadableOn,
  leastContrast,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import { errorCorrectionOf } from '@everscan/qr/shapes/encodings.ts'
import { isFrameTooClose, quietModules } from '@everscan/qr/shapes/frames.ts'
import { darkerColors, readableStyle } from '@everscan/qr/drawing/readable-colors.ts'

export type ScanAdvice =
  | 'inverted'
  | 'dotsTooLight'
  | 'cornersTooLight'
  | 'frameTooLight'
  | 'frameTooClose'
  | 'lowContrast'
  | 'thinMargin'
  | 'transparent'
  | 'largeLogo'
  | 'logoLevel'
  | 'midTone'
  | 'separateDots'
  | 'redLight'

/** Estimate of how well phones will read a style. Only saving reads a picture. */
export type ScanCheck = {
  level: 'easy' | 'fair' | 'hard'
  advice: readonly { about: ScanAdvice; change?: UpdateStyle }[]
}

/** Largest scale of a logo for the usual size. A wider logo is read only in larger codes. */
const usualScaleMax = 0.25

/** Checks a style with the functions of the service, for the same reasons in the same order. */
export function checkStyle(style: Style): ScanCheck {
  const broken = brokenParts(style)
  if (broken.length > 0) {
    const change = readableStyle(style)
    return { level: 'hard', advice: broken.map((about) => ({ about, ...(change && { change }) })) }
  }
  const { margin = quietModules, logo, errorCorrection } = style
  const advice = [
    ...(leastContrast(style) < contrastGood
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
    ...(hasMidTone(style) ? [{ about: 'midTone' as const }] : []),
    ...(style.dotStyle === 'dots'
      ? [{ about: 'separateDots' as const, change: { dotStyle: 'rounded' as const, cornerRadius: null } }]
      : []),
    ...(colorsLostInRedLight(style).length > 0 ? [{ about: 'redLight' as const }] : []),
  ]
  return { level: advice.length > 0 ? 'fair' : 'easy', advice }
}

/** Returns the change that darkens the colors only as much as necessary. */
function strongerColors(style: Style): { change?: UpdateStyle } {
  for (let percent = 95; percent >= 0; percent -= 5) {
    const change = darkerColors(style, percent / 100)
    if (leastContrast(mergeStyle(style, change)) >= contrastGood) return { change }
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
    ...(isFrameTooClose(style) ? ['frameTooClose' as const] : []),
  ]
}
