import type { LabelCaptionPosition } from '@everscan/contract/resources/label-sheets.ts'
import { type CaptionFont, charactersOf, ellipsis, measure, pushLine } from '../shapes/captions.ts'
import type { Box } from '../shapes/shapes.ts'

/** A caption on a label: lines of characters, and the em of the letters in millimetres. */
export type LabelCaption = { readonly lines: readonly (readonly string[])[]; readonly emMm: number }

/** The space for a caption: its width, the maximum number of lines, the bounds of the letters. */
export type CaptionRoom = {
  readonly widthMm: number
  readonly linesMax: number
  readonly emMm: number
  readonly emMmMin: number
}

/** From baseline to baseline, in ems. */
export const lineHeight = 1.22

/** Prefer one line of slightly smaller letters to two lines. */
const oneLineShrink = 0.82
const shrinkStep = 0.96

/** No label has room for more characters, so the rest is ignored. */
const charactersMax = 300

/**
 * Returns the characters of a caption that can be drawn, and whether all can. The others are left
 * out, because they would print as boxes.
 */
export function drawableCaption(font: CaptionFont, text: string): { text: string; isComplete: boolean } {
  const characters = charactersOf(text)
  const drawable = characters.filter((character) => font.glyphs.has(character))
  return {
    text: drawable.join('').replace(/ +/g, ' ').trim(),
    isComplete: drawable.length === characters.length,
  }
}

/**
 * Fits a caption into its room. A caption that nearly fits becomes one line. Otherwise it gets the
 * fewest lines of the largest letters. At the minimum letter size it is cut and ends with an
 * ellipsis. Lines break at spaces, after hyphens and slashes, and anywhere if nothing else helps.
 */
export function fitCaption(font: CaptionFont, text: string, room: CaptionRoom): LabelCaption {
  const characters = charactersOf(text).slice(0, charactersMax)
  if (characters.length === 0) return { lines: [], emMm: room.emMm }
  const oneLineEm = (room.widthMm * font.unitsPerEm) / measure(font, characters)
  if (oneLineEm >= room.emMm * oneLineShrink)
    return { lines: [characters], emMm: Math.min(room.emMm, oneLineEm) }
  const words = measured(font, wordsOf(characters))
  for (let emMm = room.emMm; emMm > room.emMmMin; emMm *= shrinkStep) {
    const lines = balance(words, (room.widthMm * font.unitsPerEm) / emMm, room.linesMax)
    if (lines) return { lines: lines.map(lettersOf), emMm }
  }
  return { lines: cut(font, words, room), emMm: room.emMmMin }
}

/**
 * Appends a caption to a path. Below a code it is centered and starts at the top of the box; to the
 * right it is flush left and vertically centered.
 */
export function pushLabelCaption(
  path: number[],
  { lines, emMm }: LabelCaption,
  { font, box, position }: { font: CaptionFont; box: Box; position: LabelCaptionPosition },
) {
  const scale = emMm / font.unitsPerEm
  const capHeight = font.capHeight * scale
  const height = capHeight + (lines.length - 1) * lineHeight * emMm
  const top = position === 'right' ? box.y + (box.height - height) / 2 : box.y
  lines.forEach((characters, at) => {
    const free = position === 'right' ? 0 : box.width - measure(font, characters) * scale
    const baseline = top + capHeight + at * lineHeight * emMm
    pushLine(path, characters, { font, x: box.x + free / 2, baseline, scale })
  })
}

/** Returns parts that stay together; a space belongs to the word before it. */
function wordsOf(characters: readonly string[]): string[][] {
  const words: string[][] = []
  let word: string[] = []
  for (const character of characters) {
    word.push(character)
    if (!/[ \-/–—]/.test(character)) continue
    words.push(word)
    word = []
  }
  return word.length > 0 ? [...words, word] : words
}

/** A part of a line, measured once however often it is tried: its width, the start of the next. */
type Word = { readonly characters: readonly string[]; readonly width: number; readonly advance: number }
type Line = readonly Word[]

function measured(font: CaptionFont, words: readonly (readonly string[])[]): Word[] {
  return words.map((characters, at) => {
    const next = words[at + 1]?.slice(0, 1) ?? []
    const advance = measure(font, [...characters, ...next]) - measure(font, next)
    return { characters, width: measure(font, trimmed(characters)), advance }
  })
}

/**
 * Splits the words into the fewest lines and then makes the block as narrow as possible. Undefined
 * if they need too many lines.
 */
function balance(words: Line, widthMax: number, linesMax: number): Line[] | undefined {
  let best = wrap(words, widthMax)
  if (!best || best.length > linesMax) return undefined
  const { length } = best
  // Narrow the block in steps until it would need another line.
  for (let width = widthMax * shrinkStep; width > 1; width *= shrinkStep) {
    const lines = wrap(words, width)
    if (!lines || lines.length > length) break
    best = lines
  }
  return best
}

/** Puts as many words on each line as fit. Undefined if a word is wider than a line. */
function wrap(words: Line, widthMax: number): Line[] | undefined {
  const lines: Word[][] = []
  let room = 0
  for (const word of words) {
    if (word.width > widthMax) return undefined
    const line = lines.at(-1)
    if (line && word.width <= room) line.push(word)
    else {
      lines.push([word])
      room = widthMax
    }
    room -= word.advance
  }
  return lines
}

/** Returns lines at the minimum size, with words broken if necessary and an ellipsis at the end. */
function cut(font: CaptionFont, words: Line, { widthMm, emMmMin, linesMax }: CaptionRoom): string[][] {
  const widthMax = (widthMm * font.unitsPerEm) / emMmMin
  const parts = words.flatMap(({ characters, width }) =>
    width > widthMax ? characters.map((one) => [one]) : [characters],
  )
  const lines = wrap(measured(font, parts), widthMax) ?? []
  if (lines.length <= linesMax) return lines.map(lettersOf)
  // Include the next line, so that the cut is where the line is full and not where a word ended.
  const last = lines.slice(linesMax - 1, linesMax + 1).flatMap(lettersAndSpaces)
  while (last.length > 0 && measure(font, [...trimmed(last), ellipsis]) > widthMax) last.pop()
  return [...lines.slice(0, linesMax - 1).map(lettersOf), [...trimmed(last), ellipsis]]
}

const lettersAndSpaces = (line: Line) => line.flatMap(({ characters }) => characters)
const lettersOf = (line: Line) => trimmed(lettersAndSpaces(line))

function trimmed(characters: readonly string[]): string[] {
  return characters.at(-1) === ' ' ? characters.slice(0, -1) : [...characters]
}
