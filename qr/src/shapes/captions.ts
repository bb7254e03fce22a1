import { operation } from './paths.ts'
import type { Box } from './shapes.ts'

/**
 * The font of captions, as outlines: pictures look alike wherever they are opened, with or without any font there.
 * Made by `scripts/caption-font.ts`; the licence (SIL Open Font License 1.1) lies beside it.
 */
export type CaptionFont = {
  readonly unitsPerEm: number
  /** Height of an upper-case letter, in units. */
  readonly capHeight: number
  readonly glyphs: ReadonlyMap<string, Glyph>
  /** What is drawn in place of a character that the font lacks. */
  readonly missing: Glyph
  /** What is added between two letters, in units, by the two. */
  readonly kerning: ReadonlyMap<string, number>
}

/** Advance in units, and the outline: m, l, q and z as in SVG, relative whole units, y up. */
type Glyph = readonly [advance: number, outline: string]

let loaded: Promise<CaptionFont> | undefined

/** Loads the font of captions, 380 KB (85 KB packed), once: whoever draws none never does. */
export function loadCaptionFont(): Promise<CaptionFont> {
  loaded ??= readFont()
  return loaded
}

async function readFont(): Promise<CaptionFont> {
  const { default: file } = await import('../fonts/inter-semibold.json', { with: { type: 'json' } })
  const kerning = new Map<string, number>()
  for (const [left, pairs] of Object.entries(file.kerning)) {
    for (const pair of pairs.split(' ')) {
      const [right = ''] = pair
      kerning.set(left + right, Number(pair.slice(right.length)))
    }
  }
  const { unitsPerEm, capHeight } = file
  const glyphs = new Map(Object.entries(file.glyphs) as unknown as [string, Glyph][])
  return { unitsPerEm, capHeight, glyphs, missing: file.missing as unknown as Glyph, kerning }
}

/**
 * The characters of a text that captions cannot show, each once: scripts other than Latin, Greek and Cyrillic, and
 * emoji. A box is drawn in their place.
 */
export async function missingCharacters(text: string): Promise<string[]> {
  const { glyphs } = await loadCaptionFont()
  return [...new Set(charactersOf(text))].filter((character) => !glyphs.has(character))
}

/** What is drawn one by one: no control characters, joiners or variation selectors; line breaks are spaces. */
export function charactersOf(text: string): string[] {
  return Array.from(
    text
      .toWellFormed()
      .normalize('NFC')
      .replace(/\s+/g, ' ')
      .replace(/[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu, '')
      .trim(),
  )
}

/** Size of the letters' em, as shares of the box's height: as wished, and the least before text is cut. */
const emShare = 0.53
const emShareLeast = 0.28
/** Free space at both ends, as a share of the box's height. */
const paddingShare = 0.3

export const ellipsis = '…'

/** No label has room for as many, so what comes after them is never looked at. */
const charactersMost = 300

/**
 * Appends a caption in the middle of a box. A text that is too wide is drawn smaller, and below a least size cut,
 * with an ellipsis at its end. Any text can be drawn; `missingCharacters` tells what would be shown as a box.
 */
export function pushCaption(path: number[], text: string, { font, box }: { font: CaptionFont; box: Box }) {
  const room = box.width - 2 * paddingShare * box.height
  const fitEm = (characters: readonly string[]) =>
    Math.min(emShare * box.height, (room * font.unitsPerEm) / Math.max(1, measure(font, characters)))
  const characters = charactersOf(text).slice(0, charactersMost)
  const least = emShareLeast * box.height
  if (fitEm(characters) < least) {
    const isCutTooWide = () => characters.at(-1) === ' ' || fitEm([...characters, ellipsis]) < least
    while (characters.length > 0 && isCutTooWide()) characters.pop()
    characters.push(ellipsis)
  }
  const scale = fitEm(characters) / font.unitsPerEm
  const baseline = box.y + box.height / 2 + (font.capHeight * scale) / 2
  const x = box.x + box.width / 2 - (measure(font, characters) * scale) / 2
  pushLine(path, characters, { font, x, baseline, scale })
}

type LinePlace = {
  readonly font: CaptionFont
  readonly x: number
  readonly baseline: number
  /** How long a unit of the font is. */
  readonly scale: number
}

/** Appends a line of characters from a place to the right. */
export function pushLine(
  path: number[],
  characters: readonly string[],
  { font, x, baseline, scale }: LinePlace,
) {
  let penX = x
  characters.forEach((character, at) => {
    const [advance, outline] = glyphOf(font, character)
    pushGlyph(path, outline, { x: penX, y: baseline, scale })
    penX += (advance + kerningOf(font, character, characters[at + 1])) * scale
  })
}

const glyphOf = (font: CaptionFont, character: string) => font.glyphs.get(character) ?? font.missing

/** Width of a line, in units. */
export function measure(font: CaptionFont, characters: readonly string[]): number {
  let width = 0
  characters.forEach((character, at) => {
    width += glyphOf(font, character)[0] + kerningOf(font, character, characters[at + 1])
  })
  return width
}

function kerningOf({ kerning }: CaptionFont, left: string, right: string | undefined): number {
  return right === undefined ? 0 : (kerning.get(baseLetter(left) + baseLetter(right)) ?? 0)
}

/** É stands as far from its neighbours as E. */
const baseLetter = (character: string) =>
  character < '\u0080' ? character : (character.normalize('NFD')[0] ?? '')

type GlyphPlace = { readonly x: number; readonly y: number; readonly scale: number }

/** The contours of TrueType run as those of our paths: what is filled lies on the right hand. */
function pushGlyph(path: number[], outline: string, { x, y, scale }: GlyphPlace) {
  let penX = 0
  let penY = 0
  for (const [, letter = '', numbers = ''] of outline.matchAll(/([mlqz])([-\d ]*)/g)) {
    const values = (numbers.match(/-?\d+/g) ?? []).map(Number)
    path.push(letterOperations[letter] ?? operation.close)
    for (let at = 0; at < values.length; at += 2) {
      path.push(x + (penX + (values[at] ?? 0)) * scale, y - (penY + (values[at + 1] ?? 0)) * scale)
    }
    penX += values.at(-2) ?? 0
    penY += values.at(-1) ?? 0
  }
}

const letterOperations: Readonly<Record<string, number>> = {
  m: operation.move,
  l: operation.line,
  q: operation.quadratic,
  z: operation.close,
}
