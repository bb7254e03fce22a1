import { createHash } from 'node:crypto'
import {
  mergeStyle,
  type Scannability,
  type Style,
  type UpdateStyle,
} from '@everscan/contract/resources/styles.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import { missingCharacters } from '@everscan/qr/shapes/captions.ts'
import {
  contrastMin,
  contrastOf,
  darkColors,
  frameColor,
  isFrameTooLight,
  isReadableOn,
  leastContrast,
  lightColor,
} from '@everscan/qr/drawing/contrast.ts'
import { createMatrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import { readableColors } from '@everscan/qr/drawing/readable-colors.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { validationError } from '../http/request-errors.ts'
import type { StyleReading, StyleWork } from '../http/style-work.ts'
import { quietModules } from './read-style.ts'
import { nearbyChanges } from './suggestions.ts'

/** A style whose picture was decoded, as it is stored: its logo is re-encoded. */
export type AcceptedStyle = { style: Style; scannability: Scannability }

export type AcceptanceOptions = {
  /** The text of a code in this style, with its version and mask if these are fixed already. */
  encode: (style: Style) => MatrixOptions
  /**
   * Styles that are stored already. Their logos were re-encoded on arrival; doing it again would
   * change them.
   */
  storedStyles?: readonly Style[] | undefined
  work: StyleWork
}

const checkedMax = 1_000

/** Results by style and version: ten thousand imported codes of one style cost one check. */
const checked = new Map<string, Promise<Scannability>>()

/**
 * Draws a code in a style and decodes the picture with a third-party decoder. Throws ApiError 400
 * for a logo or a caption that cannot be drawn, and 422 STYLE_NOT_SCANNABLE for a picture that
 * cannot be decoded, with the nearest change that can, found by trial. Repeated checks of a style
 * are free.
 */
export async function acceptStyle(style: Style, options: AcceptanceOptions): Promise<AcceptedStyle> {
  await requireDrawableCaption(style)
  const accepted = await withReencodedLogo(style, options)
  const { version } = createMatrix(options.encode(accepted))
  const key = createHash('sha256')
    .update(JSON.stringify([version, accepted, options.work.suggests]))
    .digest('base64')
  const known = checked.get(key)
  if (known !== undefined) {
    touch(key, known)
    try {
      return { style: accepted, scannability: await known }
    } catch (error) {
      if (isResult(error)) throw error
      // The request that began this check was ended, which says nothing about the style.
    }
  }
  const checking = check(accepted, options)
  touch(key, checking)
  checking.catch((error: unknown) => {
    if (!isResult(error) && checked.get(key) === checking) checked.delete(key)
  })
  return { style: accepted, scannability: await checking }
}

/** Keeps a check as the last one used, and forgets the oldest. */
function touch(key: string, checking: Promise<Scannability>): void {
  // A Map keeps insertion order.
  checked.delete(key)
  checked.set(key, checking)
  for (const oldest of checked.keys()) {
    if (checked.size <= checkedMax) break
    checked.delete(oldest)
  }
}

/** Whether a check ended with a result about the style. */
function isResult(error: unknown): boolean {
  return error instanceof ApiError && error.status === 422
}

async function check(style: Style, options: AcceptanceOptions): Promise<Scannability> {
  const colors = readableColors(style)
  if (colors !== undefined) {
    const nearest = await nearestChange(style, [colors], options)
    const problems = colorProblems(style, nearest)
    const onlyFrame = problems[0]?.path === 'style.frame.color'
    const why = onlyFrame
      ? 'its frame is lighter than its background'
      : 'a reader could not tell the modules from the background'
    throw notScannable(why, nearest, problems)
  }
  const { failed, print } = await read(style, options)
  if (failed.length > 0) {
    const nearest = await nearestChange(style, [], options)
    const why = `its picture could not be read back (${failed.join(', ')})`
    throw notScannable(why, nearest, [
      { path: 'style', message: why, ...(nearest && { suggestion: nearest }) },
    ])
  }
  return { verified: true, contrast: leastContrast(style), ...print, warnings: warningsOf(style) }
}

/** The first change that makes the picture decodable. Undefined if the request does not search. */
async function nearestChange(
  style: Style,
  first: readonly UpdateStyle[],
  options: AcceptanceOptions,
): Promise<UpdateStyle | undefined> {
  if (!options.work.suggests) return undefined
  const start = first[0] ?? {}
  const further = nearbyChanges(mergeStyle(style, start)).map((change) => ({ ...start, ...change }))
  for (const change of [...first, ...further]) {
    const changed = mergeStyle(style, change)
    if (readableColors(changed) !== undefined || !isEncodable(changed, options)) continue
    const { failed } = await read(changed, options)
    if (failed.length === 0) return change
  }
  return Object.fromEntries(Object.keys(style).map((field) => [field, null]))
}

/** Whether the text fits a code in a style: at a higher level of correction it may not. */
function isEncodable(style: Style, { encode }: AcceptanceOptions): boolean {
  try {
    createMatrix(encode(style))
    return true
  } catch (error) {
    if (error instanceof PictureError) return false
    throw error
  }
}

function read(style: Style, { encode, work }: AcceptanceOptions): Promise<StyleReading> {
  return work.run('readStyle', { code: encode(style), style })
}

/** Throws ApiError 400 for characters without a glyph, which would be printed as boxes. */
async function requireDrawableCaption({ frame }: Style): Promise<void> {
  if (frame === undefined || !hasCaption(frame)) return
  const missing = await missingCharacters(frame.text ?? '')
  if (missing.length === 0) return
  const message = `must be in Latin, Greek or Cyrillic letters, cannot draw ${missing.join(' ')}`
  throw validationError([{ path: 'style.frame.text', message }])
}

async function withReencodedLogo(
  style: Style,
  { storedStyles = [], work }: AcceptanceOptions,
): Promise<Style> {
  const { logo } = style
  if (logo === undefined || storedStyles.some((one) => one.logo?.dataUri === logo.dataUri)) return style
  try {
    const { dataUri } = await work.run('readLogo', logo.dataUri)
    return { ...style, logo: { ...logo, dataUri } }
  } catch (error) {
    if (error instanceof PictureError)
      throw validationError([{ path: 'style.logo.dataUri', message: error.message }])
    throw error
  }
}

/** A problem for each part that readers cannot tell from the background. */
function colorProblems(style: Style, suggestion: UpdateStyle | undefined) {
  const light = lightColor(style)
  const problems = darkColors(style)
    .filter(({ color }) => !isReadableOn(color, light))
    .map(({ field, color }) => ({
      path: `style.${field}`,
      message: `${color} must be darker than the background ${light}, with a contrast of at least ${contrastMin}:1, got ${contrastOf(color, light)}:1`,
      ...(suggestion && { suggestion }),
    }))
  if (!isFrameTooLight(style)) return problems
  const message = `${frameColor(style)} must not be lighter than the background ${light}: otherwise readers take the background for dark`
  return [...problems, { path: 'style.frame.color', message, ...(suggestion && { suggestion }) }]
}

function notScannable(
  why: string,
  suggestion: UpdateStyle | undefined,
  details: readonly (ProblemDetail & { suggestion?: UpdateStyle })[],
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

function warningsOf(style: Style): string[] {
  const margin = style.margin ?? quietModules
  const contrast = leastContrast(style)
  return [
    ...(margin < quietModules
      ? [
          `The margin of ${margin} is less than 4 modules: the surface around the picture must be as light as its background.`,
        ]
      : []),
    ...(style.transparent === true
      ? [`The background is transparent: the code needs a surface as light as ${lightColor(style)}.`]
      : []),
    ...(contrast < 4.5
      ? [`The contrast of ${contrast}:1 is low: some scans fail in dim light or on worn prints.`]
      : []),
  ]
}
