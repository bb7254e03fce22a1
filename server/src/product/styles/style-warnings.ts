import type { Style } from '@everscan/contract/resources/styles.ts'
import {
  colorsLostInRedLight,
  contrastGood,
  hasMidTone,
  leastContrast,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import type { ReaderReading, ReadingCondition } from '@everscan/qr/reading/read-back.ts'
import { isFrameTooClose, quietModules } from '@everscan/qr/shapes/frames.ts'

/**
 * Returns what could be better in a style that is accepted: what its fields say, and what the
 * readers missed, each in a sentence.
 */
export function styleWarnings(style: Style, readers: readonly ReaderReading[]): string[] {
  const margin = style.margin ?? quietModules
  const contrast = leastContrast(style)
  const lost = colorsLostInRedLight(style)
  return [
    ...(isFrameTooClose(style)
      ? [`The margin of ${margin} is less than ${quietModules} modules: the frame is too close to the code.`]
      : margin < quietModules
        ? [
            `The margin of ${margin} is less than ${quietModules} modules: the surface around the picture must be as light as its background.`,
          ]
        : []),
    ...(style.transparent === true
      ? [`The background is transparent: the code needs a surface as light as ${lightColor(style)}.`]
      : []),
    ...(contrast < contrastGood
      ? [`The contrast of ${contrast}:1 is low: some scans fail in dim light or on worn prints.`]
      : []),
    ...(hasMidTone(style)
      ? [`The background ${lightColor(style)} is a mid-tone: on white paper, some readers take it for dark.`]
      : []),
    ...(style.dotStyle === 'dots'
      ? ['Some readers miss dots that do not touch each other: dotStyle rounded is read by more of them.']
      : []),
    ...(lost.length > 0
      ? [
          `Red light does not show ${lost.join(' and ')}: scanners with a red light, such as those at tills, miss the code.`,
        ]
      : []),
    ...readers.flatMap((reader) => missedIn(reader, lost.length > 0)),
  ]
}

/** `knowsRed`: whether another warning is about red light. */
function missedIn({ name, missed }: ReaderReading, knowsRed: boolean): string[] {
  const conditions = missed.filter((condition) => condition !== 'red' || !knowsRed)
  if (conditions.length === 0) return []
  return [`The reader ${name} missed the picture ${conditions.map((one) => inWords[one]).join(', ')}.`]
}

const inWords: Readonly<Record<ReadingCondition, string>> = {
  full: 'at full size',
  odd: 'between pixels',
  half: 'at half size',
  small: 'at a small size',
  blurred: 'blurred',
  grey: 'in grey',
  worn: 'with a slightly larger logo',
  paper: 'on white paper',
  red: 'in red light',
}
