import { problem, type FieldProblem, type Problem } from '@everscan/contract/problems/problem.ts'
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
import { ApiError } from '../../errors.ts'

export type StyleProblem = FieldProblem & { suggestion?: UpdateStyle }

const frameColorPath = 'style.frame.color'
const marginPath = 'style.margin'

/** Returns what is wrong with a style before any picture in it is read: see `readableStyle`. */
export function problemsOf(style: Style, suggestion: UpdateStyle | undefined): StyleProblem[] {
  const light = lightColor(style)
  const problems = darkColors(style)
    .filter(({ color }) => !isReadableOn(color, light))
    .map(({ field, color }): FieldProblem => {
      const contrast = { min: contrastMin, got: contrastOf(color, light) }
      return {
        path: `style.${field}`,
        ...problem('colorTooLight', { color, background: light, ...contrast }),
      }
    })
  if (isFrameTooLight(style)) {
    const found = problem('frameTooLight', { color: frameColor(style) ?? '', background: light })
    problems.push({ path: frameColorPath, ...found })
  }
  if (isFrameTooClose(style)) {
    const found = problem('frameTooClose', { min: quietModules, got: style.margin ?? 0 })
    problems.push({ path: marginPath, ...found })
  }
  return problems.map((found) => ({ ...found, ...(suggestion && { suggestion }) }))
}

/** Returns the first problem as one of the style, for the message. */
export function reasonOf([first]: readonly StyleProblem[]): Problem {
  if (first?.problem === 'frameTooClose') return problem('styleFrameTooClose')
  if (first?.problem === 'frameTooLight') return problem('styleFrameTooLight')
  return problem('styleContrastTooLow')
}

/** Returns ApiError 422 with a reason and the nearest change that would be accepted. */
export function notScannable(
  why: Problem,
  suggestion: UpdateStyle | undefined,
  details: readonly StyleProblem[],
): ApiError {
  const advice = suggestion === undefined ? alone : `${inWords(suggestion)} would be accepted`
  const told = { ...why, message: `style: ${why.message}; ${advice}` }
  return new ApiError(422, 'STYLE_NOT_SCANNABLE', told, { details: [...details] })
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
