import { createHash } from 'node:crypto'
import {
  mergeStyle,
  type Scannability,
  type Style,
  type UpdateStyle,
} from '@everscan/contract/resources/styles.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import { loadCaptionFont, missingCharacters } from '@everscan/qr/shapes/captions.ts'
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
import { type Drawing, drawCode } from '@everscan/qr/drawing/drawing.ts'
import { decodeLogo, readLogo } from '@everscan/qr/shapes/logo-intake.ts'
import type { LogoPicture } from '@everscan/qr/shapes/logos.ts'
import { createMatrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import { readBack, type Reading } from '@everscan/qr/reading/read-back.ts'
import { readableColors } from '@everscan/qr/drawing/readable-colors.ts'
import { ApiError, type ProblemDetail } from '../../errors.ts'
import { minPrint } from '@everscan/qr/reading/min-print.ts'
import { validationError } from '../http/request-errors.ts'
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
}

const checkedMax = 1_000
/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const quietModules = 4

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
  const accepted = await withReencodedLogo(style, options.storedStyles)
  const { version } = createMatrix(options.encode(accepted))
  const key = createHash('sha256')
    .update(JSON.stringify([version, accepted]))
    .digest('base64')
  const known = checked.get(key) ?? check(accepted, options)
  // A Map keeps insertion order: move this entry to the end, and delete from the front.
  checked.delete(key)
  checked.set(key, known)
  for (const oldest of checked.keys()) {
    if (checked.size <= checkedMax) break
    checked.delete(oldest)
  }
  try {
    return { style: accepted, scannability: await known }
  } catch (error) {
    // Do not cache a transient error.
    if (!(error instanceof ApiError)) checked.delete(key)
    throw error
  }
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
  const { drawing, reading } = await read(style, options)
  if (reading.failed.length > 0) {
    const nearest = await nearestChange(style, [], options)
    const why = `its picture could not be read back (${reading.failed.join(', ')})`
    throw notScannable(why, nearest, [{ path: 'style', message: why, suggestion: nearest }])
  }
  return {
    verified: true,
    contrast: leastContrast(style),
    ...minPrint(drawing, reading.minModulePx),
    warnings: warningsOf(style),
  }
}

/** The first change that makes the picture decodable. */
async function nearestChange(
  style: Style,
  first: readonly UpdateStyle[],
  options: AcceptanceOptions,
): Promise<UpdateStyle> {
  const start = first[0] ?? {}
  const further = nearbyChanges(mergeStyle(style, start)).map((change) => ({ ...start, ...change }))
  for (const change of [...first, ...further]) {
    const changed = mergeStyle(style, change)
    if (readableColors(changed) !== undefined) continue
    const { reading } = await read(changed, options)
    if (reading.failed.length === 0) return change
  }
  return Object.fromEntries(Object.keys(style).map((field) => [field, null]))
}

async function read(
  style: Style,
  { encode }: AcceptanceOptions,
): Promise<{ drawing: Drawing; reading: Reading }> {
  const code = encode(style)
  const drawing = await drawStyled(code, style)
  // A picture without a frame is surrounded by paper of its own background color; the record has a
  // warning about it.
  const paperModules =
    style.frame === undefined ? Math.max(0, quietModules - (style.margin ?? quietModules)) : 0
  const worn = style.logo && (await drawStyled(code, withWiderLogo(style)))
  return { drawing, reading: await readBack(drawing, code.text, { paperModules, worn }) }
}

/**
 * The checked code stands for many: a logo may cover more modules of another code that happen to be
 * light. So the code must remain readable if the logo covers one more module on every side.
 */
function withWiderLogo(style: Style): Style {
  return style.logo === undefined
    ? style
    : { ...style, logo: { ...style.logo, margin: (style.logo.margin ?? 1) + 1 } }
}

/** Draws a code in a style, with the font and the logo that the style needs. */
export async function drawStyled(
  code: MatrixOptions,
  style: Style,
  { marginModules, logo }: { marginModules?: number | undefined; logo?: LogoPicture | undefined } = {},
): Promise<Drawing> {
  const font = hasCaption(style.frame) ? await loadCaptionFont() : undefined
  return drawCode(createMatrix(code), style, {
    font,
    marginModules,
    logo: logo ?? (style.logo && (await decodeLogo(style.logo.dataUri))),
  })
}

/** Throws ApiError 400 for characters without a glyph, which would be printed as boxes. */
async function requireDrawableCaption({ frame }: Style): Promise<void> {
  if (frame === undefined || !hasCaption(frame)) return
  const missing = await missingCharacters(frame.text ?? '')
  if (missing.length === 0) return
  const message = `must be in Latin, Greek or Cyrillic letters, cannot draw ${missing.join(' ')}`
  throw validationError([{ path: 'style.frame.text', message }])
}

async function withReencodedLogo(style: Style, storedStyles: readonly Style[] = []): Promise<Style> {
  const { logo } = style
  if (logo === undefined || storedStyles.some((one) => one.logo?.dataUri === logo.dataUri)) return style
  try {
    const { dataUri } = await readLogo(logo.dataUri)
    return { ...style, logo: { ...logo, dataUri } }
  } catch (error) {
    if (error instanceof PictureError)
      throw validationError([{ path: 'style.logo.dataUri', message: error.message }])
    throw error
  }
}

/** A problem for each part that readers cannot tell from the background. */
function colorProblems(style: Style, suggestion: UpdateStyle) {
  const light = lightColor(style)
  const problems = darkColors(style)
    .filter(({ color }) => !isReadableOn(color, light))
    .map(({ field, color }) => ({
      path: `style.${field}`,
      message: `${color} must be darker than the background ${light}, with a contrast of at least ${contrastMin}:1, got ${contrastOf(color, light)}:1`,
      suggestion,
    }))
  if (!isFrameTooLight(style)) return problems
  const message = `${frameColor(style)} must not be lighter than the background ${light}: otherwise readers take the background for dark`
  return [...problems, { path: 'style.frame.color', message, suggestion }]
}

function notScannable(
  why: string,
  suggestion: UpdateStyle,
  details: readonly (ProblemDetail & { suggestion: UpdateStyle })[],
): ApiError {
  const inWords = Object.entries(suggestion).map(([name, value]) => `${name} ${inShort(value)}`)
  const message = `style: ${why}; ${inWords.join(' and ')} would be accepted`
  return new ApiError(422, 'STYLE_NOT_SCANNABLE', message, { details: [...details] })
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
