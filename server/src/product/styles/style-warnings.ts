import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import {
  colorsLostInRedLight,
  contrastGood,
  hasMidTone,
  leastContrast,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import type { ReaderReading } from '@everscan/qr/reading/read-back.ts'
import { isFrameTooClose, quietModules } from '@everscan/qr/shapes/frames.ts'

/**
 * Returns what could be better in a style that is accepted: what its fields say, and what the
 * readers missed.
 */
export function styleWarnings(style: Style, readers: readonly ReaderReading[]): Problem[] {
  const margin = style.margin ?? quietModules
  const contrast = leastContrast(style)
  const color = lightColor(style)
  const lost = colorsLostInRedLight(style)
  const ofMargin = { margin, min: quietModules }
  return [
    ...(isFrameTooClose(style)
      ? [problem('marginFrameTooClose', ofMargin)]
      : margin < quietModules
        ? [problem('marginTooSmall', ofMargin)]
        : []),
    ...(style.transparent === true ? [problem('backgroundTransparent', { color })] : []),
    ...(contrast < contrastGood ? [problem('contrastLow', { contrast })] : []),
    ...(hasMidTone(style) ? [problem('backgroundMidTone', { color })] : []),
    ...(style.dotStyle === 'dots' ? [problem('dotsApart')] : []),
    ...(lost.length > 0 ? [problem('lostInRedLight', { colors: lost.join(', ') })] : []),
    ...readers.flatMap((reader) => missedIn(reader, lost.length > 0)),
  ]
}

/** `knowsRed`: whether another warning is about red light. */
function missedIn({ name, missed }: ReaderReading, knowsRed: boolean): Problem[] {
  const conditions = missed.filter((condition) => condition !== 'red' || !knowsRed)
  if (conditions.length === 0) return []
  return [problem('pictureMissed', { reader: name, conditions: conditions.join(', ') })]
}
