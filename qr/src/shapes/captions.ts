import { operation } from './paths.ts'
import type { Box } from './shapes.ts'

/**
 * The font of captions, as outlines, so that pictures look alike on every system, whatever fonts it
 * has. Made by `scripts/caption-font.ts`. The licence (SIL Open Font License 1.1) is in the font's
 * folder.
 */
export type CaptionFont = {
  readonly unitsPerEm: number
  /** Height of an upper-case letter, in units. */
  readonly capHeight: number
  readonly glyphs: ReadonlyMap<string, Glyph>
  /** Stands in for a character that the font lacks. */
  readonly missing: Glyph
  /** The extra space between two letters, in units, by the pair of letters. */
  readonly kerning: ReadonlyMap<string, number>
}

/** Advance in units, and the outline: m, l, q and z as in SVG, relative whole units, y up. */
type Glyph = readonly [advance: number, outline: string]

let loaded: Promise<CaptionFont> | undefined

/** Loads the font of captions once, 380 KB (85 KB compressed). Other pictures never load it. */
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
 * Returns the characters of a text that captions cannot show, each once: emoji, and scripts other
 * than Latin, Greek and Cyrillic. A caption shows a box in their place.
 */
export async function missingCharacters(text: string): Promise<string[]> {
  const { glyphs } = await loadCaptionFont()
  return [...new Set(charactersOf(text))].filter((character) => !glyphs.has(character))
}

/**
 * Returns the characters to draw one by one, without control characters, joiners and variation
 * selectors. Line breaks become spaces.
 */
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

/**
 * Size of the letters' em as a share of the box's height: the preferred size, and the minimum
 * before text is cut.
 */
const emShare = 0.53
const emShareMin = 0.28
/** Free space at both ends, as a share of the box's height. */
const paddingShare = 0.3

export const ellipsis = '…'

/** No label has room for more characters, so the rest is ignored. */
const charactersMax = 300

/**
 * Appends a caption in the middle of a box. A text that is too wide is drawn smaller. At the
 * minimum size it is cut and ends with an ellipsis. Any text can be drawn; `missingCharacters`
 * returns the characters that become boxes.
 */
export function pushCaption(path: number[], text: string, { font, box }: { font: CaptionFont; box: Box }) {
  const room = box.width - 2 * paddingShare * box.height
  const fitEm = (characters: readonly string[]) =>
    Math.min(emShare * box.height, (room * font.unitsPerEm) / Math.max(1, measure(font, characters)))
  const characters = charactersOf(text).slice(0, charactersMax)
  const least = emShareMin * box.height
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
  /** Length of a unit of the font. */
  readonly scale: number
}

/** Appends a line of characters to the right of a point. */
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

/** Returns the width of a line, in units. */
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

/** É has the same spacing as E. */
const baseLetter = (character: string) =>
  character < '\u0080' ? character : (character.normalize('NFD')[0] ?? '')

type GlyphPlace = { readonly x: number; readonly y: number; readonly scale: number }

/** TrueType contours run like those of our paths: the filled side is on the right. */
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
