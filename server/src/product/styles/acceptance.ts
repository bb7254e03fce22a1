import { problem } from '@everscan/contract/problems/problem.ts'
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  mergeStyle,
  type Scannability,
  type Style,
  type UpdateStyle,
} from '@everscan/contract/resources/styles.ts'
import { hasCaption } from '@everscan/qr/shapes/frames.ts'
import { missingCharacters } from '@everscan/qr/shapes/captions.ts'
import { contrastMin, leastContrast } from '@everscan/qr/drawing/contrast.ts'
import { createMatrix, type MatrixOptions } from '@everscan/qr/content/matrix.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import { readableColors, readableStyle } from '@everscan/qr/drawing/readable-colors.ts'
import type { ReadingCondition } from '@everscan/qr/reading/read-back.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import { ApiError } from '../../errors.ts'
import { validationError } from '../../request-errors.ts'
import type { StyleReading, StyleWork } from './style-work.ts'
import { isUnstyled, readPlain } from './read-style.ts'
import { notScannable, problemsOf, reasonOf } from './style-problems.ts'
import { styleWarnings } from './style-warnings.ts'
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
 * Draws a code in a style and decodes the picture with third-party decoders. Throws ApiError 400
 * for a logo or a caption that cannot be drawn, and 422 STYLE_NOT_SCANNABLE for a picture that
 * cannot be decoded, with the nearest change that can, found by trial. A picture that only the
 * second decoder misses is a warning. Repeated checks of a style are free.
 */
export async function acceptStyle(style: Style, options: AcceptanceOptions): Promise<AcceptedStyle> {
  await requireDrawableCaption(style)
  const accepted = await withReencodedLogo(style, options)
  const { version } = createMatrix(options.encode(accepted))
  const key = createHash('sha256')
    .update(JSON.stringify([version, accepted, options.work.suggests, isStoredIn(accepted, options)]))
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
  const isStored = isStoredIn(style, options)
  const needed = isStored ? readableColors(style) : readableStyle(style)
  if (needed !== undefined) {
    const nearest = await nearestChange(style, [needed], options)
    const problems = problemsOf(style, nearest)
    throw notScannable(reasonOf(problems), nearest, problems)
  }
  const reading = await read(style, options)
  const failed = failedConditions(reading, style, isStored)
  if (failed.length > 0) {
    const nearest = await nearestChange(style, [], options)
    const why = problem('pictureUnread', { conditions: failed.join(', ') })
    throw notScannable(why, nearest, [{ path: 'style', ...why, ...(nearest && { suggestion: nearest }) }])
  }
  const warnings = styleWarnings(style, reading.readers)
  return {
    verified: true,
    readers: reading.readers.map(({ name, missed, of }) => ({ name, read: of - missed.length, of })),
    contrast: leastContrast(style),
    ...reading.print,
    warnings: warnings.map(({ message }) => message),
    warningDetails: warnings.map(wholeDetail),
  }
}

/**
 * Whether a style is stored as it is. It was accepted then, maybe by looser rules: what has been
 * added since becomes a warning, so that codes can still be created in it.
 */
function isStoredIn(style: Style, { storedStyles = [] }: AcceptanceOptions): boolean {
  return storedStyles.some((one) => isDeepStrictEqual(one, style))
}

/**
 * Returns the conditions that make a picture unreadable. The first reader decides, except in red
 * light, which warns. Colors that only cameras tell apart well enough must be read by every reader
 * in every condition.
 */
function failedConditions(
  { readers }: StyleReading,
  style: Style,
  isStored = false,
): readonly ReadingCondition[] {
  if (leastContrast(style) < contrastMin) return [...new Set(readers.flatMap(({ missed }) => missed))]
  const mayMiss: ReadingCondition[] = isStored ? ['red', 'paper'] : ['red']
  return (readers[0]?.missed ?? []).filter((condition) => !mayMiss.includes(condition))
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
    if (readableStyle(changed) !== undefined || !isEncodable(changed, options)) continue
    if (failedConditions(await read(changed, options), changed).length === 0) return change
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

/** A code without a style takes no turn: it is never refused because others have much to check. */
async function read(style: Style, { encode, work }: AcceptanceOptions): Promise<StyleReading> {
  const code = encode(style)
  return isUnstyled(style) ? readPlain({ code }) : work.run('readStyle', { code, style })
}

/** Throws ApiError 400 for characters without a glyph, which would be printed as boxes. */
async function requireDrawableCaption({ frame }: Style): Promise<void> {
  if (frame === undefined || !hasCaption(frame)) return
  const missing = await missingCharacters(frame.text ?? '')
  if (missing.length === 0) return
  const found = problem('captionNotDrawable', { characters: missing.join(' ') })
  throw validationError([{ path: 'style.frame.text', ...found }])
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
    if (error instanceof PictureError && error.found !== undefined)
      throw validationError([{ path: 'style.logo.dataUri', ...error.found }])
    throw error
  }
}
