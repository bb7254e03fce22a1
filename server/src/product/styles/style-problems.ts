import type { Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'
import {
  contrastMin,
  contrastOf,
  darkColors,
  frameColor,
  isFrameTooLight,
  isReadableOn,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import { isFrameTooClose, quietModules } from '@everscan/qr/shapes/frames.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'

export type StyleProblem = ProblemDetail & { suggestion?: UpdateStyle }

const frameColorPath = 'style.frame.color'
const marginPath = 'style.margin'

/** Returns what is wrong with a style before any picture in it is read: see `readableStyle`. */
export function problemsOf(style: Style, suggestion: UpdateStyle | undefined): StyleProblem[] {
  const light = lightColor(style)
  const problems = darkColors(style)
    .filter(({ color }) => !isReadableOn(color, light))
    .map(({ field, color }) => ({
      path: `style.${field}`,
      message: `${color} must be darker than the background ${light}, with a contrast of at least ${contrastMin}:1, got ${contrastOf(color, light)}:1`,
    }))
  if (isFrameTooLight(style)) {
    const message = `${frameColor(style)} must not be lighter than the background ${light}: otherwise readers take the background for dark`
    problems.push({ path: frameColorPath, message })
  }
  if (isFrameTooClose(style)) {
    const message = `must be at least ${quietModules} inside a frame, got ${style.margin}: otherwise readers take the frame for a part of the code`
    problems.push({ path: marginPath, message })
  }
  return problems.map((problem) => ({ ...problem, ...(suggestion && { suggestion }) }))
}

/** Returns the first problem in words, for the message. */
export function reasonOf([first]: readonly StyleProblem[]): string {
  if (first?.path === marginPath) return 'its frame is too close to the code'
  if (first?.path === frameColorPath) return 'its frame is lighter than its background'
  return 'a reader could not tell the modules from the background'
}

/** Returns ApiError 422 with a reason and the nearest change that would be accepted. */
export function notScannable(
  why: string,
  suggestion: UpdateStyle | undefined,
  details: readonly StyleProblem[],
): ApiError {
  const message = `style: ${why}; ${suggestion === undefined ? alone : `${inWords(suggestion)} would be accepted`}`
  return new ApiError(422, 'STYLE_NOT_SCANNABLE', message, { details: [...details] })
}

const alone = 'send one code alone to learn which change would be accepted'

function inWords(change: UpdateStyle): string {
  return Object.entries(change)
    .map(([name, value]) => `${name} ${inShort(value)}`)
    .join(' and ')
}

function inShort(value: unknown): string {
  if (value === null) return 'removed'
  // The data of a logo is not readable for people.
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (name, part: unknown) => (name === 'dataUri' ? undefined : part))
}
